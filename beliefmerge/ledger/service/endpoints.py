"""The operations of the API and their handlers: from a checked call to an answer."""

from __future__ import annotations

import base64
import binascii
from typing import TYPE_CHECKING, Any

import msgspec

from beliefmerge import __version__
from beliefmerge.ledger.core import views
from beliefmerge.ledger.core.domains import url_fault
from beliefmerge.ledger.core.entries import Observation, decode
from beliefmerge.ledger.core.views import Audit
from beliefmerge.ledger.service import body, writes
from beliefmerge.ledger.service.books import Books
from beliefmerge.ledger.service.export import export as exported
from beliefmerge.ledger.service.export import streamed
from beliefmerge.ledger.service.ledger import refusing
from beliefmerge.ledger.service.openapi import document, page
from beliefmerge.ledger.service.operation import Call, Operation
from beliefmerge.ledger.service.refusal import Kind, Refusal, not_found
from beliefmerge.ledger.service.replay import Replayed, replay
from beliefmerge.ledger.service.roles import Role
from beliefmerge.ledger.store.log import Head as Last
from beliefmerge.ledger.wire import (
    Commit,
    Context,
    Contradict,
    Found,
    Head,
    Health,
    Judged,
    Measure,
    Measured,
    Nothing,
    Place,
    Restore,
    Seal,
    Sealed,
    SignedHead,
    Stored,
    Written,
)

if TYPE_CHECKING:
    from starlette.responses import Response

JSON = "application/json"
LINES = "application/jsonl"
OCTETS = "application/octet-stream"
HTML = "text/html"

_UNTRUSTED = {"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff"}
"""With what others wrote: it is data, whatever it looks like."""
_STYLE_ONLY = "default-src 'none'; style-src 'unsafe-inline'"
_TRUST = frozenset({Role.VERIFIER})
_READ = frozenset({Role.AUDITOR, Role.VERIFIER})
_STORE = frozenset({Role.SEALER, Role.ATTRIBUTOR})


async def seal(call: Call[Seal]) -> Response:
    """The content is durable before the entry that names it."""
    asked = call.body
    fault = url_fault(asked.url) if asked.url is not None else None
    if fault:
        raise Refusal(Kind.INVALID, f"url: {fault}")
    if asked.content_hash is not None:
        if asked.content is not None or asked.content_base64 is not None:
            raise Refusal(Kind.INVALID, "content and content_hash: one of them")
        await call.ledger.blob(call.tenant, asked.content_hash)
        digest = asked.content_hash
    else:
        digest = await call.ledger.put_blob(call.tenant, _content(asked))
    return await _write(call, writes.sealing(asked, digest))


async def commit(call: Call[Commit]) -> Response:
    """A derivation or a conjecture."""
    return await _write(call, writes.commitment(call.body))


async def contradict(call: Call[Contradict]) -> Response:
    """The contradiction and, when it passes, all that the pass brings, in one batch."""
    return await _write(call, writes.contradiction(call.body))


async def restore(call: Call[Restore]) -> Response:
    """The explicit undoing of a pass."""
    return await _write(call, writes.restoration(call.body))


async def measure(call: Call[Measure]) -> Response:
    """All edges of the request, or none."""
    return await _write(call, writes.measurement(call.body))


async def checkpoint(call: Call[Nothing]) -> Response:
    """The signed head of what precedes the checkpoint."""
    return await _write(call, writes.checkpoint(call.ledger.signer))


async def replay_audit(call: Call[Nothing]) -> Response:
    """The content is acquired or hashed again outside the writer; what came of it is recorded as a finding."""
    ledger, tenant, name = call.ledger, call.tenant, call.parameter
    place = await ledger.ask(tenant, lambda books, _: books.seal(name))
    sealed = await ledger.run(lambda: decode(next(ledger.log.read(tenant, place)).record))
    if not isinstance(sealed, Observation):
        raise not_found()
    seal: Observation = sealed

    def again() -> Replayed:
        return replay(seal, lambda: ledger.blobs.get(tenant, seal.content_hash), ledger.reach)

    return await _write(call, writes.finding(name, await ledger.run(again, outside=True)))


async def put_blob(call: Call[Nothing]) -> Stored:
    """A content too large for a seal, streamed to the store."""
    limits = call.limits
    sink = await call.ledger.run(lambda: call.ledger.blobs.open(call.tenant, limit=limits.blob_bytes))
    with refusing(), sink:
        size = await body.receive(call.request, sink.write, limits.blob_bytes, limits.blob_time)
        return Stored(hash=await call.ledger.run(sink.commit), size=size)


async def blob(call: Call[Nothing]) -> Response:
    """A content, to its own tenant only."""
    from starlette.responses import Response

    content = await call.ledger.blob(call.tenant, call.parameter)
    return Response(content, media_type=OCTETS, headers=_UNTRUSTED)


async def context(call: Call[Nothing]) -> Context:
    """All entries that claim something, with what they are worth now."""

    def question(books: Books, last: Last) -> Context:
        place = Place(seq=last.seq, hash=last.hash.hex())
        return Context(tenant=call.tenant, head=place, entries=views.context(books.state))

    return await call.ledger.ask(call.tenant, question)


async def audit(call: Call[Nothing]) -> Audit:
    """What stands behind the context."""
    return await call.ledger.ask(call.tenant, lambda books, _: views.audit(books.state))


async def head(call: Call[Nothing]) -> Head:
    """The end of the chain."""
    last = await call.ledger.ask(call.tenant, lambda _, head: head)
    key = call.ledger.signer.public_key
    return Head(tenant=call.tenant, seq=last.seq, hash=last.hash.hex(), public_key=key)


async def export(call: Call[Nothing]) -> Response:
    """The log as it is stored, from the store itself: no state is needed, so no damage to one is in the way."""
    ledger = call.ledger
    pieces = await ledger.run(lambda: exported(ledger.log, call.tenant, ledger.signer))
    return streamed(pieces, LINES, _UNTRUSTED)


async def health(call: Call[Nothing]) -> Response:
    """Whether writes are taken."""
    from starlette.responses import Response

    stopped = call.ledger.stopped
    state = Health(status="stopped" if stopped else "ok", version=__version__)
    return Response(msgspec.json.encode(state), 503 if stopped else 200, media_type=JSON)


async def openapi(_: Call[Nothing]) -> Response:
    """The document for programs."""
    from starlette.responses import Response

    return Response(msgspec.json.encode(document(OPERATIONS, __version__)), media_type=JSON)


async def docs(_: Call[Nothing]) -> Response:
    """The page for people."""
    from starlette.responses import HTMLResponse

    return HTMLResponse(page(OPERATIONS, __version__), headers={"Content-Security-Policy": _STYLE_ONLY})


async def _write(call: Call[Any], work: writes.Work) -> Response:
    from starlette.responses import Response

    answer = await call.ledger.write(call.tenant, work, call.key, call.digest)
    return Response(answer, media_type=JSON, headers={"Cache-Control": "no-store"})


def _content(asked: Seal) -> bytes:
    if asked.content_base64 is None:
        return (asked.text if asked.content is None else asked.content).encode()
    if asked.content is not None:
        raise Refusal(Kind.INVALID, "content and content_base64: one of them")
    try:
        return base64.b64decode(asked.content_base64, validate=True)
    except (binascii.Error, ValueError) as error:
        raise Refusal(Kind.INVALID, f"content_base64: {error}") from None


OPERATIONS = (
    Operation(
        "POST",
        "/seal",
        "Seal what a tool returned.",
        seal,
        Sealed,
        roles=frozenset({Role.SEALER}),
        body=Seal,
        writes=True,
    ),
    Operation("POST", "/blob", "Store a content too large for a seal.", put_blob, Stored, roles=_STORE, body=None),
    Operation(
        "POST",
        "/entry",
        "Commit a derivation or a conjecture.",
        commit,
        Written,
        roles=frozenset({Role.AGENT}),
        body=Commit,
        writes=True,
    ),
    Operation(
        "POST",
        "/contradiction",
        "Contradict an entry by sealed origins; the quorum decides.",
        contradict,
        Judged,
        roles=_TRUST,
        body=Contradict,
        writes=True,
    ),
    Operation("POST", "/restoration", "Undo a pass.", restore, Written, roles=_TRUST, body=Restore, writes=True),
    Operation(
        "POST",
        "/edges/measured",
        "Record measured edges.",
        measure,
        Measured,
        roles=frozenset({Role.ATTRIBUTOR}),
        body=Measure,
        writes=True,
    ),
    Operation(
        "POST",
        "/checkpoint",
        "Have the head signed, to be kept elsewhere.",
        checkpoint,
        SignedHead,
        roles=frozenset({Role.AUDITOR}),
        writes=True,
    ),
    Operation(
        "POST",
        "/replay-audit/{seal_id}",
        "Acquire what was sealed again, or hash it again, and record what came of it.",
        replay_audit,
        Found,
        roles=_READ,
        writes=True,
    ),
    Operation("GET", "/context", "The current state of the entries.", context, Context),
    Operation("GET", "/audit", "What stands behind the state.", audit, Audit, roles=_READ),
    Operation("GET", "/head", "Where the chain ends.", head, Head),
    Operation("GET", "/export", "The whole log, closed by a signed head.", export, LINES, roles=_READ),
    Operation("GET", "/blob/{hash}", "A sealed content.", blob, OCTETS),
    Operation(
        "GET",
        "/health",
        "Whether the service takes writes.",
        health,
        Health,
        roles=None,
        body=None,
        refusals=frozenset({Kind.STOPPED}),
    ),
    Operation("GET", "/openapi.json", "This document.", openapi, JSON, roles=None, body=None),
    Operation("GET", "/docs", "This document for people.", docs, HTML, roles=None, body=None),
)
