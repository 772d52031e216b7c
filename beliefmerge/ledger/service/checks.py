"""What is checked of a request before its handler sees it, in one order: 401, 403, 400, 422, and 404 for tenants."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Callable
from hashlib import sha256
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import parse_qsl

import msgspec

from beliefmerge.ledger.core.canonical import Malformed, NotHashable, canonical, parse
from beliefmerge.ledger.service import body
from beliefmerge.ledger.service.ledger import refusing
from beliefmerge.ledger.service.limits import Limits
from beliefmerge.ledger.service.operation import Call, Operation
from beliefmerge.ledger.service.refusal import Kind, Refusal, not_found
from beliefmerge.ledger.service.roles import EVERY, Grant, Role, digest
from beliefmerge.ledger.wire import Body, Nothing

if TYPE_CHECKING:
    from starlette.requests import Request

    from beliefmerge.ledger.service.ledger import Ledger

T = TypeVar("T")

TENANT_HEADERS = ("x-tenant", "x-tenant-id", "tenant", "tenant-id")
_KEY = re.compile(r"[!-~]{1,128}")
_HASH = re.compile(r"[0-9a-f]{64}")
_LARGE = 1 << 16
"""Bytes of a body that are read in a few milliseconds, whatever they say."""
_CHALLENGE = {"WWW-Authenticate": "Bearer"}


async def checked(operation: Operation, request: Request, parameter: str, ledger: Ledger, limits: Limits) -> Call[Any]:
    """The call that `request` is; raises Refusal with the first check that fails."""
    grant = await _authenticated(request, ledger)
    if grant.role not in (operation.roles or ()):
        raise Refusal(Kind.FORBIDDEN, f"a token of role {grant.role} may not {operation.method} {operation.path}")
    value: Any = {}
    size = 0
    if operation.body is not None:
        raw = await body.whole(request, limits.body_bytes, limits.body_time)
        size = len(raw)
        value = await _aside(size, lambda: _parsed(raw, optional=operation.body is Nothing))
    if operation.parameter == "hash" and not _HASH.fullmatch(parameter):
        raise Refusal(Kind.MALFORMED, "a blob's address is 64 lowercase hexadecimal digits")
    content, fields = await _aside(size, lambda: _validated(operation.body or Nothing, value))
    _check_query(request)
    key = _idempotency_key(request)
    _check_tenant(request, fields, grant.tenant)
    asked = b"\0".join([operation.path.encode(), parameter.encode("utf-8", "surrogateescape"), content])
    return Call(ledger, request, grant.tenant, fields, parameter, limits, key, sha256(asked).digest())


async def _authenticated(request: Request, ledger: Ledger) -> Grant:
    """Whose token it is. Tokens are looked up by digest: what the time of a look-up tells is of no use to a guesser."""
    given = request.headers.getlist("authorization")
    scheme, _, token = (given[0] if len(given) == 1 else "").partition(" ")
    if scheme.lower() != "bearer" or not token.strip():
        raise Refusal(Kind.UNAUTHENTICATED, "a bearer token is needed", _CHALLENGE)
    with refusing():
        found = await asyncio.to_thread(ledger.log.token_get, digest(token.strip()))
    if found is None or found.expires_ms <= time.time_ns() // 1_000_000 or found.role not in EVERY:
        raise Refusal(Kind.UNAUTHENTICATED, "the token is unknown or has expired", _CHALLENGE)
    return Grant(Role(found.role), found.tenant)


async def _aside(size: int, work: Callable[[], T]) -> T:
    """Do `work` on a body of `size` bytes: in a thread where it could keep everybody else waiting."""
    return work() if size < _LARGE else await asyncio.to_thread(work)


def _parsed(raw: bytes, *, optional: bool) -> Any:
    if optional and not raw:
        return {}
    try:
        return parse(raw)
    except Malformed as error:
        raise Refusal(Kind.MALFORMED, str(error)) from None


def _validated(kind: type[Body], value: Any) -> tuple[bytes, Body]:
    """The canonical bytes of `value`, and what it says as a `kind`."""
    try:
        return canonical(value), msgspec.convert(value, kind)
    except (NotHashable, msgspec.ValidationError) as error:
        raise Refusal(Kind.INVALID, str(error)) from None


def _check_query(request: Request) -> None:
    for name, _ in _query(request):
        if name != "tenant":
            raise Refusal(Kind.INVALID, f"unknown query parameter {name[:80]!r}")


def _query(request: Request) -> list[tuple[str, str]]:
    return parse_qsl(request.url.query, keep_blank_values=True)


def _idempotency_key(request: Request) -> str | None:
    keys = request.headers.getlist("idempotency-key")
    if not keys:
        return None
    if len(keys) > 1 or not _KEY.fullmatch(keys[0]):
        raise Refusal(Kind.INVALID, "Idempotency-Key: one to 128 printable ASCII characters, given once")
    return keys[0]


def _check_tenant(request: Request, fields: Body, own: str) -> None:
    """Any other tenant than the token's own, named anywhere, is not found: whether it exists is nobody's business."""
    named = [value for _, value in _query(request)]
    named += [value for header in TENANT_HEADERS for value in request.headers.getlist(header)]
    named += [fields.tenant] if fields.tenant is not None else []
    if any(name != own for name in named):
        raise not_found()
