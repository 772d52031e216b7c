"""Designs: which contexts are tried. One file a design in `attribution.designs`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from attribution.arrays import Floats, Masks
from beliefmerge.registry import Registry


@dataclass(frozen=True, eq=False)
class Design:
    """Masks to score. Where `paired`, row ``i + N/2`` is the complement of row i.

    `idle` is [N, K], entries -1 and 1: contrasts orthogonal to each other, to the intercept and to all entries, that no
    entry stands for; what they pick up is noise and odd interactions.
    """

    name: str
    masks: Masks
    idle: Floats | None = None
    paired: bool = False

    @property
    def signs(self) -> Floats:
        """The masks as -1 and 1."""
        return np.where(self.masks, 1.0, -1.0)


Drawing: TypeAlias = Callable[[int, int, np.random.Generator], Design]
"""(entries D, ablations N, generator) -> a design of N rows. Raises UsageError when it has none of that size."""

DESIGNS: Registry[Drawing] = Registry("design", "attribution.designs", "DESIGN")


def room_for(entries: int, *, intervals: bool = True) -> int:
    """The least N for a fold-over of `entries` columns: a power of two, at least 2 D, or 4 D with `intervals`."""
    wanted = (4 if intervals else 2) * max(entries, 1)
    return max(4, 1 << (wanted - 1).bit_length())
