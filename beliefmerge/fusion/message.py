"""The messages of a fusion: testimony of user and assistant as text, each with where it was read."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import NamedTuple

from beliefmerge.session.model import Channel, Message, Session
from beliefmerge.session.reader import block as cut_merged
from beliefmerge.session.text import clean


class Role(StrEnum):
    """Whose words: the user's, the model's, or a compaction's summary of both, which is nobody's testimony."""

    USER = "user"
    ASSISTANT = "assistant"
    CHECKPOINT = "checkpoint"

    @property
    def channel(self) -> Channel:
        """The channel that a reader puts these words on."""
        return _CHANNELS[self]


_CHANNELS = {Role.USER: Channel.USER, Role.ASSISTANT: Channel.MODEL, Role.CHECKPOINT: Channel.INJECTED}
_ROLES = {Channel.USER: Role.USER, Channel.MODEL: Role.ASSISTANT}
LONGEST_ID, _LONGEST_LABEL = 512, 200
_LAST_MILLISECOND = 8_640_000_000_000_000


class Ref(NamedTuple):
    """A message of a source: the source's name and the message's sequence number there."""

    source: str
    seq: int


@dataclass(frozen=True, slots=True)
class FusedMessage:
    """One message: its text as the blocks that it came in, and every place where it stands."""

    role: Role
    texts: tuple[str, ...]
    id: str
    """Stable id: the log's own, or the place where the message was first recorded."""
    time: int | None
    """Milliseconds since the epoch, where the source records a time."""
    refs: tuple[Ref, ...]
    """Where it was read; the first is the source it counts for."""
    provider: str | None = None
    model: str | None = None
    cut: int = 0
    """Bytes of text left out."""
    original: tuple[str, str] = ("", "")
    """Name and digest of the message that this is of, whose blocks may be more."""
    blocks: tuple[int, ...] = ()
    """The numbers of its texts' blocks there."""

    @property
    def text(self) -> str:
        """All blocks, joined by newlines."""
        return "\n".join(self.texts)

    @property
    def same(self) -> tuple[str, Role, tuple[str, ...]]:
        """What copies in forks have in common."""
        return self.id, self.role, self.texts


@dataclass(frozen=True, slots=True)
class FusedSource:
    """A source as a fusion uses it. `name` is its session id, made unique where two sources have one id."""

    name: str
    session: Session
    messages: tuple[FusedMessage, ...]


def project(sessions: Sequence[Session]) -> list[FusedSource]:
    """The sources with their messages: text blocks of user and assistant that are testimony, and checkpoints."""
    taken: set[str] = set()
    sources: list[FusedSource] = []
    for session in sessions:
        name, n = session.id, 2
        while name in taken:
            name, n = f"{session.id}~{n}", n + 1
        taken.add(name)
        messages = tuple(said for message in session.messages for said in _said(message, name, session))
        sources.append(FusedSource(name, session, messages))
    return sources


def _said(message: Message, source: str, session: Session) -> Iterator[FusedMessage]:
    by_role: dict[Role, list[tuple[int, str]]] = {}
    for number, block in enumerate(message.blocks):
        role = Role.CHECKPOINT if message.checkpoint else _ROLES.get(block.channel)
        if role is None or block.kind != "text":
            continue
        pieces = cut_merged(block.channel, well_formed(block.text))
        by_role.setdefault(role, []).extend((number, piece.text) for piece in pieces if piece.channel is block.channel)
    for role, said in by_role.items():
        if not said:
            continue
        yield FusedMessage(
            role=role,
            texts=tuple(text for _, text in said),
            id=_bounded(message.name or f"{message.session}#{message.seq}"),
            time=milliseconds(message.time),
            refs=(Ref(source, message.seq),),
            provider=label(session, "provider"),
            model=label(session, "model"),
            original=(message.name, message.digest),
            blocks=tuple(number for number, _ in said),
        )


def label(session: Session, name: str) -> str | None:
    """A short text that the session's log says of itself, or None."""
    value = session.meta.get(name)
    return value if isinstance(value, str) and 0 < len(value) <= _LONGEST_LABEL else None


def _bounded(id: str) -> str:
    """`id`, or where it is longer than any tool's its beginning and a digest: a log's size is bounded by its limits."""
    if len(id) <= LONGEST_ID:
        return id
    return f"{id[:64]}~{hashlib.blake2b(id.encode('utf-8', 'surrogatepass'), digest_size=16).hexdigest()}"


def well_formed(text: str) -> str:
    """`text` that can be written: lone surrogates, which a caller's own sessions can hold, and NUL as U+FFFD."""
    try:
        text.encode()
    except UnicodeEncodeError:
        text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return clean(text)


def milliseconds(time: float | None) -> int | None:
    """Whole milliseconds since the epoch, as event logs hold them; None where there are none that a log could hold."""
    if time is None or not 0 <= time * 1000 <= _LAST_MILLISECOND:
        return None
    return round(time * 1000)


def renamed(messages: Sequence[FusedMessage]) -> list[FusedMessage]:
    """`messages` with an id of its own for each repetition of one, which a reader would take for the same message."""
    seen: set[tuple[str, Role, tuple[str, ...]]] = set()
    ids = {message.id for message in messages}
    result: list[FusedMessage] = []
    for message in messages:
        n = 2
        while message.same in seen:
            name = f"{message.id}~{n}"
            n += 1
            if name not in ids:
                ids.add(name)
                message = replace(message, id=name)
        seen.add(message.same)
        result.append(message)
    return result
