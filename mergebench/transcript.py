"""Branches as plain text, cut to a budget: what the arms that print session text share.

A session is a line with its id (and title) and one line a message block, ``who: text``. A cut falls at the end of a
word, so that no half number is printed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from beliefmerge.session.model import Block, Channel, Message, Session
from beliefmerge.tokens import Counter

WHO = {
    Channel.USER: "user",
    Channel.MODEL: "assistant",
    Channel.REASONING: "thinking",
    Channel.TOOL: "tool",
    Channel.INJECTED: "system",
}
SPOKEN = frozenset({Channel.USER, Channel.MODEL})


@dataclass(frozen=True, slots=True)
class Named(Block):
    """A block whose text begins with the name of its `speaker`, as in a chat among people: no role is printed."""

    speaker: str = ""


def speaker(message: Message) -> str:
    """The name of who wrote a message, empty where only a role is known."""
    return next((block.speaker for block in message.blocks if isinstance(block, Named)), "")


def heading(session: Session) -> str:
    """The line that opens a session's text."""
    return f"[{session.id}: {session.title}]" if session.title else f"[{session.id}]"


def message_lines(message: Message, channels: Iterable[Channel] = tuple(Channel)) -> list[str]:
    """One line a block of these channels; line breaks inside a block become spaces."""
    return [block_line(block) for block in message.blocks if block.channel in channels]


def block_line(block: Block) -> str:
    """``who: text``; the text alone where it names its speaker."""
    said = " ".join(block.text.split())
    return said if isinstance(block, Named) else f"{WHO[block.channel]}: {said}"


def session_lines(session: Session, channels: Iterable[Channel] = tuple(Channel)) -> list[str]:
    """A session's heading and its messages."""
    return [heading(session), *(line for message in session.messages for line in message_lines(message, channels))]


def transcript(
    sessions: Iterable[Session], budget: int, count: Counter, channels: Iterable[Channel] = tuple(Channel)
) -> str:
    """As much as fits of all sessions one after the other; a message that forks share is printed where it comes first.

    A heading under which no word fits is left out.
    """
    lines = [line for session in unshared(sessions) for line in session_lines(session, channels)]
    kept = cut("\n".join(lines), budget, count).split("\n")
    while kept and kept[-1].startswith("["):
        kept.pop()
    return "\n".join(kept)


def unshared(sessions: Iterable[Session]) -> list[Session]:
    """The sessions, each without the messages that one before it holds too."""
    seen: set[str] = set()
    found = []
    for session in sessions:
        own = tuple(message for message in session.messages if message.key not in seen)
        seen.update(message.key for message in own)
        found.append(replace(session, messages=own))
    return found


def cut(text: str, budget: int, count: Counter) -> str:
    """The longest beginning of `text` that fits `budget` and ends at the end of a word; never over."""
    if count(text) <= budget:
        return text
    ends = [match.end() for match in re.finditer(r"\S+", text)]
    low, high = 0, len(ends)
    while low < high:
        middle = (low + high + 1) // 2
        if count(text[: ends[middle - 1]]) <= budget:
            low = middle
        else:
            high = middle - 1
    # Byte-pair counts of beginnings need not grow with their length, so the end that was found is checked.
    while low and count(text[: ends[low - 1]]) > budget:
        low -= 1
    return text[: ends[low - 1]] if low else ""


def fair(sessions: Sequence[Session], budget: int, count: Counter) -> str:
    """Messages of all sessions taken in turn until the budget is spent, printed session by session.

    The message that no longer fits is cut; sessions from which nothing was taken are not printed.
    """
    sessions = unshared(sessions)
    queues = [[line for message in session.messages for line in message_lines(message)] for session in sessions]
    order = [
        (i, j) for j in range(max(map(len, queues), default=0)) for i, queue in enumerate(queues) if j < len(queue)
    ]

    def text(taken: int) -> str:
        parts = []
        for i, session in enumerate(sessions):
            lines = [queues[i][j] for k, j in order[:taken] if k == i]
            if lines:
                parts.append("\n".join([heading(session), *lines]))
        return "\n".join(parts)

    low, high = 0, len(order)
    while low < high:
        middle = (low + high + 1) // 2
        if count(text(middle)) <= budget:
            low = middle
        else:
            high = middle - 1
    while low and count(text(low)) > budget:
        low -= 1
    if low == len(order):
        return text(low)
    return _with_beginning(text(low), sessions[order[low][0]], queues[order[low][0]][order[low][1]], budget, count)


def _with_beginning(text: str, session: Session, line: str, budget: int, count: Counter) -> str:
    """`text` with as much of `line` as still fits, under its session's heading."""
    head, lines = heading(session), text.split("\n") if text else []
    if head in lines:
        start = lines.index(head) + 1
        end = next((i for i in range(start, len(lines)) if lines[i].startswith("[")), len(lines))
        before, after = lines[:end], lines[end:]
    else:
        before, after = [*lines, head], []
    words = line.split(" ")
    best = text
    for n in range(2, len(words) + 1):
        candidate = "\n".join([*before, " ".join(words[:n]), *after])
        if count(candidate) > budget:
            break
        best = candidate
    return best
