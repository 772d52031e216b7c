"""Anti-unification: clauses that share a template and differ in one short span (Plotkin, 1970).

"Der Server läuft auf Port 80" and "… Port 8080" are one slot: the template is its key, the spans are its values. A
clause is a sequence of tokens; a hole is a span of it; two clauses match when what is left of and right of their holes
is equal. Every clause goes to the largest group it fits, of those to the one with the tightest holes.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

WIDEST = 8
"""Half tokens in a hole: a word counts two, a character of a script without spaces one."""
LONGEST = 60
"""Tokens of a clause that is aligned."""

_TOKEN = re.compile(
    r"[\u3040-\u30ff\u3400-\u9fff]|[^\W\d_\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+(?:[-_./'’@+]?[^\W_\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+)*|"
    r"\d+(?:[.,:/-]\d+)*|[\uac00-\ud7af]+|[%$€£¥°#]"
)
_NARROW = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]")
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
    out = []
    for match in _TOKEN.finditer(text):
        word = match.group().casefold()
        if word not in _ARTICLES or (match.group() == "A" and out):
            out.append(Token(word, match.start(), match.end()))
    return out


def width(tokens: Iterable[str]) -> int:
    """Half tokens that `tokens` are wide."""
    return sum(1 if len(token) == 1 and _NARROW.match(token) else 2 for token in tokens)


def holes(tokens: Sequence[str]) -> Iterable[tuple[int, int]]:
    """Every span that may be a hole: not the whole clause, at most `WIDEST` wide."""
    count = len(tokens)
    for start in range(count):
        wide = 0
        for end in range(start + 1, count + 1):
            wide += width(tokens[end - 1 : end])
            if wide > WIDEST:
                break
            if end - start < count:
                yield start, end


def groups(clauses: Sequence[Sequence[str]]) -> list[list[Hole]]:
    """Maximal sets of holes with equal surroundings, two clauses or more in each, no clause twice in one.

    Linear in the number of holes; `beliefmerge.claims.columns` finds beforehand which clauses can match at all.
    """
    found: dict[tuple[int, int], list[Hole]] = defaultdict(list)
    for clause, tokens in enumerate(clauses):
        if len(tokens) > LONGEST:
            continue
        before, after = _running(tokens), _running(tokens[::-1])
        for start, end in holes(tokens):
            found[before[start], after[len(tokens) - end]].append(Hole(clause, start, end))
    out = []
    for members in found.values():
        if len(members) < 2:
            continue
        exact: dict[tuple[tuple[str, ...], tuple[str, ...]], dict[int, Hole]] = defaultdict(dict)
        for hole in members:
            tokens = clauses[hole.clause]
            exact[tuple(tokens[: hole.start]), tuple(tokens[hole.end :])].setdefault(hole.clause, hole)
        out += [list(same.values()) for same in exact.values() if len(same) > 1]
    return out


def _running(tokens: Sequence[str]) -> list[int]:
    out, value = [0], 0
    for token in tokens:
        value = hash((value, token))
        out.append(value)
    return out
