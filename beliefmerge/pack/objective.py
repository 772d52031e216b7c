r"""The objective: ``U(S) = sum personal(v) + sum_type w_type * (1 - exp(-gamma * n_type(S)))``.

Monotone and submodular in the set of items, and in the set of (item, rendition) pairs; see ``docs/packing.md``.
Retracted items keep 5 % of their personal value and are not counted in ``n_type``.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping

from beliefmerge.pack.item import Choice, Item, Rendition
from beliefmerge.pack.weights import Weights


def personal(item: Item, weights: Weights, relevance: float = 0.0) -> float:
    """What `item` is worth by itself in its best rendition; `relevance` to the query lies in 0..1."""
    features = (
        weights.base
        + weights.evidence * (item.evidence - 1) / 3
        + weights.corroboration * (1 - 2.0 ** (1 - max(item.witnesses, 1)))
        + weights.trust * item.trust / 2
        + weights.relevance * relevance
        + weights.recency * item.recency
    )
    plausible = weights.plausibility + (1 - weights.plausibility) * item.salience
    share = weights.retracted if item.retracted else 1.0
    return share * weights.type_value.get(item.type, 1.0) * plausible * features


def printed(value: float, rendition: Rendition, weights: Weights) -> float:
    """What an item of personal `value` is worth when it is printed as `rendition`."""
    return value * (1 - weights.detail * (1 - rendition.quality))


def coverage(kind: str, n: int, weights: Weights) -> float:
    """What `n` live items of a type earn together by being of that type."""
    return -weights.coverage_weight(kind) * math.expm1(-weights.gamma * n)


def increment(kind: str, k: int, weights: Weights) -> float:
    """What the `k`-th live item of a type adds: ``coverage(k) - coverage(k - 1)``, decreasing in k."""
    return -weights.coverage_weight(kind) * math.expm1(-weights.gamma) * math.exp(-weights.gamma * (k - 1))


def utility(choices: Iterable[Choice], weights: Weights, relevance: Mapping[str, float] | None = None) -> float:
    """``U`` of what is shown. `relevance` by item id; absent means 0."""
    shown = list(choices)
    known = relevance or {}
    counts = Counter(choice.item.type for choice in shown if not choice.item.retracted)
    terms = [printed(personal(c.item, weights, known.get(c.item.id, 0.0)), c.rendition, weights) for c in shown]
    return math.fsum(terms + [coverage(kind, n, weights) for kind, n in counts.items()])
