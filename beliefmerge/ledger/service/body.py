"""Reading a request's body: never more than the limit, never longer than the time."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from typing import TYPE_CHECKING

from beliefmerge.ledger.service.limits import BodyTime
from beliefmerge.ledger.service.refusal import Kind, Refusal

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.types import Message, Receive

_CLOSE = {"Connection": "close"}
"""What has not been read of a refused body is not waited for."""


async def receive(request: Request, sink: Callable[[bytes], object], limit: int, time: BodyTime) -> int:
    """Hand the body to `sink` chunk by chunk; returns its size in bytes.

    Raises Refusal: too large, as soon as its declared or received size is over `limit`; too slow, when `time` is up.
    """
    declared = request.headers.get("content-length", "")
    if declared.isdecimal() and int(declared) > limit:
        raise _too_large(limit)
    size = 0
    now = asyncio.get_running_loop().time
    end = now() + time.seconds
    try:
        async with asyncio.timeout(min(time.seconds, time.idle_seconds)) as left:
            async for chunk in request.stream():
                left.reschedule(min(end, now() + time.idle_seconds))
                size += len(chunk)
                if size > limit:
                    raise _too_large(limit)
                sink(chunk)
    except TimeoutError:
        said = f"the body did not arrive within {time.seconds:g} s, or paused for {time.idle_seconds:g} s"
        raise Refusal(Kind.TOO_SLOW, said, _CLOSE) from None
    return size


async def whole(request: Request, limit: int, time: BodyTime) -> bytes:
    """The body in one piece; raises as ``receive`` does."""
    body = bytearray()
    await receive(request, body.extend, limit, time)
    return bytes(body)


class Incoming:
    """An ASGI receive channel that knows whether the body has ended."""

    def __init__(self, receive: Receive) -> None:
        self._receive = receive
        self.ended = False

    async def __call__(self) -> Message:
        """The next message."""
        message = await self._receive()
        self.ended = message["type"] != "http.request" or not message.get("more_body", False)
        return message

    async def drop(self, limit: int, seconds: float) -> bool:
        """Read and drop what is left, up to `limit` bytes and `seconds`; whether the end was reached.

        A connection that is closed with bytes unread is reset, and the sender may never see why it was refused.
        """
        dropped = 0
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while not self.ended and dropped <= limit:
                    dropped += len((await self()).get("body", b""))
        return self.ended


def announced(request: Request) -> bool:
    """Whether the request's head announces a body."""
    return "transfer-encoding" in request.headers or request.headers.get("content-length", "0") != "0"


def framed_twice(request: Request) -> bool:
    """Whether the head says in two ways where the body ends: what stands between may have read the other one."""
    return "transfer-encoding" in request.headers and "content-length" in request.headers


def _too_large(limit: int) -> Refusal:
    return Refusal(Kind.TOO_LARGE, f"the body is over {limit} bytes", _CLOSE)
