"""A tenant's log as one self-contained file: a header, each row with its exact bytes, a signed head."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Generator, Iterator, Mapping
from typing import TYPE_CHECKING, TypeAlias

from beliefmerge.ledger.core.export import lines
from beliefmerge.ledger.service.signing import Signer
from beliefmerge.ledger.store.log import Log

if TYPE_CHECKING:
    from starlette.responses import Response
    from starlette.types import Receive, Scope, Send

Pieces: TypeAlias = Generator[bytes, None, None]

PIECE = 1 << 16
"""Bytes after which lines are handed on."""


def export(log: Log, tenant: str, signer: Signer) -> Pieces:
    """The lines, some at a time. Needs nothing but the rows: no state is folded and no index read.

    What is signed at the end is what was read, so the file is whole in itself while others write. Raises UnknownTenant
    at once, LogDamaged at a row that is missing: then there is no signed head.
    """
    return _pieces(lines(tenant, log.read(tenant), signer.public_key, signer.sign_bytes))


def _pieces(lines: Iterator[bytes]) -> Pieces:
    piece = bytearray()
    for line in lines:
        piece += line
        if len(piece) >= PIECE:
            yield bytes(piece)
            piece.clear()
    if piece:
        yield bytes(piece)


def streamed(pieces: Pieces, media_type: str, headers: Mapping[str, str]) -> Response:
    """An answer that lets go of what `pieces` are read from as soon as it ends or is cut off."""
    from starlette.responses import StreamingResponse

    def close() -> None:
        with contextlib.suppress(ValueError):  # a thread is at the next piece still: it drops them itself
            pieces.close()

    class Streamed(StreamingResponse):
        async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
            try:
                await super().__call__(scope, receive, send)
            finally:
                asyncio.get_running_loop().run_in_executor(None, close)

    return Streamed(pieces, media_type=media_type, headers=headers)
