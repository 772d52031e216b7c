"""Whether the text bears out what a model says: where its quote stands, and whether the quote gives the value."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from functools import lru_cache

from beliefmerge.claims.joint.lines import Excerpt, Line, shown
from beliefmerge.claims.joint.vocabulary import Vocabulary, touches
from beliefmerge.claims.said.scan import Said
from beliefmerge.claims.values.normalise import NOMINAL, Value, plain, read
from beliefmerge.session.model import Block, Message

LONGEST_QUOTE = 600
_LONGEST_VALUE, _MOST_WORDS, _MOST_CJK = 120, 12, 30
_FEWEST_WORDS, _MOST_REPEATED = 3, 6
"""Words of a quote at least, and of one that is all value at most."""
_WINDOW, _CJK_WINDOW, _LONGEST_READ = 6, 12, 240
_TOKEN = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]|[^\W_\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+")
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_SENTENCE_END = re.compile(r"(?<![.\s]\w)[.!?…]$|[。！？]")
_NEXT_SENTENCE = re.compile(r"[.!?]\s+[^\W\d_]|[。！？；]|\n")
_EDGES = " \t\n\r.,;:!?。，；：！？\"'“”‘’()（）[]*_`"


class Ungrounded(Exception):
    """An opinion that the text does not bear out; the message is the cause it is counted under."""


def is_sentence(value: str) -> bool:
    """Whether `value` says something rather than naming it."""
    text = " ".join(value.split())
    words, cjk = len(text.split()), len(_CJK.findall(text))
    if len(text) > _LONGEST_VALUE or words > _MOST_WORDS or cjk > _MOST_CJK or _NEXT_SENTENCE.search(value.strip()):
        return True
    return words > _FEWEST_WORDS and bool(_SENTENCE_END.search(text)) and read(text).kind in ("name", "word", "phrase")


def locate(quote: str, line: int | None, excerpt: Excerpt) -> Said:
    """Where in its branch `quote` stands, verbatim but for white space: the line that is named, if it stands there.

    Else, of the lines where it stands, the one of the weakest evidence, and of those the first: a quote that can be in
    two mouths is not put into the stronger. Raises Ungrounded.
    """
    words = shown(quote).split()
    if not words:
        raise Ungrounded("empty quote")
    if sum(map(len, words)) > LONGEST_QUOTE:
        raise Ungrounded("quote too long")
    wanted = " ".join(words)
    named = _block_of(line, excerpt)
    if named is not None and (found := _found(wanted, excerpt, *named, near=line)) is not None:
        return _long_enough(found, excerpt)
    places = (_found(wanted, excerpt, m, b) for m, b in _blocks(excerpt))
    found = min(
        (place for place in places if place), key=lambda p: (p.channel.evidence, p.message, p.block), default=None
    )
    if found is None:
        raise Ungrounded("quote not found")
    return _long_enough(found, excerpt)


def _block_of(line: int | None, excerpt: Excerpt) -> tuple[int, int] | None:
    return next(((each.message, each.block) for each in excerpt.lines if each.number == line), None)


def _blocks(excerpt: Excerpt) -> Iterable[tuple[int, int]]:
    """The blocks that the model was shown something of."""
    return dict.fromkeys((line.message, line.block) for line in excerpt.lines)


def _found(wanted: str, excerpt: Excerpt, message: int, block: int, *, near: int | None = None) -> Said | None:
    """The place of `wanted`, single blanks between its words, in one block: from the line `near` on, else the first."""
    text = block_of(excerpt, message, block)
    start = next((each.start for each in excerpt.lines if each.number == near), 0)
    place = _folded(text.text).find(wanted, start) or (_folded(text.text).find(wanted) if start else None)
    if place is None:
        return None
    return Said(message, block, *place, _shown(text.text)[slice(*place)], "prose", text.channel)


class _Folded:
    """A text with its white space as single blanks, in which strings are found in linear time, and the way back."""

    def __init__(self, text: str) -> None:
        parts, self._here, self._there = [], [0], [0]
        length = last = 0
        for run in re.finditer(r"\s+", text):
            parts.append(text[last : run.start()])
            length += run.start() - last + 1
            last = run.end()
            self._here.append(length)
            self._there.append(last)
        self._text = " ".join([*parts, text[last:]])

    def find(self, wanted: str, start: int = 0) -> tuple[int, int] | None:
        """(start, end) in the text as it was of the first `wanted` that begins at its place `start` or later."""
        run = bisect_right(self._there, start) - 1
        behind = self._here[run + 1] if run + 1 < len(self._here) else len(self._text)
        at = self._text.find(wanted, min(self._here[run] + start - self._there[run], behind))
        return None if at < 0 else (self._back(at), self._back(at + len(wanted) - 1) + 1)

    def _back(self, at: int) -> int:
        run = bisect_right(self._here, at) - 1
        return self._there[run] + at - self._here[run]


@lru_cache(maxsize=4096)
def _folded(text: str) -> _Folded:
    return _Folded(_shown(text))


def block_of(excerpt: Excerpt, message: int, block: int) -> Block:
    """A block of the branch."""
    return excerpt.session.messages[message].blocks[block]


@lru_cache(maxsize=4096)
def _shown(text: str) -> str:
    return shown(text)


def _long_enough(found: Said, excerpt: Excerpt) -> Said:
    """`found`, if it is so long that it says something: a word alone stands in lines that are about anything."""
    if len(_TOKEN.findall(found.text)) < _FEWEST_WORDS:
        text = block_of(excerpt, found.message, found.block).text
        line_start = text.rfind("\n", 0, found.start) + 1
        line_end = text.find("\n", found.end)
        whole = text[line_start : len(text) if line_end < 0 else line_end]
        if _TOKEN.findall(whole) != _TOKEN.findall(found.text):
            raise Ungrounded("quote too short")
    return found


def spelling(value: str, said: Said) -> str:
    """`value` as the quote at `said` writes it; yes and no are ours. Raises Ungrounded where the quote lacks it.

    “sixty seconds” in a quote is the value “60 s”.
    """
    wanted = read(value)
    if wanted.kind == "boolean":
        return wanted.identity
    quote = " ".join(said.text.split())
    words = plain(shown(value)).split()
    if not words:
        raise Ungrounded("empty value")
    first, last = words[0][0], words[-1][-1]
    before = r"(?<![^\W_])" if first.isalnum() and not _CJK.match(first) else ""
    after = r"(?![^\W_])" if last.isalnum() and not _CJK.match(last) else ""
    match = re.search(before + r"\s+".join(map(re.escape, words)) + after, quote, re.IGNORECASE)
    if match is not None:
        if match[0].strip(_EDGES) == quote.strip(_EDGES) and len(_TOKEN.findall(quote)) > _MOST_REPEATED:
            raise Ungrounded("sentence as value")
        return match[0]
    written = next((text for text in _windows(quote) if read(text) == wanted), None) if _typed(wanted) else None
    if written is None:
        raise Ungrounded("value not in its quote")
    return written


def mentions(message: Message, key: str, value: str) -> bool:
    """Whether `message` speaks of the slot `key` or of its `value`: a conclusion names what it rests on."""
    text = "\n".join(block.text for block in message.blocks if block.kind == "text")
    spelled = " ".join(plain(value).casefold().split())
    return touches(key, text) or (bool(spelled) and spelled in " ".join(text.casefold().split()))


def _typed(value: Value) -> bool:
    """Whether `value` is of a kind that has several spellings."""
    return value.kind not in (*NOMINAL, "none")


def _windows(quote: str) -> Iterable[str]:
    """The short stretches of `quote`, the longest first; of a very long one none."""
    if len(quote) > _LONGEST_READ:
        return
    words = quote.split(" ")
    for size in range(min(_WINDOW, len(words)), 0, -1):
        for at in range(len(words) - size + 1):
            if text := " ".join(words[at : at + size]).strip(_EDGES):
                yield text
    if _CJK.search(quote):
        for size in range(min(_CJK_WINDOW, len(quote)), 0, -1):
            for at in range(len(quote) - size + 1):
                if text := quote[at : at + size].strip(_EDGES):
                    yield text


def vocabulary(excerpts: Sequence[Excerpt], current: str | None) -> Vocabulary:
    """The words of the lines that were shown."""
    from beliefmerge.algebra.trust import own_trust

    def said(excerpt: Excerpt, line: Line) -> str:
        return block_of(excerpt, line.message, line.block).text[line.start : line.end]

    return Vocabulary(
        (
            said(excerpt, line),
            line.channel.evidence,
            own_trust(line.channel, is_current=excerpt.session.id == current, declared=excerpt.session.trust),
        )
        for excerpt in excerpts
        for line in excerpt.lines
    )
