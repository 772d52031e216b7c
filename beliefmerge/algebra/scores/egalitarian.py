"""Egalitarian: every witness adds its weight (1, 2, 4, 8)."""

from __future__ import annotations

from collections.abc import Sequence


class Egalitarian:
    """Sum of weights; two weak witnesses can balance one strong one."""

    name = "egalitarian"

    def total(self, levels: Sequence[int]) -> tuple[int, ...]:
        """``(sum of 2**(level - 1),)``."""
        return (sum(1 << (level - 1) for level in levels),)


SCORE = Egalitarian()
