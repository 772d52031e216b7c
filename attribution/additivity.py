"""How far from additive a step is, and which entries share their credit."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from attribution.arrays import Floats, Masks
from attribution.design import Design

SHARE = 0.15
"""An even share above this flags a step as not additive."""
TOP = 6
"""Entries among which pairwise terms are fitted."""


def even_share(design: Design, y: Floats) -> float | None:
    """``Var((y(m) + y(not m)) / 2) / Var(y)``: what no additive surrogate can explain, at the least; 0..1.

    An additive response is odd about its mean under complement, so the mean of a pair does not vary. Redundancy,
    saturation and conjunction make it vary, and so does noise. None for a design without pairs.
    """
    if not design.paired:
        return None
    total = float(np.var(y))
    half = len(y) // 2
    return 0.0 if total == 0.0 else float(np.var((y[:half] + y[half:]) / 2.0)) / total


@dataclass(frozen=True, slots=True)
class Pair:
    """Two entries and what keeping both adds to what each adds alone (log-odds per token).

    `first` and `second` are their effects where the other is absent; a negative `joint` says they share credit
    (redundant), a positive one that they need each other.
    """

    a: int
    b: int
    first: float
    second: float
    joint: float

    @property
    def shares(self) -> bool:
        """Whether either could stand in for the other: together they add at most half of the smaller effect more."""
        return -self.joint >= 0.5 * min(self.first, self.second) > 0.0

    @property
    def both(self) -> float:
        """What the two add together."""
        return self.first + self.second + self.joint


def extra_masks(entries: int, top: Sequence[int], count: int, rng: np.random.Generator) -> Masks:
    """[count, D]: masks for pairwise terms: every combination of the `top` entries in turn, the others kept with
    probability one half.
    """
    masks = rng.random((count, entries)) < 0.5
    cells = list(itertools.product((False, True), repeat=len(top)))
    order = [cells[i] for i in rng.permutation(len(cells))]
    for row, cell in zip(masks, itertools.cycle(order), strict=False):
        row[list(top)] = cell
    return masks


def pairs(masks: Masks, y: Floats, top: Sequence[int]) -> list[Pair]:
    """Pairwise terms among the `top` entries: least squares with all main effects and these products, strongest first.

    A slight ridge (1e-6) settles what the masks cannot tell apart.
    """
    chosen = list(itertools.combinations(top, 2))
    kept = masks.astype(np.float64)
    x = np.hstack([np.ones((len(y), 1)), kept, *(kept[:, [a]] * kept[:, [b]] for a, b in chosen)])
    penalty = 1e-6 * len(y) * np.eye(x.shape[1])
    penalty[0, 0] = 0.0
    solved = np.linalg.solve(x.T @ x + penalty, x.T @ y)
    d = masks.shape[1]
    found = [
        Pair(a, b, float(solved[1 + a]), float(solved[1 + b]), float(solved[1 + d + k]))
        for k, (a, b) in enumerate(chosen)
    ]
    return sorted(found, key=lambda pair: (-abs(pair.joint), pair.a, pair.b))
