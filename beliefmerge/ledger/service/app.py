"""The ASGI application: finds the operation, has the request checked, runs the handler, words the answer."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Iterable
from typing import TYPE_CHECKING, Any

import msgspec

from beliefmerge.ledger.service import body
from beliefmerge.ledger.service.checks import checked
from beliefmerge.ledger.service.limits import Limits
from beliefmerge.ledger.service.operation import Call, Operation
from beliefmerge.ledger.service.refusal import Kind, Refusal, not_found
from beliefmerge.ledger.wire import Nothing, Problem

if TYPE_CHECKING:
    from starlette.applications import Starlette
    from starlette.requests import Request
    from starlette.responses import Response
    from starlette.types import Receive, Scope, Send

    from beliefmerge.ledger.service.ledger import Ledger

log = logging.getLogger("beliefmerge.ledger")

_STOPPING = Problem(
    kind=Kind.UNAVAILABLE.word,
    text="the service stops before this was answered; asked again with the same Idempotency-Key, it is done once",
)


def application(ledger: Ledger, limits: Limits | None = None) -> Starlette:
    """The service over an opened ledger, which is closed when the application is shut down."""
    from starlette.applications import Starlette

    from beliefmerge.ledger.service.endpoints import OPERATIONS

    @contextlib.asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        yield
        await ledger.close()

    app = Starlette(lifespan=lifespan)
    # Not a route: the pattern of one that takes all paths does not take a path with a line break in it.
    app.router.default = Dispatch(ledger, limits or Limits(), OPERATIONS)
    return app


class Dispatch:
    """Routes by the table of operations. A path's parameter is all that follows its prefix, as it came: what a router
    would have split, normalised or stripped, the check of the parameter must see.
    """

    def __init__(self, ledger: Ledger, limits: Limits, operations: Iterable[Operation]) -> None:
        self._ledger, self._limits = ledger, limits
        self._exact: dict[str, dict[str, Operation]] = {}
        self._prefixed: dict[str, dict[str, Operation]] = {}
        for operation in operations:
            table = self._prefixed if operation.parameter else self._exact
            table.setdefault(operation.prefix, {})[operation.method] = operation

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one HTTP request."""
        from starlette.requests import ClientDisconnect, Request

        incoming = body.Incoming(receive)
        # Who is cut off, by leaving or by a stop of the service, gets no more than what has been sent.
        with contextlib.suppress(ClientDisconnect, asyncio.CancelledError):
            try:
                response = await self._respond(Request(scope, incoming), incoming)
            except asyncio.CancelledError:
                response = _json(_STOPPING, Kind.UNAVAILABLE.status, {"Connection": "close", "Retry-After": "1"})
            await response(scope, receive, send)

    async def _respond(self, request: Request, incoming: body.Incoming) -> Response:
        from starlette.requests import ClientDisconnect

        try:
            return await self._answer(request)
        except Refusal as refusal:
            return await self._refused(request, incoming, refusal)
        except ClientDisconnect:
            raise
        except Exception:
            log.exception("%s %s", request.method, request.url.path)
            return await self._refused(request, incoming, Refusal(Kind.INTERNAL, "a fault of the service"))

    async def _answer(self, request: Request) -> Response:
        if body.framed_twice(request):
            raise Refusal(Kind.MALFORMED, "Content-Length and Transfer-Encoding: one of them", {"Connection": "close"})
        path: str = request.scope["path"]
        methods, parameter = self._find(path)
        operation = methods.get(request.method)
        if operation is None:
            raise Refusal(Kind.WRONG_METHOD, f"{request.method} is not taken here", {"Allow": ", ".join(methods)})
        if operation.roles is None:
            call: Call[Any] = Call(self._ledger, request, "", Nothing(), parameter, self._limits, None, b"")
        else:
            call = await checked(operation, request, parameter, self._ledger, self._limits)
        answer = await operation.handler(call)
        return _json(answer) if isinstance(answer, msgspec.Struct) else answer

    def _find(self, path: str) -> tuple[dict[str, Operation], str]:
        if path in self._exact:
            return self._exact[path], ""
        for prefix, methods in self._prefixed.items():
            if path.startswith(prefix):
                return methods, path.removeprefix(prefix)
        raise not_found()

    async def _refused(self, request: Request, incoming: body.Incoming, refusal: Refusal) -> Response:
        """The refusal as an answer. Where the body's end is not in sight, the connection is closed after it."""
        headers = dict(refusal.headers)
        if body.announced(request) and not incoming.ended and "Connection" not in headers:
            # Who waits for leave to send has sent nothing that could be dropped.
            waits = "expect" in request.headers
            if waits or not await incoming.drop(self._limits.linger_bytes, self._limits.linger_seconds):
                headers["Connection"] = "close"
        return _json(Problem(kind=refusal.kind.word, text=refusal.text), refusal.kind.status, headers)


def _json(answer: msgspec.Struct, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    from starlette.responses import Response

    content = msgspec.json.encode(answer)
    kept = {"Cache-Control": "no-store", **(headers or {})}
    return Response(content, status, kept, media_type="application/json")
