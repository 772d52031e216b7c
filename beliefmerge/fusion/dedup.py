"""Copies in forks: one message, with every place where it stands. Equal text alone never makes two messages one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from beliefmerge.fusion.message import FusedMessage, FusedSource, Role


@dataclass(frozen=True, slots=True)
class Deduplicated:
    """Each source's messages as indices into `messages`, in the source's order; a shared one stands in several."""

    messages: tuple[FusedMessage, ...]
    sequences: tuple[tuple[int, ...], ...]
    removed: int
    conflicts: tuple[str, ...]
    """Ids that stand for different texts: both are kept."""


def deduplicate(sources: Sequence[FusedSource], *, active: bool = True) -> Deduplicated:
    """The messages of all sources, those with one id and one text once; every one apart unless `active`."""
    at: dict[tuple[str, Role, tuple[str, ...]], int] = {}
    messages: list[FusedMessage] = []
    sequences: list[tuple[int, ...]] = []
    for source in sources:
        own: dict[int, None] = {}
        for message in source.messages:
            place = at.get(message.same) if active else None
            if place is None:
                place = at[message.same] = len(messages)
                messages.append(message)
            else:
                known = messages[place]
                refs = tuple(dict.fromkeys((*known.refs, *message.refs)))
                # Of two originals, as where one also has the reasoning, it is no copy: neither has both histories.
                original = known.original if known.original == message.original else ("", "")
                messages[place] = replace(known, refs=refs, original=original)
            own[place] = None
        sequences.append(tuple(own))
    removed = sum(len(source.messages) for source in sources) - len(messages)
    return Deduplicated(tuple(messages), tuple(sequences), removed, _conflicts(messages))


def _conflicts(messages: Sequence[FusedMessage]) -> tuple[str, ...]:
    said: dict[tuple[str, Role], set[tuple[str, ...]]] = {}
    for message in messages:
        said.setdefault((message.id, message.role), set()).add(message.texts)
    return tuple(sorted({name for (name, _), texts in said.items() if len(texts) > 1}))
