"""The tool boundary: a tool is run here, and what it returned is sealed here, on the way to the model.

What a seal says of its origin (tool, arguments, source, address, time) comes from the call and from the tool's
registration, never from what the tool returned. The sealer's token stays on this side: an agent is handed
``Shim.call`` and gets back entries.
"""

from __future__ import annotations

import functools
import re
import time
from collections import Counter
from collections.abc import Callable, Mapping
from copy import deepcopy
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from beliefmerge.errors import BeliefMergeError, UsageError, unknown
from beliefmerge.ledger.claimkey import claim_key
from beliefmerge.ledger.content import Content, NotCanonical, canonical_bytes, content
from beliefmerge.ledger.core.canonical import NotHashable, canonical
from beliefmerge.ledger.core.domains import host
from beliefmerge.ledger.wire import Seal, Sealed, Stored

LIMIT = 1 << 20
"""Bytes of a result that are sealed at most, by default."""
STATEMENT = 2_000
"""Characters of a result that stand in the entry's text; the blob has all of it."""
_INLINE = 1 << 20
"""Bytes of content that go into the request that seals it; more is stored before."""

_USER = re.compile(r"(?<=//)[^/?#]*@")

Args = Mapping[str, Any]


class ToolFailed(BeliefMergeError):
    """A tool gave no result that can be sealed; nothing was. The message holds no secret."""


class Sealer(Protocol):
    """What the shim needs of a client: the right to seal."""

    def seal(self, body: Seal) -> Sealed:
        """Seal one result."""
        ...

    def put_blob(self, content: bytes) -> Stored:
        """Store a content that is too large to go into a seal."""
        ...


@dataclass(frozen=True)
class Tool:
    """A tool as registered: how it is run, and who answers for what it returns.

    `source` names the origin, `url` its address; either is a text or a function of the arguments. Without a source, it
    is the host of the address, spelled alike however it is written, or ``tool:`` and the name. `statement` turns a
    result into the entry's text, `claim` that text into a claim key (None for no claim).
    """

    name: str
    run: Callable[..., Any]
    source: str | Callable[[Args], str] | None = None
    url: str | Callable[[Args], str | None] | None = None
    determinism: Literal["deterministic", "volatile"] = "volatile"
    statement: Callable[[Any], str] | None = None
    claim: Callable[[str], str | None] = claim_key

    def address(self, args: Args) -> str | None:
        """Where the result of a call with `args` comes from, without user name, password and other secrets."""
        from beliefmerge.session.redact import redact_text

        address = self.url(args) if callable(self.url) else self.url
        return redact_text(_USER.sub("", address))[0] if address is not None else None

    def origin(self, args: Args) -> str:
        """The source id of a call with `args`."""
        if self.source is not None:
            return self.source(args) if callable(self.source) else self.source
        address = self.address(args)
        return (host(address) if address else None) or f"tool:{self.name}"


class ToolRegistry:
    """Tools by name."""

    def __init__(self) -> None:
        self._tools: dict[str, Tool] = {}

    def add(self, tool: Tool) -> Tool:
        """Register `tool`; a name that is taken is an error."""
        if tool.name in self._tools:
            raise UsageError(f"tool {tool.name!r} is registered already")
        self._tools[tool.name] = tool
        return tool

    def names(self) -> list[str]:
        """The names, sorted."""
        return sorted(self._tools)

    def __getitem__(self, name: str) -> Tool:
        if name not in self._tools:
            raise unknown("tool", name, self._tools)
        return self._tools[name]


@dataclass(frozen=True, slots=True)
class Observed:
    """A sealed result: the entry's id and text, the canonical result, and how many secrets were replaced, by kind."""

    id: str
    text: str
    value: Any
    source_id: str
    content_hash: str
    claim: str | None
    secrets: Counter[str]


class Shim:
    """Runs registered tools and seals what they return.

    `limit` is in bytes of the canonical result; `clock` gives milliseconds since 1970.
    """

    def __init__(
        self,
        sealer: Sealer,
        tools: ToolRegistry | None = None,
        *,
        limit: int = LIMIT,
        clock: Callable[[], int] = lambda: time.time_ns() // 1_000_000,
    ) -> None:
        self.tools = tools if tools is not None else ToolRegistry()
        self._limit, self._clock = limit, clock
        # In closures, not in fields: nothing that walks or prints the object meets the token.
        self._seal: Callable[[Seal], Sealed] = lambda body: sealer.seal(body)
        self._store: Callable[[bytes], Stored] = lambda data: sealer.put_blob(data)

    def call(self, name: str, /, **args: Any) -> Observed:
        """Run the tool `name` and seal its result.

        Raises UsageError for an unknown tool or arguments that cannot be hashed (floats among them), ToolFailed when
        the tool raises or its result has no canonical form or is too large, and what the client raises.
        """
        tool = self.tools[name]
        try:
            canonical(args)
        except NotHashable as error:
            raise UsageError(f"tool {name!r}: arguments: {error}") from None
        started = self._clock()
        found = self._result(tool, args)
        text, claim, source, url = _told(tool, found)
        large = len(found.data) > _INLINE
        body = Seal(
            text=text,
            claim=claim,
            source_id=source,
            url=url,
            tool=name,
            args=found.args,
            acquired_ms=started,
            determinism=tool.determinism,
            content=None if large else found.text,
            content_hash=self._store(found.data).hash if large else None,
        )
        written = self._seal(body)
        return Observed(written.id, text, found.value, source, written.content_hash, claim, found.secrets)

    def _result(self, tool: Tool, args: Args) -> Content:
        try:
            result = tool.run(**deepcopy(args))  # a tool may change what it is handed
        except Exception as error:  # whatever a tool raises, it returned nothing to seal
            raise ToolFailed(f"tool {tool.name!r} failed: {_harmless(error)}") from None
        if isinstance(result, str | bytes) and len(result) > self._limit:
            raise ToolFailed(f"tool {tool.name!r}: a result of {len(result)} is above the limit of {self._limit} bytes")
        try:
            found = content(result, args)
        except NotCanonical as error:
            raise ToolFailed(f"tool {tool.name!r}: result: {error}") from None
        if len(found.data) > self._limit:
            raise ToolFailed(
                f"tool {tool.name!r}: a result of {len(found.data)} is above the limit of {self._limit} bytes"
            )
        return found


def sealed(
    shim: Shim,
    *,
    source: str | Callable[[Args], str] | None = None,
    url: str | Callable[[Args], str | None] | None = None,
    determinism: Literal["deterministic", "volatile"] = "volatile",
    statement: Callable[[Any], str] | None = None,
    claim: Callable[[str], str | None] = claim_key,
) -> Callable[[Callable[..., Any]], Callable[..., Observed]]:
    """A decorator: the function becomes a tool of `shim` under its own name, and a call of it seals.

    Arguments are given by keyword. The rest is as in `Tool`.
    """

    def register(run: Callable[..., Any]) -> Callable[..., Observed]:
        tool = shim.tools.add(Tool(run.__name__, run, source, url, determinism, statement, claim))

        @functools.wraps(run)
        def call(**args: Any) -> Observed:
            return shim.call(tool.name, **args)

        return call

    return register


def _told(tool: Tool, found: Content) -> tuple[str, str | None, str, str | None]:
    """Text, claim key, source and address of an entry. Where the registration cannot say them, the tool has failed."""
    try:
        text = _statement(tool, found)
        return text, tool.claim(text), tool.origin(found.args), tool.address(found.args)
    except ToolFailed:
        raise
    except Exception as error:  # functions that came with the tool, over what it was given and returned
        raise ToolFailed(f"tool {tool.name!r}: cannot say what the result is: {_harmless(error)}") from None


def _statement(tool: Tool, found: Content) -> str:
    """What the entry says: the tool's own wording of the redacted result, else the result itself, shortened."""
    said = tool.statement(found.value) if tool.statement is not None else found.text
    text = " ".join(canonical_bytes(said).decode().split())
    if not text:
        raise ToolFailed(f"tool {tool.name!r}: an empty result states nothing")
    return text if len(text) <= STATEMENT else text[: STATEMENT - 1] + "…"


def _harmless(error: Exception) -> str:
    """`error` on one line, without the secrets that its message may hold."""
    from beliefmerge.session.redact import redact_text

    message = redact_text(" ".join(str(error).split())[:200])[0]
    return f"{type(error).__name__}: {message}" if message else type(error).__name__
