"""The end of a server's input, held back until what was read before it is answered.

The `mcp` package cancels what runs when its input ends; a client that writes its requests and closes, as a shell's pipe
does, would lose the answers.
"""

from __future__ import annotations

from collections import Counter
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

import anyio

if TYPE_CHECKING:
    from mcp.shared.message import SessionMessage


class Unanswered:
    """The requests that were read and not yet answered, of a connection whose streams go through `reading` and
    `writing`. One that the client cancels gets no answer and is none of them.
    """

    def __init__(self) -> None:
        self._open: Counter[str | int] = Counter()
        self._changed = anyio.Event()

    def reading(self, stream: Any) -> _Reading:
        """`stream` of a client's messages, whose end comes when nothing is unanswered."""
        return _Reading(stream, self)

    def writing(self, stream: Any) -> _Writing:
        """`stream` of the messages to the client."""
        return _Writing(stream, self)

    def read(self, item: SessionMessage | Exception) -> None:
        """Take note of what came in."""
        from mcp.types import JSONRPCNotification, JSONRPCRequest

        message = None if isinstance(item, Exception) else item.message
        if isinstance(message, JSONRPCRequest):
            self._open[_correlated(message.id)] += 1
        elif isinstance(message, JSONRPCNotification) and message.method == "notifications/cancelled":
            self._settle((message.params or {}).get("requestId"))

    def written(self, item: SessionMessage) -> None:
        """Take note of what went out."""
        self._settle(getattr(item.message, "id", None))

    async def none(self) -> None:
        """Wait until nothing is unanswered."""
        while self._open:
            self._changed = anyio.Event()
            await self._changed.wait()

    def _settle(self, id: Any) -> None:
        if not isinstance(id, str | int):
            return
        self._open[_correlated(id)] -= 1
        self._open = +self._open
        self._changed.set()


def _correlated(id: str | int) -> str | int:
    """`id` as the `mcp` package compares it: "7" and 7 are one."""
    try:
        return int(id)
    except ValueError:
        return id


class _Stream:
    def __init__(self, stream: Any, unanswered: Unanswered) -> None:
        self._stream, self._unanswered = stream, unanswered

    async def aclose(self) -> None:
        await self._stream.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()


class _Reading(_Stream):
    async def receive(self) -> SessionMessage | Exception:
        try:
            item: SessionMessage | Exception = await self._stream.receive()
        except anyio.EndOfStream:
            await self._unanswered.none()
            raise
        self._unanswered.read(item)
        return item

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> SessionMessage | Exception:
        try:
            return await self.receive()
        except anyio.EndOfStream:
            raise StopAsyncIteration from None


class _Writing(_Stream):
    async def send(self, item: SessionMessage, /) -> None:
        await self._stream.send(item)
        self._unanswered.written(item)
