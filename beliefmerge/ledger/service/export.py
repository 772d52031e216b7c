"""A tenant's log as one self-contained file: a header, each row with its exact bytes, a signed head."""

from __future__ import annotations

from collections.abc import Iterator

from beliefmerge.ledger.core.export import lines
from beliefmerge.ledger.service.signing import Signer
from beliefmerge.ledger.store.log import Log

PIECE = 1 << 16
"""Bytes after which lines are handed on."""


def export(log: Log, tenant: str, signer: Signer) -> Iterator[bytes]:
    """The lines, some at a time. Needs nothing but the rows: no state is folded and no index read.

    What is signed at the end is what was read, so the file is whole in itself while others write. Raises UnknownTenant
    at once, LogDamaged at a row that is missing: then there is no signed head.
    """
    return _pieces(lines(tenant, log.read(tenant), signer.public_key, signer.sign_bytes))


def _pieces(lines: Iterator[bytes]) -> Iterator[bytes]:
    piece = bytearray()
    for line in lines:
        piece += line
        if len(piece) >= PIECE:
            yield bytes(piece)
            piece.clear()
    if piece:
        yield bytes(piece)
