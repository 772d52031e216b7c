"""Utilitarian with a cap: beyond a point more witnesses of one value add nothing."""

from __future__ import annotations

from collections.abc import Sequence


class Capped:
    """Sum of weights up to `cap`, two user statements by default."""

    name = "capped"

    def __init__(self, cap: int = 16) -> None:
        self.cap = cap

    def total(self, levels: Sequence[int]) -> tuple[int, ...]:
        """``(min(cap, sum of 2**(level - 1)),)``."""
        return (min(self.cap, sum(1 << (level - 1) for level in levels)),)


SCORE = Capped()
