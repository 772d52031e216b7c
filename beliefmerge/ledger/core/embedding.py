"""What maps a text to a vector, and a deterministic stand-in that needs no model."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TypeAlias
from zlib import crc32

from beliefmerge.ledger.core.likeness import words

Embed: TypeAlias = Callable[[str], Sequence[float]]
"""A text to a vector of one length for all texts. It must answer the same text alike for ever: verdicts rest on it."""


def hashing(text: str, dimensions: int = 256) -> list[float]:
    """Signed counts of hashed words, scaled to length 1 (Weinberger et al. 2009); the zero vector without words."""
    vector = [0.0] * dimensions
    for word in words(text):
        value = crc32(word.encode("utf-8", "surrogatepass"))
        vector[value % dimensions] += 1 if value & 0x80000000 else -1
    norm = math.sqrt(sum(x * x for x in vector))
    return [x / norm for x in vector] if norm else vector
