"""The packing problem as solvers see it: integers, floats and nothing else.

A multiple-choice knapsack (at most one option per candidate) with a concave bonus per group: the k-th live item of a
type earns ``gains[group][k - 1]``, and these increments decrease in k.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from beliefmerge.pack.item import Item
from beliefmerge.pack.objective import increment, personal, printed
from beliefmerge.pack.weights import Weights

TOLERANCE = 1e-9
"""Utilities closer than this share of each other count as equal; a gap below it is closed."""

OUT = -1
"""In a selection: the candidate is not shown."""
UNGROUPED = -1
"""The group of a candidate that earns no coverage."""

Selection = tuple[int, ...]
"""For each candidate the position of its chosen option, or OUT."""


@dataclass(frozen=True, slots=True)
class Option:
    """A rendition: `rendition` is its place in ``Item.renditions``."""

    cost: int
    value: float
    rendition: int


@dataclass(frozen=True, slots=True)
class Candidate:
    """An item; its options cost more and are worth more from one to the next, and each fits alone."""

    item: Item
    group: int
    options: tuple[Option, ...]


@dataclass(frozen=True, slots=True)
class Problem:
    """Candidates by id, the room they share, and the coverage increments of each group (as many as it has members)."""

    candidates: tuple[Candidate, ...]
    capacity: int
    gains: tuple[tuple[float, ...], ...]

    @property
    def nothing(self) -> Selection:
        """The empty selection."""
        return (OUT,) * len(self.candidates)

    def cost(self, selection: Selection) -> int:
        """Total additive cost."""
        return sum(c.options[j].cost for c, j in zip(self.candidates, selection, strict=True) if j != OUT)

    def utility(self, selection: Selection) -> float:
        """``U``, correctly rounded and so independent of any order."""
        terms: list[float] = []
        counts = [0] * len(self.gains)
        for candidate, j in zip(self.candidates, selection, strict=True):
            if j == OUT:
                continue
            terms.append(candidate.options[j].value)
            if candidate.group != UNGROUPED:
                terms.append(self.gains[candidate.group][counts[candidate.group]])
                counts[candidate.group] += 1
        return math.fsum(terms)


@dataclass(frozen=True, slots=True)
class Solution:
    """A selection that fits, its utility, who found it, and a proved upper bound on every selection's utility."""

    selection: Selection
    utility: float
    bound: float
    solver: str


def solution(problem: Problem, selection: Selection, bound: float, solver: str) -> Solution:
    """The solution with the utility filled in; a bound that rounding put below it is lifted to it."""
    value = problem.utility(selection)
    return Solution(selection, value, max(bound, value), solver)


def build(items: Sequence[Item], capacity: int, weights: Weights, relevance: Sequence[float]) -> Problem:
    """The problem over canonical `items`, their relevance given in the same order.

    Options that do not fit alone, and those that a cheaper one equals or beats, are left out; so are items with none.
    Room that nothing could fill is no capacity, however large: prices are multiplied by it as floats.
    """
    kinds: dict[str, int] = {}
    candidates: list[Candidate] = []
    for item, match in zip(items, relevance, strict=True):
        options = _undominated(item, personal(item, weights, match), capacity, weights)
        if options:
            group = UNGROUPED if item.retracted else kinds.setdefault(item.type, len(kinds))
            candidates.append(Candidate(item, group, options))
    members = Counter(candidate.group for candidate in candidates)
    gains = [tuple(increment(kind, k, weights) for k in range(1, members[group] + 1)) for kind, group in kinds.items()]
    fullest = sum(candidate.options[-1].cost for candidate in candidates)
    return Problem(tuple(candidates), min(max(capacity, 0), fullest), tuple(gains))


def _undominated(item: Item, value: float, capacity: int, weights: Weights) -> tuple[Option, ...]:
    options = [Option(r.cost, printed(value, r, weights), i) for i, r in enumerate(item.renditions)]
    kept: list[Option] = []
    for option in sorted(options, key=lambda o: (o.cost, -o.value, o.rendition)):
        if option.cost <= capacity and (not kept or option.value > kept[-1].value):
            kept.append(option)
    return tuple(kept)
