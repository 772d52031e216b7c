"""Near-copies: texts of which more than 0.7 of the shingles agree, or whose embeddings point the same way.

Shingles are the words of a text and its pairs of neighbouring words (Broder 1997); Jaccard similarity on them is exact.
Candidates come from a prefix filter (Bayardo, Ma & Srikant 2007), which loses no pair, where a MinHash sketch of fixed
length loses some: in any one order of all shingles, two sets of similarity above t share a shingle among the first
``n − ⌈t·n⌉ + 1`` of each. The order here is latest seen first, so that what all texts say comes last.
"""

from __future__ import annotations

import re
import unicodedata
from array import array
from collections.abc import Callable, Iterable, Sequence, Set
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

JACCARD = (7, 10)
"""Similarity above which two texts are copies."""
COSINE = 0.92
COSINE_WORDS = 40
"""Words both texts need for their embeddings to be compared: short texts on one matter all look alike."""
TIGHT_JACCARD = (85, 100)
TIGHT_COSINE = 0.98
"""Within half of the copies' distance, which is a metric for both measures (Jaccard's; the angle, of which
``cos(arccos(0.92) / 2)`` = 0.9798): two texts this near to a third are copies of each other."""

_UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_IGNORABLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff"
    "\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
"""What is not seen (Unicode's Default_Ignorable_Code_Point): a soft hyphen in a word makes no other word."""
_WORD = re.compile(rf"[{_UNSPACED}]|(?:(?![{_UNSPACED}])\w)+")


def words(text: str) -> list[str]:
    """The words of `text` as they are seen, compatibility-folded, without case; each character one in scripts without
    spaces.
    """
    return _WORD.findall(_seen(text).casefold())


def _seen(text: str) -> str:
    return unicodedata.normalize("NFKC", _IGNORABLE.sub("", text))


def shingles(text: str) -> frozenset[str]:
    """Words and pairs of neighbouring words; of a text without words, the text itself."""
    said = words(text)
    if not said:
        return frozenset([_seen(text).strip()])
    return frozenset(said) | frozenset(map(" ".join, pairwise(said)))


def alike(a: Set[str], b: Set[str]) -> bool:
    """Whether the exact Jaccard similarity of two sets of shingles exceeds 0.7."""
    return _exceeds(len(a & b), len(a) + len(b), JACCARD)


def _exceeds(common: int, sizes: int, limit: tuple[int, int]) -> bool:
    return common * limit[1] > (sizes - common) * limit[0]


@dataclass(frozen=True, slots=True)
class Document:
    """A text as an index compares it."""

    shingles: array[int]
    """Numbers of its shingles, greatest first."""
    vector: Any
    """Its embedding as a numpy vector of length 1, or None."""


@dataclass(frozen=True, slots=True)
class Copy:
    """An indexed text that the one asked about is a copy of."""

    key: int
    tight: tuple[bool, bool]
    """Whether it is within half the distance, by shingles and by embedding."""


class Copies:
    """An index of texts that finds the near-copies of another."""

    def __init__(self, embed: Callable[[str], Sequence[float]] | None = None) -> None:
        self._embed = embed
        self._numbers: dict[str, int] = {}
        self._texts: dict[int, Document] = {}
        self._postings: dict[int, list[int]] = {}
        self._vectors: Any = None
        self._embedded: list[int] = []

    def read(self, text: str) -> Document:
        """`text` as this index compares it."""
        numbers = self._numbers
        found = sorted((numbers.setdefault(s, len(numbers)) for s in shingles(text)), reverse=True)
        return Document(array("L", found), self._vector(text))

    def add(self, key: int, text: Document) -> None:
        """Index `text` under `key`."""
        self._texts[key] = text
        for number in _prefix(text):
            self._postings.setdefault(number, []).append(key)
        if text.vector is not None:
            self._keep(key, text.vector)

    def near(self, text: Document) -> list[Copy]:
        """The indexed texts that `text` is a copy of, by key."""
        own, tight = set(text.shingles), {}
        for key in self._candidates(text):
            other = self._texts[key].shingles
            sizes = len(own) + len(other)
            common = len(own.intersection(other))
            if _exceeds(common, sizes, JACCARD):
                tight[key] = (_exceeds(common, sizes, TIGHT_JACCARD), False)
        for key, cosine in self._cosines(text):
            tight[key] = (tight.get(key, (False, False))[0], cosine > TIGHT_COSINE)
        return [Copy(key, tight[key]) for key in sorted(tight)]

    def _candidates(self, text: Document) -> set[int]:
        size = len(text.shingles)
        keys: set[int] = set()
        for number in _prefix(text):
            keys.update(self._postings.get(number, ()))
        part, whole = JACCARD
        return {
            key
            for key in keys
            if part * size < whole * (other := len(self._texts[key].shingles)) and part * other < whole * size
        }

    def _vector(self, text: str) -> Any:
        if self._embed is None or len(words(text)) < COSINE_WORDS:
            return None
        import numpy as np

        vector = np.asarray(self._embed(text), dtype=np.float64)
        norm = float(np.linalg.norm(vector))
        return vector / norm if norm else None

    def _keep(self, key: int, vector: Any) -> None:
        import numpy as np

        used = len(self._embedded)
        if self._vectors is None:
            self._vectors = np.empty((16, len(vector)))
        elif used == len(self._vectors):
            self._vectors = np.concatenate([self._vectors, np.empty_like(self._vectors)])
        self._vectors[used] = vector
        self._embedded.append(key)

    def _cosines(self, text: Document) -> Iterable[tuple[int, float]]:
        if text.vector is None or not self._embedded:
            return []
        cosines = self._vectors[: len(self._embedded)] @ text.vector
        return [(self._embedded[i], float(cosines[i])) for i in (cosines > COSINE).nonzero()[0]]


def _prefix(text: Document) -> array[int]:
    size = len(text.shingles)
    needed = -(-size * JACCARD[0] // JACCARD[1])
    return text.shingles[: size - needed + 1]
