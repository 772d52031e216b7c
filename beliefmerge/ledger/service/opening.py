"""Opening a ledger by where it is, and making tokens for it.

A directory holds ``ledger.sqlite`` (tokens), ``tenants/`` (logs), ``blobs/``, ``keys/ed25519``, ``embedder`` (a name).
Logs and tokens can be in PostgreSQL instead, blobs under any fsspec address; key and name are always in the directory.
"""

from __future__ import annotations

import time
from pathlib import Path

from beliefmerge.errors import UsageError, unknown
from beliefmerge.ledger.service.judging import judging
from beliefmerge.ledger.service.ledger import Ledger
from beliefmerge.ledger.service.pinned import Reach
from beliefmerge.ledger.service.roles import EVERY, Role, digest, mint
from beliefmerge.ledger.service.signing import Signer
from beliefmerge.ledger.store.log import Log, Token, check_tenant
from beliefmerge.ledger.store.places import open_blobs, open_log

KEY = Path("keys") / "ed25519"
_DAY_MS = 86_400_000
_LAST_MS = 2**53 - 1


def open_ledger(
    data: Path,
    *,
    store: str | None = None,
    blobs: str | None = None,
    reach: Reach | None = None,
    embedder: str | None = None,
    change_embedder: bool = False,
) -> Ledger:
    """The ledger in `data`, made where there is none. Raises UsageError, StoreError and, as ``judging``, ModelError."""
    log = logs(data, store)
    key = signer(data)
    judge = judging(data, log, embedder, change=change_embedder)
    return Ledger(log, open_blobs(blobs or data / "blobs"), key, reach, *judge)


def logs(data: Path, store: str | None = None, *, make: bool = True) -> Log:
    """The logs in `data`, or at `store`; `make` false raises UsageError where there are none."""
    if store is None and not make and not (data / "ledger.sqlite").is_file():
        raise UsageError(f"{data}: no ledger here (python -m beliefmerge ledger serve --data {data} makes one)")
    return open_log(store or data)


def signer(data: Path, *, make: bool = True) -> Signer:
    """The key in `data`; `make` false raises UsageError where there is none."""
    path = data / KEY
    if not make and not path.is_file():
        raise UsageError(f"{path}: no such key; a ledger's key is in the directory it is served from")
    return Signer.open(path)


def check_token(role: str, tenant: str, days: float) -> None:
    """Raise UsageError or BadName where no such token can be made."""
    if role not in EVERY:
        raise UsageError(f"no role {role!r} (known: {', '.join(Role)})")
    if not days > 0:
        raise UsageError(f"a token that expires in {days:g} days is of no use")
    check_tenant(tenant)


def make_token(log: Log, role: str, tenant: str, *, days: float) -> str:
    """A new token, valid now, for `days`; the tenant is made where there is none. Raises UsageError and BadName."""
    check_token(role, tenant, days)
    log.create(tenant)
    token = mint()
    expires = time.time_ns() // 1_000_000 + int(min(days * _DAY_MS, _LAST_MS))
    log.token_put(digest(token), Token(role, tenant, min(expires, _LAST_MS)))
    return token


def only_tenant(log: Log, named: str | None) -> str:
    """The tenant that is `named`, or the only one there is. Raises UsageError."""
    known = log.tenants()
    if named is not None:
        if named not in known:
            raise unknown("tenant", named, known)
        return named
    if len(known) != 1:
        raise UsageError(f"--tenant: one of {', '.join(known)}" if known else "there is no tenant yet")
    return known[0]
