"""Elitist: the strongest witness decides, numbers break ties (leximax on the sorted evidence vector)."""

from __future__ import annotations

from collections.abc import Sequence


class Elitist:
    """Witness counts by evidence level, strongest first; comparing them in order is leximax."""

    name = "elitist"

    def total(self, levels: Sequence[int]) -> tuple[int, ...]:
        """``(n4, n3, n2, n1)``."""
        counts = [0, 0, 0, 0]
        for level in levels:
            counts[4 - level] += 1
        return tuple(counts)


SCORE = Elitist()
