"""Where a fusion's messages come from, as a manifest tells it to who reads the new session."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from beliefmerge.fusion.message import LONGEST_ID, FusedMessage, FusedSource, Ref
from beliefmerge.session.model import Block, Message
from beliefmerge.session.strands import MOST_LINES, strands


def lines(sources: Sequence[FusedSource], messages: Sequence[tuple[int, FusedMessage]]) -> list[list[int]]:
    """The sequence numbers in the new log of each source's messages, in its order, and of each strand of a source that
    was fused before. `messages` are (sequence number in the new log, message); a line within another is left out.
    """
    at: dict[Ref, list[int]] = {}
    for seq, message in messages:
        for ref in message.refs:
            at.setdefault(ref, []).append(seq)
    found = {
        tuple(dict.fromkeys(seq for said in strand.messages for seq in at.get(Ref(source.name, said.seq), ())))
        for source in sources
        for strand in strands(source.session)
    }
    kept: list[tuple[int, ...]] = []
    for line in sorted(found, key=lambda line: (-len(line), line)):
        if line and not any(_within(line, other) for other in kept):
            kept.append(line)
    return [list(line) for line in sorted(kept)][:MOST_LINES]


def _within(line: Sequence[int], other: Sequence[int]) -> bool:
    rest = iter(other)
    return all(seq in rest for seq in line)


def copy_of(message: FusedMessage) -> dict[str, Any] | None:
    """The message that `message` is of, where its id and content in the new log do not tell."""
    name, digest = message.original
    blocks = tuple(Block(message.role.channel, text) for text in message.texts)
    plain = message.blocks == tuple(range(len(blocks)))
    written = Message(blocks, 0, "", message.id)
    if not 0 < len(name) <= LONGEST_ID or (plain and (written.name, written.digest) == (name, digest)):
        return None
    return {"id": name, "digest": digest} | ({} if plain else {"blocks": list(message.blocks)})
