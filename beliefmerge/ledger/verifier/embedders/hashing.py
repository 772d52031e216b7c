"""Feature hashing (Weinberger et al., 2009) of words and character trigrams: deterministic, no model, no meaning.

It sees spelling only, so that a test or a machine without a model has an embedder that is always the same.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from hashlib import blake2b

from beliefmerge.ledger.verifier.embedders import Vector, normalised

_WORD = re.compile(r"\w+")


class Hashing:
    """Vectors of `size` numbers."""

    name = "hashing"
    floor = 0.6

    def __init__(self, size: int = 256) -> None:
        self._size = size

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        """One vector a text."""
        return [self._vector(text) for text in texts]

    def _vector(self, text: str) -> Vector:
        vector = [0.0] * self._size
        for word in _WORD.findall(text.casefold()):
            padded = f"^{word}$"
            for feature in (padded, *(padded[i : i + 3] for i in range(len(padded) - 2))):
                value = int.from_bytes(blake2b(feature.encode("utf-8", "surrogatepass"), digest_size=8).digest())
                vector[(value >> 1) % self._size] += 1.0 if value & 1 else -1.0
        return normalised(vector)


EMBEDDER = Hashing
