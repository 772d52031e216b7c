"""A client's transport that hands requests to an application in this process: the service without a socket."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Coroutine
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    import httpx
    from starlette.applications import Starlette

T = TypeVar("T")


def in_process(app: Starlette) -> httpx.BaseTransport:
    """A transport for `LedgerClient`. The application runs in a thread, from now until the transport is closed."""
    import httpx

    class Transport(httpx.BaseTransport):
        def __init__(self) -> None:
            self._served = _Served(app)
            self._inner = httpx.ASGITransport(app)

        def handle_request(self, request: httpx.Request) -> httpx.Response:
            request.read()
            return self._served.run(self._answer(request))

        async def _answer(self, request: httpx.Request) -> httpx.Response:
            response = await self._inner.handle_async_request(request)
            content = await response.aread()
            return httpx.Response(response.status_code, headers=response.headers, content=content)

        def close(self) -> None:
            self._served.close()

    return Transport()


class _Served:
    """An application between its start and its shutdown, on an event loop in a thread of its own."""

    def __init__(self, app: Starlette) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="ledger in process", daemon=True)
        self._thread.start()
        self._lifespan = app.router.lifespan_context(app)
        self.run(self._lifespan.__aenter__())

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()

    def close(self) -> None:
        if self._loop.is_closed():
            return
        self.run(self._lifespan.__aexit__(None, None, None))
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()
