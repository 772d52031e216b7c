"""``python -m beliefmerge sessions``: what can be merged and fused, the newest first."""

from __future__ import annotations

import argparse
import json
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from beliefmerge.cli.output import emit, remark

if TYPE_CHECKING:
    from beliefmerge.fusion.catalog import Listed, Progress

_SILENCE_S = 2.0


def add(commands: Any) -> None:
    """Add the command to the command line."""
    command = commands.add_parser(
        "sessions",
        help="list the sessions of DSH, Claude Code and Codex, newest first",
        description="List sessions, the newest first: last message's time (UTC), tool, messages, id, title. What "
        "cannot be read is named on stderr with the cause.",
        allow_abbrev=False,
    )
    command.add_argument("--root", type=Path, metavar="DIR", help="look here (default: the tools' usual places)")
    command.add_argument("--search", default="", metavar="TEXT", help="only sessions with TEXT in their title or id")
    command.add_argument("--json", action="store_true", help="print as JSON")
    command.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print the list."""
    from beliefmerge.fusion.catalog import listing, usual_places

    catalog = listing(args.root, search=args.search, progress=_progress())
    if args.json:
        rows = [listed.to_json() for listed in catalog.sessions]
        emit(json.dumps({"sessions": rows, "unreadable": catalog.unreadable}, ensure_ascii=False, indent=2) + "\n")
    else:
        emit("".join(f"{_row(listed)}\n" for listed in catalog.sessions))
    for line in catalog.unreadable:
        remark(f"beliefmerge: cannot read: {line}")
    if not catalog.sessions and not args.json:
        places = ", ".join(map(str, usual_places() if args.root is None else [args.root]))
        remark(f"beliefmerge: no session{' with this text' if args.search else ''} in {places}")
    return 0


def _row(listed: Listed) -> str:
    from beliefmerge.session.text import one_line

    name, title = one_line(listed.id, 120), one_line(listed.title, 72)
    return f"{_clock(listed.time):16}  {listed.tool:11}  {listed.messages:>6}  {name}  {title}".rstrip()


def _clock(moment: float | None) -> str:
    try:
        return datetime.fromtimestamp(moment, UTC).strftime("%Y-%m-%d %H:%M") if moment is not None else "-"
    except (ValueError, OverflowError, OSError):
        return "-"


def _progress() -> Progress:
    """Says how far it is, to whoever has waited."""
    said = time.monotonic()

    def tell(done: int, total: int) -> None:
        nonlocal said
        if time.monotonic() - said >= _SILENCE_S:
            said = time.monotonic()
            remark(f"beliefmerge: {done} of {total} files read")

    return tell
