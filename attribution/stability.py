"""Do repeats over disjoint designs agree? Rank correlation, concordance, and what chance alone would pass."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import TypeAlias

import numpy as np

from attribution.arrays import Floats

Agreement: TypeAlias = Callable[[Floats, Floats], float]


def spearman(x: Floats, y: Floats) -> float:
    """Spearman's rank correlation (1904), ties at their mean rank; 0 where either side does not vary."""
    from scipy.stats import rankdata

    return pearson(rankdata(x), rankdata(y))


def pearson(x: Floats, y: Floats) -> float:
    """Pearson's correlation; 0 where either side does not vary."""
    if len(x) < 2 or np.ptp(x) == 0.0 or np.ptp(y) == 0.0:
        return 0.0
    a, b = x - np.mean(x), y - np.mean(y)
    return float(a @ b / np.sqrt((a @ a) * (b @ b)))


def concordance(x: Floats, y: Floats) -> float:
    """Lin's concordance correlation (1989): agreement of the values themselves; 1 only where they are equal."""
    if len(x) < 2:
        return 0.0
    spread = float(np.var(x) + np.var(y) + (np.mean(x) - np.mean(y)) ** 2)
    return 0.0 if spread == 0.0 else float(2.0 * np.mean((x - np.mean(x)) * (y - np.mean(y))) / spread)


AGREEMENTS: dict[str, Agreement] = {"spearman": spearman, "concordance": concordance}


def mean_pairwise(weights: Floats, agreement: Agreement) -> float:
    """Mean agreement over all pairs of repeats; `weights` is [R, D], R >= 2."""
    found = [agreement(a, b) for a, b in itertools.combinations(weights, 2)]
    return float(np.mean(found))


def false_pass_rate(
    weights: Floats, agreement: Agreement, threshold: float, rng: np.random.Generator, draws: int = 500
) -> float:
    """The share of `draws` in which repeats whose entries are shuffled independently would pass `threshold`."""
    passed = 0
    for _ in range(draws):
        shuffled = np.vstack([rng.permutation(row) for row in weights])
        passed += mean_pairwise(shuffled, agreement) >= threshold
    return passed / draws
