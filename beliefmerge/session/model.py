"""Sessions: what every reader produces and everything after it works on.

A session is an ordered list of messages; a message is a list of blocks; a block is text from one channel. A file with
several branches gives several sessions that share their trunk's messages (equal keys).
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from typing import Any, SupportsIndex, overload

from beliefmerge.algebra.evidence import Evidence, Trust

MERGED_HEADING = "# Merged context"
"""The first line of a merged block. What follows it is read as injected, whoever is said to have written it: what a
merge once printed is no new testimony.
"""


LOSSES = frozenset({"torn", "damaged-line", "skipped-message", "skipped-conversation"})
"""Flags of a session whose file holds something that could not be read."""


class Channel(StrEnum):
    """Who spoke. `model` and `reasoning` are one speaker."""

    USER = "user"
    TOOL = "tool"
    MODEL = "model"
    REASONING = "reasoning"
    INJECTED = "injected"

    @property
    def speaker(self) -> str:
        """The unit whose later words replace its earlier ones."""
        return "model" if self is Channel.REASONING else self.value

    @property
    def evidence(self) -> Evidence:
        """How strong testimony on this channel is."""
        return _EVIDENCE[self]


_EVIDENCE = {
    Channel.USER: Evidence.USER_STATED,
    Channel.TOOL: Evidence.TOOL_VERIFIED,
    Channel.MODEL: Evidence.INFERRED,
    Channel.REASONING: Evidence.SPECULATIVE,
    Channel.INJECTED: Evidence.SPECULATIVE,
}


@dataclass(frozen=True, slots=True)
class Block:
    """Text from one channel. `kind` is `text`, or `tool-call` for a call's name and arguments (never testimony), or
    `left-out` for what a copy lacks.
    """

    channel: Channel
    text: str
    kind: str = "text"


@dataclass(frozen=True)
class Message:
    """One message. `id` is the log's own stable id, or None where the format has none.

    `key` identifies the message across files: copies of a message in two forks have one key. Messages without an id are
    keyed by session and sequence number, never by equal text.
    """

    blocks: tuple[Block, ...]
    seq: int
    session: str
    id: str | None = None
    time: float | None = None
    """Seconds since the epoch."""
    origin: str | None = None
    """Where a message without an id was first recorded: ``session#seq`` of the log it was forked from."""
    checkpoint: bool = False
    """Whether it is a summary that a compaction put in place of earlier messages: injected, not testimony."""
    copied: tuple[str, str] | None = None
    """Id and digest of the message that a fusion copied it from, where its own would not tell."""

    @property
    def digest(self) -> str:
        """16 hex digits over channels and texts; of a copy, those of its original."""
        return self.content if self.copied is None else self.copied[1]

    @cached_property
    def content(self) -> str:
        """16 hex digits over its own channels and texts."""
        h = hashlib.blake2b(digest_size=8)
        for block in self.blocks:
            # Formatting a member of an enumeration takes longer than hashing a text.
            h.update("\x1f".join((block.channel, block.kind, f"{block.text}\x1e")).encode("utf-8", "surrogatepass"))
        return h.hexdigest()

    @cached_property
    def key(self) -> str:
        """Identity across files: id (or origin) and content digest, so one id with two contents is two messages."""
        return f"{self.name}\x1f{self.digest}"

    @property
    def name(self) -> str:
        """What the message is called across files, whatever it says."""
        if self.copied is not None:
            return self.copied[0]
        return self.id if self.id is not None else self.origin or f"{self.session}#{self.seq}"

    @property
    def text(self) -> str:
        """Text of all blocks but tool calls, joined by newlines."""
        return "\n".join(block.text for block in self.blocks if block.kind == "text")


class OnDemand(Sequence[Message]):
    """Messages too large to hold together: each is made when it is asked for, and not kept. A slice is a tuple."""

    __slots__ = ("_count", "_make")
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, count: int, make: Callable[[int], Message]) -> None:
        self._count, self._make = count, make

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, index: SupportsIndex) -> Message: ...

    @overload
    def __getitem__(self, index: slice) -> tuple[Message, ...]: ...

    def __getitem__(self, index: SupportsIndex | slice) -> Message | tuple[Message, ...]:
        where = range(self._count)
        if isinstance(index, slice):
            return tuple(map(self._make, where[index]))
        return self._make(where[index])

    def __iter__(self) -> Iterator[Message]:
        return map(self._make, range(self._count))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, OnDemand | tuple):
            return NotImplemented
        return len(self) == len(other) and all(mine == theirs for mine, theirs in zip(self, other, strict=True))


@dataclass(frozen=True, slots=True)
class DataClaim:
    """A claim given as data (format `plain`), before it has a span."""

    key: str
    value: str
    channel: Channel
    evidence: Evidence
    denied: bool = False
    multi: bool = False
    type: str | None = None
    derived_from: tuple[tuple[tuple[str, str | None], ...], ...] = ()
    """Alternatives of conjunctions of (key, value or None for the value this branch held)."""
    seq: int = 0


@dataclass(frozen=True)
class Session:
    """A recorded conversation, or one branch of it.

    `messages` is a tuple; of a session of more than some 64 MB it is an `OnDemand` sequence, used in the same way.
    `trust` is what the file says of itself and can only lower; `flags` say what the reader skipped or mended.
    """

    id: str
    format: str
    messages: tuple[Message, ...] | OnDemand = ()
    claims: tuple[DataClaim, ...] = ()
    trust: Trust | None = None
    title: str | None = None
    cwd: str | None = None
    parent: str | None = None
    """Id of the session this one was forked from."""
    branch: str | None = None
    """Which leaf of a file with several branches this is."""
    branches: int = 1
    """How many branches the file holds."""
    flags: tuple[str, ...] = ()
    path: str | None = None
    lines: tuple[tuple[int, ...], ...] = ()
    """Of a fused session: the sequence numbers of each source's messages, in that source's order. A message in none of
    them is the session's own.
    """
    meta: Mapping[str, Any] = field(default_factory=dict)
