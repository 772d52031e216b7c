"""A written log is read back before it gets its name: what a reader makes of it must be what was fused."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from beliefmerge.errors import BeliefMergeError
from beliefmerge.fusion.dsh_log import Heading
from beliefmerge.fusion.message import FusedMessage, Role, milliseconds
from beliefmerge.session.model import Block, Channel, Message
from beliefmerge.session.strands import LEFT_OUT

OPENING = 2
"""Messages before the fused ones: the rule and the boundary."""


class NotReadBack(BeliefMergeError):
    """What was written does not read as what was meant; nothing was created."""


def same_when_read(heading: Heading, messages: Sequence[FusedMessage]) -> Callable[[Path], None]:
    """A check of a file: its session is that of `heading` and its messages, after the opening, are `messages`.

    The check raises NotReadBack.
    """

    def check(path: Path) -> None:
        from beliefmerge.session.readers import read_session

        session = read_session(path)
        if (session.id, session.title, session.cwd) != (heading.id, heading.title, heading.cwd):
            raise NotReadBack(f"the log of session {heading.id!r} does not read back: another head")
        ours, rest = session.messages[:OPENING], session.messages[OPENING:]
        injected = all(block.channel is Channel.INJECTED for message in ours for block in message.blocks)
        if not injected or len(rest) != len(messages):
            raise NotReadBack(f"the log of session {heading.id!r} does not read back: {len(rest)} messages")
        for message, meant in zip(rest, messages, strict=True):
            if not _same(message, meant):
                raise NotReadBack(f"the log of session {heading.id!r} does not read back: event {message.seq}")

    return check


def _same(message: Message, meant: FusedMessage) -> bool:
    if meant.time is not None and milliseconds(message.time) != meant.time:
        return False
    blocks = tuple(Block(meant.role.channel, text) for text in meant.texts)
    told = (message.id, tuple(block for block in message.blocks if block != LEFT_OUT), message.checkpoint)
    return told == (meant.id, blocks, meant.role is Role.CHECKPOINT)
