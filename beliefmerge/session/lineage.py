"""Lineage across files: where a message was first recorded, and whether a log is an older copy of another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from beliefmerge.session.model import Message, Session


def place(message: Message) -> str:
    """``session#seq`` of the log that a message was read from."""
    return f"{message.session}#{message.seq}"


def resolve(sessions: Sequence[Session]) -> list[Session]:
    """The sessions, with the origin of each message traced as far as the logs at hand allow.

    The fork of a fork knows only its own parent; where that parent was read too, its word on where it got the message
    from is taken over, so that copies in grandparent, parent and child have one key. Messages with an id are keyed by
    it and stay as they are.
    """
    origin = {
        place(message): message.origin
        for session in sessions
        for message in session.messages
        if message.id is None and message.origin is not None
    }
    if not origin:
        return list(sessions)

    def trace(message: Message) -> Message:
        if message.id is not None or message.origin is None:
            return message
        first, seen = message.origin, {place(message)}
        while first in origin and first not in seen:
            seen.add(first)
            first = origin[first]
        return message if first == message.origin else replace(message, origin=first)

    return [replace(session, messages=tuple(map(trace, session.messages))) for session in sessions]


def is_earlier_state(session: Session, whole: Session) -> bool:
    """Whether `session` says nothing that `whole` does not say too, in the same order: an older copy of its log.

    Messages may be missing anywhere, since a log is also compacted; claims given as data are numbered, so of those the
    last ones only.
    """
    said = iter([message.key for message in whole.messages])
    if not all(message.key in said for message in session.messages):
        return False
    claims = [replace(claim, seq=0) for claim in session.claims]
    return claims == [replace(claim, seq=0) for claim in whole.claims[: len(claims)]]
