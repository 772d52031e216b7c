"""The contract of a log store, kept alike by SQLite and PostgreSQL.

A tenant's log is a chain of rows numbered from 0. `Log` reads it and is shared by all threads; a `Pen` is the exclusive
right to append to one tenant's log and belongs to one thread.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, Protocol

from beliefmerge.ledger.core.chain import GENESIS, link
from beliefmerge.ledger.store.errors import BadName, LogDamaged, OutOfSequence

_TENANT = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,62}")


class Row(NamedTuple):
    """One stored entry: its number, the hash before it, its own hash, and the exact bytes that were hashed."""

    seq: int
    prev: bytes
    hash: bytes
    record: bytes


class Head(NamedTuple):
    """The last row's number and hash; `EMPTY` when there is none."""

    seq: int
    hash: bytes


EMPTY = Head(-1, GENESIS)


class Reply(NamedTuple):
    """What a keyed submission was and was answered: SHA-256 of the request, and the response."""

    digest: bytes
    response: bytes


class Token(NamedTuple):
    """What a bearer token allows. `expires_ms` is Unix time in milliseconds."""

    role: str
    tenant: str
    expires_ms: int


class Pen(Protocol):
    """The exclusive right to append to one tenant's log, held until `close` and lost with the process."""

    tenant: str

    @property
    def head(self) -> Head:
        """The last row that is durable."""
        ...

    def recall(self, keys: Collection[str]) -> dict[str, Reply]:
        """The replies kept under those of `keys` that were used."""
        ...

    def append(self, rows: Sequence[Row], replies: Mapping[int, tuple[str, Reply]]) -> None:
        """Append all of `rows` or none; durable on return.

        `replies` holds, by the number of a submission's first row, its idempotency key and what it was answered.
        Raises OutOfSequence when the rows do not continue the log. Any other exception leaves it unknown whether the
        rows are stored: nothing may be appended with this pen again.
        """
        ...

    def tidy(self) -> None:
        """Housekeeping that is due after an append (a checkpoint). A failure of it is as final as one of `append`."""
        ...

    def close(self, *, failed: bool = False) -> None:
        """Give the right up. After a failure what is on the disk is left as it is."""
        ...


class Log(Protocol):
    """A store of logs. All of it may be called from any thread and process."""

    def tenants(self) -> list[str]:
        """The names of all tenants, sorted."""
        ...

    def create(self, tenant: str) -> None:
        """Make the tenant if it is not there. Raises BadName."""
        ...

    def head(self, tenant: str) -> Head:
        """The last row; `EMPTY` when there is none. Needs no index either. Raises UnknownTenant."""
        ...

    def read(self, tenant: str, start: int = 0) -> Iterator[Row]:
        """The rows from number `start` on, in order, as they were when the reading began.

        Uses no index that could be damaged. Raises UnknownTenant at once, LogDamaged at the row that cannot be read.
        """
        ...

    def pen(self, tenant: str) -> Pen:
        """The right to append. Raises TenantBusy when it is taken, UnknownTenant."""
        ...

    def rebuild(self, tenant: str) -> None:
        """Make all that is derived from the log (the indexes) anew, also when it is damaged.

        Raises UnknownTenant, and TenantBusy while somebody holds the right to append.
        """
        ...

    def token_put(self, digest: bytes, token: Token) -> None:
        """Keep what the token whose SHA-256 is `digest` allows, valid at once for every process."""
        ...

    def token_get(self, digest: bytes) -> Token | None:
        """What the token allows, whether or not it has expired; None when there is no such token."""
        ...

    def close(self) -> None:
        """Release what is held. Pens are closed by those who hold them."""
        ...


def check_tenant(name: str) -> str:
    """`name`, when it can name a tenant: 1 to 63 of ASCII letters, digits and ``._-``, a letter or digit first."""
    if not _TENANT.fullmatch(name):
        raise BadName(f"not a tenant's name: {name[:80]!r} (1 to 63 letters, digits, '.', '_', '-'; no sign first)")
    return name


def path_name(tenant: str) -> str:
    """The tenant's name as part of a path: distinct also where case is not told apart, and never hidden or a parent."""
    return re.sub(r"[A-Z.]", lambda match: f"%{ord(match[0]):02x}", check_tenant(tenant))


def tenant_of(path: str) -> str:
    """The inverse of `path_name`."""
    return re.sub(r"%([0-9a-f]{2})", lambda match: chr(int(match[1], 16)), path)


def continues(head: Head, rows: Sequence[Row]) -> Head:
    """The head after `rows`, which must continue `head` row by row. Raises OutOfSequence."""
    for row in rows:
        if row.seq != head.seq + 1:
            raise OutOfSequence(f"row {row.seq} does not follow row {head.seq}")
        if row.prev != head.hash:
            raise OutOfSequence(f"row {row.seq} names another predecessor than row {head.seq}")
        if row.hash != link(row.prev, row.record):
            raise OutOfSequence(f"row {row.seq} does not have the hash of its record")
        head = Head(row.seq, row.hash)
    return head


def dense(tenant: str, rows: Iterable[Row], start: int) -> Iterator[Row]:
    """`rows` as they come, numbered from `start`. Raises LogDamaged at the first that is not."""
    for expected, row in enumerate(rows, start):
        if row.seq != expected:
            raise LogDamaged(f"tenant {tenant}: row {expected} is missing")
        yield row
