"""Do repeats over disjoint designs agree? Rank correlation, concordance, and what chance alone would pass."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from attribution.arrays import Floats


@dataclass(frozen=True, slots=True)
class Agreement:
    """How far two repeats agree, -1..1: their centred values' product times a factor that shuffling does not change.

    `prepare` turns a repeat's weights into the values that are compared.
    """

    prepare: Callable[[Floats], Floats]
    factor: Callable[[Floats, Floats], float]

    def __call__(self, x: Floats, y: Floats) -> float:
        """The agreement of two repeats, [D] each."""
        x, y = self.prepare(x), self.prepare(y)
        return float((x - x.mean()) @ (y - y.mean())) * self.factor(x, y)


def _ranks(x: Floats) -> Floats:
    """Ranks from 1, ties at their mean."""
    order = np.sort(x)
    return (np.searchsorted(order, x, "left") + np.searchsorted(order, x, "right") + 1) / 2.0


def _values(x: Floats) -> Floats:
    return x


def _correlation(x: Floats, y: Floats) -> float:
    spread = len(x) * float(np.std(x) * np.std(y))
    return 1.0 / spread if spread > 0.0 else 0.0


def _lin(x: Floats, y: Floats) -> float:
    spread = len(x) * float(np.var(x) + np.var(y) + (x.mean() - y.mean()) ** 2)
    return 2.0 / spread if spread > 0.0 else 0.0


pearson = Agreement(_values, _correlation)
"""Pearson's correlation; 0 where either side does not vary."""
spearman = Agreement(_ranks, _correlation)
"""Spearman's rank correlation (1904), ties at their mean rank; 0 where either side does not vary."""
concordance = Agreement(_values, _lin)
"""Lin's concordance correlation (1989): agreement of the values themselves; 1 only where they are equal."""

AGREEMENTS = {"spearman": spearman, "concordance": concordance}


def mean_pairwise(weights: Floats, agreement: Agreement) -> float:
    """Mean agreement over all pairs of repeats; `weights` is [R, D], R >= 2."""
    return float(np.mean([agreement(a, b) for a, b in itertools.combinations(weights, 2)]))


def false_pass_rate(
    weights: Floats, agreement: Agreement, threshold: float, rng: np.random.Generator, draws: int = 500
) -> float:
    """The share of `draws` in which repeats whose entries are shuffled independently would pass `threshold`."""
    rows = np.vstack([agreement.prepare(row) for row in weights])
    centred = rows - rows.mean(axis=1, keepdims=True)
    shuffled = rng.permuted(np.broadcast_to(centred, (draws, *rows.shape)), axis=2)
    pairs = list(itertools.combinations(range(len(rows)), 2))
    total = sum(
        agreement.factor(rows[i], rows[j]) * np.einsum("nd,nd->n", shuffled[:, i], shuffled[:, j]) for i, j in pairs
    )
    return float(np.mean(np.asarray(total) / len(pairs) >= threshold))
