"""A client's transport that hands requests to an application in this process: the service without a socket."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Coroutine, Iterator
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    import httpx
    from starlette.applications import Starlette

T = TypeVar("T")


@contextlib.contextmanager
def in_process(app: Starlette) -> Iterator[httpx.BaseTransport]:
    """A transport for any number of `LedgerClient`s. The application runs in a thread and is shut down at the end."""
    import httpx

    inner = httpx.ASGITransport(app)

    async def answer(request: httpx.Request) -> httpx.Response:
        response = await inner.handle_async_request(request)
        content = await response.aread()
        return httpx.Response(response.status_code, headers=response.headers, content=content)

    def handle(request: httpx.Request) -> httpx.Response:
        request.read()
        return run(answer(request))

    with _loop() as run:
        lifespan = app.router.lifespan_context(app)
        run(lifespan.__aenter__())
        try:
            yield httpx.MockTransport(handle)
        finally:
            run(lifespan.__aexit__(None, None, None))


class _Run:
    """Runs a coroutine to its end on an event loop in another thread."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop

    def __call__(self, work: Coroutine[Any, Any, T]) -> T:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()


@contextlib.contextmanager
def _loop() -> Iterator[_Run]:
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, name="ledger in process", daemon=True)
    thread.start()
    try:
        yield _Run(loop)
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()
