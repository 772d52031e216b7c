"""A session in parts that fit in memory while they are redacted."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from beliefmerge.session.model import Message, Session

PART = 1 << 20
"""Characters of text that are redacted together."""


def parts(session: Session) -> Iterator[Session]:
    """`session` in parts of some `PART` characters. The first one has what is no message; the others are nameless."""
    part: list[Message] = []
    size, whole = 0, session
    for message in session.messages:
        part.append(message)
        size += sum(len(block.text) for block in message.blocks)
        if size >= PART:
            yield replace(whole, messages=tuple(part))
            part, size, whole = [], 0, Session("", "")
    if part or whole is session:
        yield replace(whole, messages=tuple(part))
