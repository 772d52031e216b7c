"""The body of a refusal, which the ``openai`` package reads whole before anybody can say how much is enough."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

from beliefmerge.llm.faults import cause_of
from beliefmerge.llm.protocol import ModelError

MAX_REFUSAL = 64 << 10
"""Bytes on the wire."""


def cut_refusals(response: Any) -> None:
    """A response hook of the HTTP library: reading a refusal of more than `MAX_REFUSAL` bytes raises ModelError."""
    if not response.is_success:
        response.stream = _bounded(response)


def _bounded(response: Any) -> Any:
    """The stream of `response`. Its class is the HTTP library's, of which the ``openai`` package has used two."""
    library: Any = sys.modules[type(response).__module__.partition(".")[0]]
    stream, status, where = response.stream, response.status_code, response.request.url.host

    class Bounded(library.SyncByteStream):  # type: ignore[misc]
        def __iter__(self) -> Iterator[bytes]:
            size = 0
            for part in stream:
                size += len(part)
                if size > MAX_REFUSAL:
                    message = f"{where} answers {status} and more than {MAX_REFUSAL >> 10} KiB"
                    raise ModelError(cause_of(status), message)
                yield part

        def close(self) -> None:
            stream.close()

    return Bounded()
