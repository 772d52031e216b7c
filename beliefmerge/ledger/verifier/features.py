"""What stage A compares of a text: its content words, quantities, polarity, and words that exclude each other."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from beliefmerge.claims.alignment.align import tokenise
from beliefmerge.claims.clauses.negation import positive
from beliefmerge.claims.values.normalise import NOMINAL, Value, may_be_typed, plain, read
from beliefmerge.claims.words.function import FUNCTION
from beliefmerge.claims.words.keys import stem
from beliefmerge.claims.words.lexicon import BE, DIMENSION, VERB_TENSE

_LONGEST = 4
"""Words of a quantity."""
_OPPOSITES = (
    "increase decrease|rise fall|grow shrink|gain lose|win lose|accept reject|approve reject|confirm deny|pass fail|"
    "succeed fail|support oppose|allow forbid|allow ban|permit forbid|open close|begin end|start stop|before after|"
    "more less|above below|higher lower|true false|guilty innocent|safe dangerous|safe harmful|healthy sick|"
    "possible impossible|legal illegal|profit loss|guilty acquitted|convict acquit|arrive depart|enter leave|"
    "strong weak|good bad|right wrong|clean dirty|clean pollute|run stop|work break"
)
_DENYING = ("un", "in", "im", "il", "ir", "non", "dis")
_POSSESSIVE = re.compile("['’]s$")
_INFLECTED = frozenset(form for form, tense in VERB_TENSE.items() if tense) | BE
_GAP = "the"
"""Stands for a quantity, so that the words around it are not neighbours."""
OPPOSITES = frozenset(frozenset(pair.split()) for pair in _OPPOSITES.split("|"))


@dataclass(frozen=True, slots=True)
class Features:
    """`stems` are the content words of the positive text, quantities left out; `negated` says that it was negative.

    `attributes` are the stems that stand right before a content word: they say which thing is meant ("the north lift").
    """

    stems: frozenset[str]
    quantities: frozenset[Value]
    negated: bool
    attributes: frozenset[str]


@lru_cache(maxsize=1 << 14)
def features(text: str) -> Features:
    """The features of `text`."""
    clause, negated = positive(plain(text))
    quantities, rest = _quantities(clause.split())
    words = [_POSSESSIVE.sub("", token.text) for token in tokenise(" ".join(rest))]
    stems = [stem(word) if word not in FUNCTION and stem(word) != "is" else "" for word in words]
    before = {
        one for one, word, after in zip(stems, words, stems[1:], strict=False) if after and word not in _INFLECTED
    }
    return Features(frozenset(stems) - {""}, frozenset(quantities), negated, frozenset(before) - {""})


def _quantities(words: list[str]) -> tuple[list[Value], list[str]]:
    """What of `words` is a number, a quantity with a unit, a date or a time, and the words that are left."""
    found: list[Value] = []
    rest: list[str] = []
    at = 0
    while at < len(words):
        size, value = _longest(words[at : at + _LONGEST])
        if value is None or (value.kind == "number" and _designates(words, at, at + size)):
            rest += words[at : at + size]
        else:
            found.append(value)
            rest.append(_GAP)
        at += size
    return found, rest


def _designates(words: list[str], start: int, end: int) -> bool:
    """Whether a number is part of a name: after a noun, and before none that it could count ("server 12 is down")."""
    before = plain(words[start - 1]).casefold() if start else ""
    after = plain(words[end]).casefold() if end < len(words) else ""
    counts_nothing = not after or after in FUNCTION or after in _INFLECTED
    return counts_nothing and bool(before) and before not in FUNCTION and before not in _INFLECTED


def _longest(words: list[str]) -> tuple[int, Value | None]:
    """The longest beginning of `words` that is a quantity; a counted noun stays a word."""
    if may_be_typed([plain(words[0]).casefold()]):
        for size in range(len(words), 0, -1):
            value = read(" ".join(words[:size]))
            if value.identity and value.kind not in (*NOMINAL, "boolean", "none") and ":" not in value.kind:
                return size, value
    return 1, None


def likeness(one: Features, other: Features) -> float:
    """Jaccard of the content words, 0..1."""
    either = one.stems | other.stems
    return len(one.stems & other.stems) / len(either) if either else 0.0


def containment(one: Features, other: Features) -> float:
    """The share of the shorter text's content words that the other has, 0..1."""
    fewer = min(len(one.stems), len(other.stems))
    return len(one.stems & other.stems) / fewer if fewer else 0.0


def differing_quantities(one: Features, other: Features) -> frozenset[str]:
    """The kinds of which both have quantities, and not the same ones."""
    kinds = {value.kind for value in one.quantities} & {value.kind for value in other.quantities}
    return frozenset(
        kind
        for kind in kinds
        if {v for v in one.quantities if v.kind == kind} != {v for v in other.quantities if v.kind == kind}
    )


def opposed_words(one: Features, other: Features) -> tuple[str, str] | None:
    """A word of each that excludes the other: “open” and “closed”, “rose” and “fell”, “safe” and “unsafe”."""
    for mine in sorted(one.stems - other.stems - one.attributes):
        for theirs in sorted(other.stems - one.stems - other.attributes):
            if opposite(mine, theirs):
                return mine, theirs
    return None


def opposite(one: str, other: str) -> bool:
    """Whether two words exclude each other."""
    if one == other:
        return False
    if frozenset((one, other)) in OPPOSITES or _denies(one, other) or _denies(other, one):
        return True
    return one in DIMENSION and DIMENSION[one] == DIMENSION.get(other)


def _denies(longer: str, shorter: str) -> bool:
    return len(shorter) > 3 and any(longer == prefix + shorter for prefix in _DENYING)
