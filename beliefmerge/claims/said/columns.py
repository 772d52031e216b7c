"""Large inputs as columns: every sentence as a few numbers, so that what is worth reading in full can be told cheaply.

A sentence's columns are its place, the identity and salience of its text, and hashes of its words.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Sequence
from hashlib import blake2b
from typing import NamedTuple

from beliefmerge.claims.said import chatter
from beliefmerge.claims.said.scan import sentences
from beliefmerge.session.model import Session

KINDS = ("prose", "item", "code", "heading", "row", "json", "question", "echo", "done")
LONGEST = 60
"""Words of a sentence that is compared with others; a longer one is only read by its salience."""


class Columns(NamedTuple):
    """One row a sentence, in order; `words` are all sentences' word hashes on end, `size` how many each has."""

    session: array[int]
    message: array[int]
    block: array[int]
    start: array[int]
    end: array[int]
    kind: array[int]
    text: array[int]
    salience: array[int]
    size: array[int]
    words: array[int]

    @classmethod
    def empty(cls) -> Columns:
        """No rows."""
        return cls(*(array(code) for code in "iihiibQBBq"))

    def extend(self, other: Columns) -> None:
        """Append the rows of `other`."""
        for mine, theirs in zip(self, other, strict=True):
            mine.extend(theirs)


class Stretch(NamedTuple):
    """Messages ``first`` to before ``last`` of a session, which is the `number`-th."""

    number: int
    session: Session
    first: int
    last: int


def columns(stretches: Sequence[Stretch], dropped: Counter[str]) -> Columns:
    """The columns of these messages; what is no claim is counted in `dropped`."""
    out = Columns.empty()
    session, message, block, starts, ends, kinds, texts, saliences, counts, flat = out
    code = {kind: i for i, kind in enumerate(KINDS)}
    for number, each, first, last in stretches:
        for index in range(first, last):
            said = each.messages[index]
            for place, part in enumerate(said.blocks):
                if part.kind != "text" or not part.text:
                    continue
                for start, end, text, kind in sentences(part, dropped):
                    session.append(number)
                    message.append(index)
                    block.append(place)
                    starts.append(start)
                    ends.append(end)
                    kinds.append(code[kind])
                    texts.append(identity(text, kind))
                    saliences.append(int(chatter.salience(text) * 100))
                    words = words_of(text)
                    counts.append(len(words))
                    flat.extend(map(hash, words))
    return out


def identity(text: str, kind: str) -> int:
    """64 bits that tell one sentence from another, the same in every process."""
    digest = blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8, person=kind.encode())
    return int.from_bytes(digest.digest(), "little")


def words_of(text: str) -> Sequence[str]:
    """What two sentences are compared by here: lower-case words, or characters without spaces; at most `LONGEST`."""
    bare = text.rstrip(".!?。！？").lower()
    words: Sequence[str] = bare if " " not in bare and not bare.isascii() else bare.split()
    return words if len(words) <= LONGEST else ()


def halves(sessions: Sequence[Session]) -> tuple[list[Stretch], list[Stretch]]:
    """All messages in order, as two lists of about as many characters."""
    sizes = [[sum(len(block.text) for block in message.blocks) for message in each.messages] for each in sessions]
    left = sum(map(sum, sizes)) / 2
    out: tuple[list[Stretch], list[Stretch]] = ([], [])
    for number, (each, lengths) in enumerate(zip(sessions, sizes, strict=True)):
        cut = 0
        while cut < len(lengths) and left > 0:
            left -= lengths[cut]
            cut += 1
        out[0].append(Stretch(number, each, 0, cut))
        out[1].append(Stretch(number, each, cut, len(lengths)))
    return out
