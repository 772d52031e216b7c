"""Copulas and negation of other languages; what no frame reads is left to alignment."""

from __future__ import annotations

from beliefmerge.claims import english
from beliefmerge.claims.reading import Parsed


def parse(text: str, kind: str) -> Parsed:
    """Clauses of a sentence that is neither English nor Chinese."""
    return english.parse(text, kind)
