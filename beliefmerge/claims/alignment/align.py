"""Anti-unification: clauses that share a template and differ in one short span (Plotkin, 1970).

"Der Server läuft auf Port 80" and "… Port 8080" are one slot: the template is its key, the spans are its values. A
clause is a sequence of tokens; a hole is a span of it; two clauses match when what is left of and right of their holes
is equal. Every clause goes to the largest group it fits, of those to the one with the tightest holes.
"""

# ruff: noqa: SIM905 (word classes are easier to read and to extend as text)

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

WIDEST = 8
"""Half tokens in a hole: a word counts two, a character of a script without spaces one."""
LONGEST = 60
"""Tokens of a clause that is aligned."""

_TOKEN = re.compile(
    r"[\u3040-\u30ff\u3400-\u9fff]|"
    r"[^\W\d_\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+(?:[-_./'’@+]?[^\W_\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+)*|"
    r"\d+(?:[.,:/-]\d+)*|[\uac00-\ud7af]+|[%$€£¥°#]"
)
_ARTICLES = frozenset("the a an".split())


class Token(NamedTuple):
    """A token as compared, and its place in the clause."""

    text: str
    start: int
    end: int


class Hole(NamedTuple):
    """The span ``tokens[start:end]`` of clause `clause`."""

    clause: int
    start: int
    end: int


def tokenise(text: str) -> list[Token]:
    """Tokens of a clause: words, numbers, single characters where a script has no spaces. Articles are left out."""
    out: list[Token] = []
    for match in _TOKEN.finditer(text):
        word = match.group().casefold()
        if word not in _ARTICLES or (match.group() == "A" and out):
            out.append(Token(word, match.start(), match.end()))
    return out


def width(tokens: Iterable[str]) -> int:
    """Half tokens that `tokens` are wide."""
    return sum(map(_width, tokens))


def _width(token: str) -> int:
    return 1 if len(token) == 1 and "\u3040" <= token <= "\u9fff" else 2


def groups(clauses: Sequence[Sequence[str]]) -> list[list[Hole]]:
    """Sets of holes with equal surroundings, two clauses or more in each, no clause twice in one.

    Holes that all begin or all end with one token are left out: that token belongs to the template. Linear in
    the number of holes whose surroundings on either side occur elsewhere too.
    """
    hashes = [(_running(tokens), _running(tokens[::-1])) if len(tokens) <= LONGEST else ([], []) for tokens in clauses]
    heads = Counter(value for before, _ in hashes for value in before)
    tails = Counter(value for _, after in hashes for value in after)
    found: dict[tuple[int, int], list[Hole]] = defaultdict(list)
    for clause, (tokens, (before, after)) in enumerate(zip(clauses, hashes, strict=True)):
        for start, end in _holes(tokens, before, after, heads, tails):
            found[before[start], after[len(tokens) - end]].append(Hole(clause, start, end))
    out = []
    for members in found.values():
        if len(members) < 2:
            continue
        exact: dict[tuple[tuple[str, ...], tuple[str, ...]], dict[int, Hole]] = defaultdict(dict)
        for hole in members:
            tokens = clauses[hole.clause]
            exact[tuple(tokens[: hole.start]), tuple(tokens[hole.end :])].setdefault(hole.clause, hole)
        out += [
            list(same.values()) for same in exact.values() if len(same) > 1 and _tight(list(same.values()), clauses)
        ]
    return out


def _holes(
    tokens: Sequence[str], before: Sequence[int], after: Sequence[int], heads: Counter[int], tails: Counter[int]
) -> Iterator[tuple[int, int]]:
    """Every span of at most `WIDEST` that leaves something, between a beginning and an ending that occur elsewhere."""
    count = len(before) - 1
    for start in range(count):
        if heads[before[start]] < 2:
            return
        wide = 0
        for end in range(start + 1, count + 1):
            wide += _width(tokens[end - 1])
            if wide > WIDEST:
                break
            if end - start < count and tails[after[count - end]] > 1:
                yield start, end


def _tight(holes: Sequence[Hole], clauses: Sequence[Sequence[str]]) -> bool:
    """Whether the holes begin with more than one token, and end with more than one."""
    first = {clauses[hole.clause][hole.start] for hole in holes}
    last = {clauses[hole.clause][hole.end - 1] for hole in holes}
    return len(first) > 1 and len(last) > 1


def _running(tokens: Sequence[str]) -> list[int]:
    out, value = [0], 0
    for token in tokens:
        value = hash((value, token))
        out.append(value)
    return out
