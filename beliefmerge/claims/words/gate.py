"""Gates: whether any of a few words occurs in a text, asked before a costly pattern is tried."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from beliefmerge.claims.words.lexicon import VERB_BASE

_WORD = re.compile(r"[^\W_]+")


@lru_cache(maxsize=1 << 12)
def words(text: str) -> frozenset[str]:
    """The words of `text` in lower case; "isn't" is "isn" and "t"."""
    return frozenset(_WORD.findall(text.casefold()))


def first_word(text: str) -> str:
    """The first word of `text` in lower case."""
    match = _WORD.search(text)
    return match.group().casefold() if match else ""


class Gate:
    """Open for texts in which one of its words occurs. What needs one of them cannot match where it is shut."""

    def __init__(self, listed: str, *, verbs: Iterable[str] = ()) -> None:
        bases = frozenset(verbs)
        forms = {form for form, base in VERB_BASE.items() if base in bases}
        regular = {base + ending for base in bases for ending in ("s", "ed", "d", "ing")}
        self._words = frozenset(listed.split()) | forms | bases | regular

    def __call__(self, text: str) -> bool:
        """Whether one of the words occurs in `text`."""
        return not self._words.isdisjoint(words(text))

    def opens(self, text: str) -> bool:
        """Whether `text` begins with one of the words."""
        return first_word(text) in self._words
