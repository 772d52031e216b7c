"""One operation of the API as data: from it come the route, the checks before the handler, and the OpenAPI entry."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeAlias, TypeVar

from msgspec import Struct

from beliefmerge.ledger.service.limits import Limits
from beliefmerge.ledger.service.refusal import Kind
from beliefmerge.ledger.service.roles import EVERY, Role
from beliefmerge.ledger.wire import Body, Nothing

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from beliefmerge.ledger.service.ledger import Ledger

B = TypeVar("B", bound=Body)
Handler: TypeAlias = "Callable[[Call[Any]], Awaitable[Struct | Response]]"


@dataclass(frozen=True, slots=True)
class Operation:
    """`method` and `path` (with at most one parameter, its last segment), who may call it, what goes in and out.

    `body` None: the handler reads the body itself, or there is none. `answer`: a Struct, sent as JSON, or a media type.
    `refusals`: those beyond what each operation may answer.
    """

    method: str
    path: str
    summary: str
    handler: Handler
    answer: type[Struct] | str
    roles: frozenset[Role] | None = EVERY
    body: type[Body] | None = Nothing
    writes: bool = False
    refusals: frozenset[Kind] = frozenset()

    @property
    def prefix(self) -> str:
        """The path up to its parameter."""
        return self.path.partition("{")[0]

    @property
    def parameter(self) -> str | None:
        """The name of the path's parameter, if it has one."""
        name = self.path.partition("{")[2].rstrip("}")
        return name or None


@dataclass(frozen=True, slots=True)
class Call(Generic[B]):
    """A request that was authenticated, authorised, parsed and validated."""

    ledger: Ledger
    request: Request
    tenant: str
    """The token's tenant; empty where no token is asked for."""
    body: B
    parameter: str
    limits: Limits
    key: str | None
    """The idempotency key."""
    digest: bytes
    """SHA-256 of what is asked for: operation, parameter, canonical body."""
