"""``python -m beliefmerge ledger``: serve the epistemic ledger, make tokens, export and verify logs."""

from __future__ import annotations

import argparse
import contextlib
import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from beliefmerge.cli.output import emit, emit_bytes, remark
from beliefmerge.errors import UsageError

if TYPE_CHECKING:
    from beliefmerge.ledger import chainverify
    from beliefmerge.ledger.service.ledger import Ledger

_DATA = "ledger"
_ROLES = ("sealer", "agent", "verifier", "attributor", "auditor")
_EMBEDDERS = ("none", "hashing", "wordllama")
_DAYS = 365


def add(commands: Any) -> None:
    """Add the command to the command line."""
    command = commands.add_parser(
        "ledger",
        help="the epistemic ledger: serve it, make tokens, export and verify its logs",
        description="What was observed, what was inferred and what fell: an append-only, hash-chained log over HTTP.",
        allow_abbrev=False,
    )
    actions = command.add_subparsers(dest="action", required=True, metavar="ACTION", parser_class=type(command))
    _add_serve(actions)
    _add_token(actions)
    _add_export(actions)
    _add_verify(actions)
    _add_rebuild(actions)


def _add_serve(actions: Any) -> None:
    action = actions.add_parser("serve", help="answer requests until SIGTERM or Ctrl-C", allow_abbrev=False)
    _add_place(action)
    action.add_argument("--host", default="127.0.0.1", help="address to listen on (default: %(default)s)")
    action.add_argument("--port", type=int, default=8765, help="port; 0 takes a free one (default: %(default)s)")
    action.add_argument(
        "--replay-host",
        action="append",
        default=[],
        metavar="HOST:PORT",
        help="a host that replays may ask although its address is not public; may be given more than once",
    )
    action.add_argument(
        "--body-seconds", type=float, default=30.0, metavar="SECONDS", help="time for a body (default: %(default)s)"
    )
    action.add_argument(
        "--embedder",
        choices=_EMBEDDERS,
        help="what tells near-copies of 40 words and more, besides their words: one of %(choices)s (default: what the "
        "directory was made with; of a new one none)",
    )
    action.add_argument(
        "--change-embedder", action="store_true", help="count origins anew with another embedder than was recorded"
    )
    action.set_defaults(run=_serve)


def _add_token(actions: Any) -> None:
    action = actions.add_parser("token", help="make a token; printed on the last line", allow_abbrev=False)
    _add_place(action)
    action.add_argument("--role", required=True, choices=_ROLES, help="what it allows: one of %(choices)s")
    action.add_argument("--tenant", required=True, help="whose log it opens; made where there is none of that name")
    action.add_argument(
        "--expires", type=float, default=_DAYS, metavar="DAYS", help="days until it expires (default: %(default)s)"
    )
    action.set_defaults(run=_token)


def _add_export(actions: Any) -> None:
    action = actions.add_parser("export", help="print a tenant's log, closed by a signed head", allow_abbrev=False)
    action.add_argument("data", metavar="DIR", help="the ledger's directory")
    action.add_argument("--tenant", help="whose log (default: the only tenant's)")
    action.add_argument("--store", metavar="URL", help="where the log is, if not in DIR: postgresql://…")
    action.set_defaults(run=_export)


def _add_verify(actions: Any) -> None:
    action = actions.add_parser("verify", help="check an export, or each log of a directory", allow_abbrev=False)
    action.add_argument("log", metavar="DIR|FILE", help="a ledger's directory, or an export; - reads standard input")
    action.add_argument("--tenant", help="whose log it has to be; of a directory, the only one to check")
    action.add_argument("--store", metavar="URL", help="where a directory's log is, if not in it: postgresql://…")
    action.add_argument("--checkpoint", metavar="FILE", help="a signed head that was kept elsewhere")
    action.add_argument("--key", metavar="HEX", help="the service's public key, 64 hexadecimal digits")
    action.set_defaults(run=_verify)


def _add_rebuild(actions: Any) -> None:
    action = actions.add_parser("rebuild", help="make a log's indexes anew, while it is not served", allow_abbrev=False)
    action.add_argument("data", metavar="DIR", help="the ledger's directory")
    action.add_argument("--tenant", help="whose log (default: the only tenant's)")
    action.add_argument("--store", metavar="URL", help="where the log is, if not in DIR: postgresql://…")
    action.set_defaults(run=_rebuild)


def _add_place(action: Any) -> None:
    action.add_argument("--data", metavar="DIR", default=_DATA, help="the ledger's directory (default: %(default)s)")
    action.add_argument("--store", metavar="URL", help="where logs and tokens are: postgresql://… (default: in DIR)")
    action.add_argument("--blobs", metavar="URL", help="where blobs are: any fsspec address, s3://… (default: in DIR)")


def _serve(args: argparse.Namespace) -> int:
    """Serve until told to stop."""
    from beliefmerge.ledger.service.app import application
    from beliefmerge.ledger.service.limits import BodyTime, Limits
    from beliefmerge.ledger.service.opening import open_ledger
    from beliefmerge.ledger.service.pinned import Reach
    from beliefmerge.ledger.service.serve import address, listen, serve

    if not args.body_seconds > 0:
        raise UsageError(f"--body-seconds {args.body_seconds:g} is not positive")
    limits = Limits(body_time=BodyTime(args.body_seconds))
    reach = Reach(frozenset(_place(name) for name in args.replay_host), max_bytes=limits.blob_bytes)
    listening = listen(args.host, args.port)
    with listening:
        ledger = open_ledger(
            Path(args.data),
            store=args.store,
            blobs=args.blobs,
            reach=reach,
            embedder=args.embedder,
            change_embedder=args.change_embedder,
        )
        where = address(listening)
        serve(application(ledger, limits), listening, limits, lambda: emit(_welcome(args, where, ledger)))
    emit("stopped; all that was acknowledged is stored\n")
    return 0


def _place(name: str) -> str:
    host, colon, port = name.rpartition(":")
    if not (host and colon and port.isdecimal()):
        raise UsageError(f"--replay-host {name!r}: HOST:PORT is needed")
    return name


def _welcome(args: argparse.Namespace, where: str, ledger: Ledger) -> str:
    place = f"--data {args.data}" + (" --store URL" if args.store else "")
    return (
        f"ledger at {where}  (data in {Path(args.data).resolve()})\n"
        f"  API for people  {where}/docs      for programs  {where}/openapi.json\n"
        f"  public key      {ledger.signer.public_key}\n"
        "                  keep it elsewhere: verify --key takes it\n"
        f"  embedder        {ledger.embedder}\n"
        f"  make a token    python -m beliefmerge ledger token --role ROLE --tenant NAME {place}\n"
        f"                  roles: {', '.join(_ROLES)}; a token works at once\n"
        "  stop            Ctrl-C or SIGTERM\n"
    )


def _token(args: argparse.Namespace) -> int:
    """Print a new token."""
    from beliefmerge.ledger.service.opening import check_token, logs, make_token, signer

    check_token(args.role, args.tenant, args.expires)
    log = logs(Path(args.data), args.store)
    try:
        signer(Path(args.data))
        token = make_token(log, args.role, args.tenant, days=args.expires)
    finally:
        log.close()
    remark(f"role {args.role} of tenant {args.tenant}, for {args.expires:g} days; it is not kept and not shown again:")
    emit(token + "\n")
    return 0


def _export(args: argparse.Namespace) -> int:
    """Print a log."""
    from beliefmerge.ledger.service.export import export
    from beliefmerge.ledger.service.opening import logs, only_tenant, signer

    data = Path(args.data)
    log = logs(data, args.store, make=False)
    try:
        for piece in export(log, only_tenant(log, args.tenant), signer(data, make=False)):
            emit_bytes(piece)
    finally:
        log.close()
    return 0


def _rebuild(args: argparse.Namespace) -> int:
    """Make what is derived from a log anew."""
    from beliefmerge.ledger.service.opening import logs, only_tenant

    log = logs(Path(args.data), args.store, make=False)
    try:
        tenant = only_tenant(log, args.tenant)
        log.rebuild(tenant)
        remark(f"tenant {tenant}: {log.head(tenant).seq + 1} entries, indexes made anew")
    finally:
        log.close()
    return 0


def _verify(args: argparse.Namespace) -> int:
    """Check what was exported, or is in a directory, with the verifier that shares no code with the ledger."""
    from beliefmerge.ledger import chainverify

    if args.key is not None and not re.fullmatch("[0-9a-f]{64}", args.key):
        raise UsageError("--key: a public key is 64 lowercase hexadecimal digits")
    checkpoint = None
    if args.checkpoint is not None:
        try:
            checkpoint = chainverify.read_checkpoint(Path(args.checkpoint).read_bytes())
        except (OSError, chainverify.Unusable) as error:
            raise UsageError(f"{args.checkpoint}: {getattr(error, 'strerror', None) or error}") from None
    said = []
    with contextlib.ExitStack() as opened:
        for name, lines in _logs(args, None if checkpoint is None else checkpoint.tenant, opened):
            try:
                verdict = chainverify.verify(lines, key=args.key, checkpoint=checkpoint, records=True)
            except chainverify.Refused as refused:
                raise UsageError(f"{name}: tampered with or not whole: {refused}") from None
            if args.tenant not in (None, verdict.head.tenant):
                raise UsageError(f"{name}: the log of tenant {verdict.head.tenant}, not of {args.tenant}")
            said.append(_said(name, verdict))
    emit("".join(said))
    return 0


def _logs(
    args: argparse.Namespace, tenant: str | None, opened: contextlib.ExitStack
) -> Iterator[tuple[str, Iterable[bytes]]]:
    """What to verify: the export that is named, or each log of the directory (of `tenant`, the checkpoint's, only)."""
    path = Path(args.log)
    if args.log != "-" and (path.is_dir() or args.store):
        from beliefmerge.ledger.core.export import lines
        from beliefmerge.ledger.service.opening import logs, only_tenant, signer

        log = logs(path, args.store, make=False)
        opened.callback(log.close)
        key = signer(path, make=False)
        wanted = args.tenant or tenant
        for each in [only_tenant(log, wanted)] if wanted else log.tenants():
            yield str(path), lines(each, log.read(each), key.public_key, key.sign_bytes)
    elif args.log == "-":
        yield "standard input", sys.stdin.buffer
    elif path.is_file():
        yield str(path), opened.enter_context(path.open("rb"))
    else:
        raise UsageError(f"{path}: neither an export nor a ledger's directory")


def _said(name: str, verdict: chainverify.Verdict) -> str:
    head = verdict.head
    what = f"{name}: tenant {head.tenant}, {head.seq + 1} entries, head {head.hash}\n"
    if verdict.vouched:
        return f"verified     {what}             signed by {head.public_key}\n"
    return (
        f"chain holds  {what}"
        "             Nobody vouches for the end: without --key or --checkpoint, kept elsewhere, a tail that was cut\n"
        "             off and a log that was written anew cannot be seen.\n"
    )
