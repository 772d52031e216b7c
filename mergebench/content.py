"""Content words: what of a text says something, in the form in which it is compared."""

# ruff: noqa: SIM905 (a list of words is easier to read and to extend as text)

from __future__ import annotations

import functools

from beliefmerge.claims.words.function import FUNCTION
from beliefmerge.claims.words.keys import stem
from beliefmerge.pack.relevance import terms

_MORE = frozenset(
    "all am any been being both could did do does done down each get got had has have having her here him his how its "
    "just may me might mine must my off our out own shall she should some such them there these they those through too "
    "up us was were what when where why will would your "
    "d ll m re s t ve".split()
)


@functools.lru_cache(maxsize=65536)
def content_words(text: str) -> tuple[str, ...]:
    """The words of `text` in order, folded and in their base forms, without those that only hold a sentence together.

    Where a script puts no spaces between words, overlapping pairs of characters.
    """
    return tuple(stem(word) for word in terms(text) if word not in FUNCTION and word not in _MORE)
