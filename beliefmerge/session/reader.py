"""What a reader of one session format is: it recognises its files and gives their conversations."""

from __future__ import annotations

import itertools
import re
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from beliefmerge.session.model import MERGED_HEADING, Block, Channel, Message, OnDemand, Session
from beliefmerge.session.source import Head, Source


@dataclass(frozen=True, slots=True)
class Conversation:
    """One conversation of a file: the names of its branches, the active one first, and how to get the session of one.

    Branches of one conversation share the messages of their trunk. One of a large export is parsed again by `load`.
    """

    id: str
    branches: tuple[str, ...]
    load: Callable[[str], Session]
    title: str | None = None


class Reader(Protocol):
    """A session format."""

    def sniff(self, head: Head) -> float:
        """How sure it is that a file with this head is of the format: 0 (it is not) to 1."""
        ...

    def read(self, source: Source) -> Iterator[Conversation]:
        """The conversations of the file, in its order.

        Raises:
            UnreadableSession: the rest of the file cannot be trusted.
        """
        ...


def single(session: Session) -> Conversation:
    """The conversation of a format without branches."""
    return Conversation(session.id, (session.branch or session.id,), lambda _: session, session.title)


def flags(counts: Counter[str]) -> tuple[str, ...]:
    """The short words for what was skipped or mended, sorted; the counts themselves go into ``Session.meta``."""
    return tuple(sorted(word for word, n in counts.items() if n > 0))


def kept(counts: Counter[str]) -> dict[str, int]:
    """The counts as ``Session.meta`` holds them: what did not occur is left out."""
    return {word: n for word, n in sorted(counts.items()) if n > 0}


def known(**meta: Any) -> dict[str, Any]:
    """``Session.meta`` without what the file does not say."""
    return {key: value for key, value in meta.items() if value is not None}


_MERGED = re.compile(
    rf"^[ \t>]*+{MERGED_HEADING}[ \t]*+(?:\r?\n|\Z)"
    r"(?:[ \t>]*+(?:External background: .*+|- .*+)?(?:\r?\n|\Z))*+"
    r"(?:[ \t>]*+\((?:omitted|unresolved|adjudicated|retracted) [0-9].*+(?:\r?\n|\Z))?+",
    re.MULTILINE,
)


def block(channel: Channel, text: str, kind: str = "text") -> tuple[Block, ...]:
    """The blocks of `text`: itself, or none where it is blank.

    A merged block in it, pasted or quoted, is cut out as one of its own and injected, whatever `channel` it came on.
    """
    if MERGED_HEADING not in text or kind != "text":
        return (Block(channel, text, kind),) if text and not text.isspace() else ()
    cut: list[Block] = []
    last = 0
    for match in _MERGED.finditer(text):
        cut += [Block(channel, text[last : match.start()]), Block(Channel.INJECTED, match[0])]
        last = match.end()
    return tuple(each for each in (*cut, Block(channel, text[last:])) if each.text and not each.text.isspace())


def distinct(messages: Iterable[Message], counts: Counter[str]) -> tuple[Message, ...]:
    """Messages without exact repetitions (counted as ``duplicate-message``).

    One id with two contents (``conflicting-id``) stays two messages.
    """
    everything = tuple(messages)
    ids = [message.id for message in everything if message.id is not None]
    if len(set(ids)) == len(ids):
        return everything
    known = _Known(counts)
    return tuple(message for message in everything if not known.repeats(message))


def gathered(
    count: int, make: Callable[[int], Message], counts: Counter[str], id_hashes: Sequence[int] | None
) -> tuple[Message, ...] | OnDemand:
    """The `distinct` ones of the messages that `make` makes of the numbers below `count`, in order.

    Messages that are too large to hold together come with `id_hashes` (0 for a message without an id) and are made on
    demand; the hashes tell which messages can be repetitions.
    """
    if id_hashes is None:
        return distinct(map(make, range(count)), counts)
    twice = {one for one, next_one in itertools.pairwise(sorted(id_hashes)) if one == next_one and one != 0}
    if not twice:
        return OnDemand(count, make)
    known = _Known(counts)
    places = array("i", (i for i in range(count) if id_hashes[i] not in twice or not known.repeats(make(i))))
    return OnDemand(len(places), lambda place: make(places[place]))


class _Known:
    """The contents met so far under each id."""

    def __init__(self, counts: Counter[str]) -> None:
        self._digests: dict[str, set[str]] = {}
        self._counts = counts

    def repeats(self, message: Message) -> bool:
        """Whether a message with this id and content was met before."""
        if message.id is None:
            return False
        same = self._digests.setdefault(message.id, set())
        if message.content in same:
            self._counts["duplicate-message"] += 1
            return True
        self._counts["conflicting-id"] += bool(same)
        same.add(message.content)
        return False
