"""What a fused session tells of its messages' origins, and the lines of conversation that it was fused from.

The order of a fused log says nothing about who knew what: a message has the history that it has in its source. A merge
therefore reads a fused session as one branch a source, whose messages are the copies of that source's that they are.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from beliefmerge.session.lineage import is_earlier_state
from beliefmerge.session.model import Block, Channel, Message, OnDemand, Session
from beliefmerge.session.text import as_dict, as_id, as_list

EVENT = "plugin:beliefmerge/fusion"
"""The event of a log that holds a fusion's manifest."""
LEFT_OUT = Block(Channel.INJECTED, "", "left-out")
"""Stands where a copy leaves out a block of its original."""
MOST_LINES = 256
_MOST_BLOCKS = 4096
_DIGEST = re.compile("[0-9a-f]{16}")


@dataclass(frozen=True, slots=True)
class Copied:
    """Of which message one is a copy, where its id and content do not tell: id and digest there.

    `blocks` are the numbers that the copy's blocks have there; empty where they are the first ones.
    """

    id: str
    digest: str
    blocks: tuple[int, ...] = ()

    def applied(self, message: Message) -> Message:
        """`message` as that copy."""
        blocks = message.blocks
        if len(self.blocks) == len(blocks):
            at = dict(zip(self.blocks, blocks, strict=True))
            blocks = tuple(at.get(i, LEFT_OUT) for i in range(self.blocks[-1] + 1)) if at else ()
        return replace(message, blocks=blocks, copied=(self.id, self.digest))


@dataclass(frozen=True, slots=True)
class Origins:
    """`lines` are the sequence numbers of each source's messages, in its order; `copies` are by sequence number."""

    lines: tuple[tuple[int, ...], ...] = ()
    copies: Mapping[int, Copied] = field(default_factory=dict)

    def applied(self, message: Message) -> Message:
        """`message` as the copy that it is."""
        copied = self.copies.get(message.seq)
        return message if copied is None else copied.applied(message)


def origins(manifest: Any) -> Origins:
    """What a manifest tells. It is a file's word: what is not of its form tells nothing."""
    told = as_dict(manifest)
    lines = [_numbers(line) for line in as_list(told.get("lines"))]
    if len(lines) > MOST_LINES or not all(lines):
        return Origins()
    copies = {}
    for row in map(as_dict, as_list(told.get("messages"))):
        (seq,), original = _numbers([row.get("seq")]) or (-1,), as_dict(row.get("copyOf"))
        name, digest = as_id(original.get("id")), as_id(original.get("digest"))
        if name is not None and digest is not None and _DIGEST.fullmatch(digest):
            copies[seq] = Copied(name, digest, _rising(original.get("blocks")))
    return Origins(tuple(lines), copies)


def _numbers(value: Any) -> tuple[int, ...]:
    """Different whole numbers; none where `value` is no list of them."""
    found = tuple(n for n in as_list(value) if isinstance(n, int) and not isinstance(n, bool) and n >= 0)
    return found if len(set(found)) == len(as_list(value)) else ()


def _rising(value: Any) -> tuple[int, ...]:
    found = _numbers(value)
    return found if found == tuple(sorted(found)) and found[-1:] < (_MOST_BLOCKS,) else ()


def strands(session: Session) -> list[Session]:
    """The branches of `session`: one a line, with what is the session's own around it; itself where it has no lines."""
    place = {message.seq: i for i, message in enumerate(session.messages)} if session.lines else {}
    fused = {seq for line in session.lines for seq in line}
    kept = fused & place.keys()
    if not kept:
        return [session]
    first = min(kept)
    before = [i for seq, i in place.items() if seq not in fused and seq < first]
    after = [i for seq, i in place.items() if seq not in fused and seq > first]
    return [_picked(session, [*before, *(place[seq] for seq in line if seq in kept), *after]) for line in session.lines]


def _picked(session: Session, places: Sequence[int]) -> Session:
    messages = session.messages
    if isinstance(messages, OnDemand):
        return replace(session, messages=OnDemand(len(places), lambda i: messages[places[i]]))
    return replace(session, messages=tuple(messages[i] for i in places))


def as_branches(sessions: Sequence[Session], current: str | None = None) -> list[Session]:
    """`sessions`, each fused one as its strands, without those that another of `sessions` holds whole.

    A strand of the `current` session stays: its user may be more trusted than the other's.
    """
    whole = [session for session in sessions if not session.lines]
    return list(_branches(sessions, whole, current))


def _branches(sessions: Iterable[Session], whole: Sequence[Session], current: str | None) -> Iterator[Session]:
    for session in sessions:
        parts = strands(session)
        fused = {seq for line in session.lines for seq in line}
        for part in parts:
            if part.lines and session.id != current and _adds_nothing(part, fused, whole):
                continue
            yield part


def _adds_nothing(part: Session, fused: set[int], whole: Sequence[Session]) -> bool:
    """Whether all that is said in `part`, but for the injected opening, is said in one of `whole` too."""
    said = [message for message in part.messages if message.seq in fused or not _injected(message)]
    if not said or any(message.seq > said[-1].seq and message.seq not in fused for message in part.messages):
        return False
    line = replace(part, messages=tuple(said))
    return any(is_earlier_state(line, session) for session in whole)


def _injected(message: Message) -> bool:
    return all(block.channel is Channel.INJECTED for block in message.blocks)
