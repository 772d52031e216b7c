"""The lines of an export, as docs/ledger-format.md describes them: a header, one line a row, a signed head."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeAlias

import msgspec

from beliefmerge.ledger.core.chain import GENESIS
from beliefmerge.ledger.core.heads import statement

Sign: TypeAlias = Callable[[bytes], bytes]
"""Ed25519 (RFC 8032): a message to the 64 bytes of its signature."""


def header_line(tenant: str, public_key: str) -> bytes:
    """The first line. `public_key` is in hex."""
    return _line({"kind": "header", "v": 1, "tenant": tenant, "public_key": public_key})


def row_line(seq: int, prev: bytes, digest: bytes, record: bytes) -> bytes:
    """The line of a row; the exact stored bytes of the record are the value of ``record``, whatever they are."""
    named = prev.hex().encode(), digest.hex().encode()
    return b'{"seq":%d,"prev":"%s","hash":"%s","record":%s}\n' % (seq, *named, record)


def head_line(tenant: str, seq: int, digest: bytes, public_key: str, sign: Sign) -> bytes:
    """The last line, and what a checkpoint file holds: the head (−1 and 32 zero bytes for an empty log), signed."""
    named = {"kind": "head", "tenant": tenant, "seq": seq, "hash": digest.hex(), "public_key": public_key}
    return _line({**named, "signature": sign(statement(tenant, seq, digest.hex())).hex()})


def lines(tenant: str, rows: Iterable[tuple[int, bytes, bytes, bytes]], public_key: str, sign: Sign) -> Iterator[bytes]:
    """A whole export of `rows`: sequence number, previous hash, hash, record."""
    yield header_line(tenant, public_key)
    seq, digest = -1, GENESIS
    for seq, prev, digest, record in rows:
        yield row_line(seq, prev, digest, record)
    yield head_line(tenant, seq, digest, public_key, sign)


def _line(value: dict[str, object]) -> bytes:
    return msgspec.json.encode(value) + b"\n"
