"""Feature hashing of words: deterministic, no model, no meaning.

It sees spelling only, so that a test or a machine without a model has an embedder that is always the same.
"""

from __future__ import annotations

from collections.abc import Sequence

from beliefmerge.ledger.core.embedding import hashing
from beliefmerge.ledger.verifier.embedders import Vector


class Hashing:
    """Vectors of `size` numbers."""

    name = "hashing"
    floor = 0.5

    def __init__(self, size: int = 256) -> None:
        self._size = size

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        """One vector a text."""
        return [hashing(text, self._size) for text in texts]


EMBEDDER = Hashing
