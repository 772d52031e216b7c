"""What a prompt shows of a branch: its lines, each with a label of ours in front that no session text can write.

Every line of text gets its own label, so nothing that a session says begins a line. Characters that cannot be seen are
shown as spaces, and what could be a chat template's marker (``<|im_start|>``, ``[INST]``, ``</s>``) is shown with other
brackets. Each character stands for one, so that a quote of what was shown is found in what was said.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from beliefmerge.session.model import Channel, Session
from beliefmerge.tokens import Counter

_UNSEEN = re.compile(
    "[\x00-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f"
    "\u3164\ud800-\uf8ff\ufe00-\ufe0f\ufeff\uffa0\ufff0-\uffff\U000e0000-\U0010ffff]"
)
_TAG = re.compile(r"<(?=[|/!?_｜a-zA-Z])|(?<=[|/_｜a-zA-Z0-9\"'])>|\[(?=/?[A-Z_]{3,}\])")
_INSTEAD = {"<": "‹", ">": "›", "[": "("}
_BREAK = re.compile(r"[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]+")
_LONGEST, _HEAD, _TAIL = 1600, 1000, 400
"""Characters of a line that are shown, and of a longer one at either end."""


def shown(text: str) -> str:
    """`text` as a prompt shows it, character for character."""
    return _TAG.sub(lambda found: _INSTEAD[found[0]], _UNSEEN.sub(" ", text))


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a branch: its number from 1, the indexes of message and block, its place there, its channel."""

    number: int
    message: int
    block: int
    start: int
    end: int
    channel: Channel


def lines(session: Session) -> Iterator[Line]:
    """The lines of `session` that are testimony, in order; blank ones and tool calls are none."""
    number = 0
    for m, message in enumerate(session.messages):
        for b, block in enumerate(message.blocks):
            if block.kind != "text":
                continue
            for start, end in _pieces(block.text):
                number += 1
                yield Line(number, m, b, start, end, block.channel)


def _pieces(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    for found in _BREAK.finditer(text):
        if text[start : found.start()].strip():
            yield start, found.start()
        start = found.end()
    if text[start:].strip():
        yield start, len(text)


@dataclass(frozen=True)
class Excerpt:
    """A branch as the prompt shows it. `name` is ours (b1, b2, …); a gap stands before line ``lines[head]``."""

    name: str
    session: Session
    lines: tuple[Line, ...]
    head: int
    left_out: tuple[int, int] | None
    """First and last number of the lines in the gap."""

    def text(self) -> str:
        """The labelled lines, with what was left out said where it was."""
        out = [f"Branch {self.name}"]
        for i, line in enumerate(self.lines):
            if i == self.head and self.left_out:
                out.append(self._gap(*self.left_out))
            out.append(labelled(self.name, line, self.session))
        if self.left_out and self.head >= len(self.lines):
            out.append(self._gap(*self.left_out))
        return "\n".join(out)

    def _gap(self, first: int, last: int) -> str:
        return f"({self.name}: lines {first} to {last} are left out)"


def labelled(name: str, line: Line, session: Session) -> str:
    """One line of the prompt."""
    text = " ".join(shown(session.messages[line.message].blocks[line.block].text[line.start : line.end]).split())
    if len(text) > _LONGEST:
        text = f"{text[:_HEAD]} (… {len(text) - _HEAD - _TAIL} characters left out …) {text[-_TAIL:]}"
    return f"[{name}:{line.number} {line.channel}] {text}"


def excerpt(name: str, session: Session, tokens: int, count: Counter) -> Excerpt:
    """The head and the tail of `session` in about `tokens` tokens by `count`, half each; at least its first line."""
    found = list(lines(session))
    head = min(max(_fitting(name, session, found, tokens // 2, count), 1), len(found))
    tail = _fitting(name, session, found[head:][::-1], tokens - tokens // 2, count)
    if head + tail >= len(found):
        return Excerpt(name, session, tuple(found), len(found), None)
    kept = found[:head] + found[len(found) - tail :]
    return Excerpt(name, session, tuple(kept), head, (found[head].number, found[len(found) - tail - 1].number))


def _fitting(name: str, session: Session, found: Sequence[Line], tokens: int, count: Counter) -> int:
    """How many of the first lines fit into `tokens`."""
    for i, line in enumerate(found):
        tokens -= count(labelled(name, line, session) + "\n")
        if tokens < 0:
            return i
    return len(found)
