"""A tenant's log as one self-contained file: a header, each row with its exact bytes, a signed head."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from beliefmerge.ledger.service.signing import Signer
from beliefmerge.ledger.store.log import EMPTY, Head, Log, Row

PIECE = 1 << 16
"""Bytes after which lines are handed on."""


def export(log: Log, tenant: str, signer: Signer) -> Iterator[bytes]:
    """The lines, some at a time. Needs nothing but the rows: no state is folded and no index read.

    What is signed at the end is what was read, so the file is whole in itself while others write. Raises UnknownTenant
    at once, LogDamaged at a row that is missing: then there is no signed head.
    """
    return _pieces(_lines(log.read(tenant), tenant, signer))


def _lines(rows: Iterator[Row], tenant: str, signer: Signer) -> Iterator[bytes]:
    yield msgspec.json.encode({"kind": "header", "v": 1, "tenant": tenant, "public_key": signer.public_key})
    head = EMPTY
    for row in rows:
        # Damaged bytes must not keep the rest from being exported: they no longer have the hash beside them.
        record = row.record.decode("utf-8", "replace")
        line = {"seq": row.seq, "prev": row.prev.hex(), "hash": row.hash.hex(), "record": record}
        yield msgspec.json.encode(line)
        head = Head(row.seq, row.hash)
    yield msgspec.json.encode(signer.sign(tenant, head))


def _pieces(lines: Iterator[bytes]) -> Iterator[bytes]:
    piece = bytearray()
    for line in lines:
        piece += line
        piece += b"\n"
        if len(piece) >= PIECE:
            yield bytes(piece)
            piece.clear()
    if piece:
        yield bytes(piece)
