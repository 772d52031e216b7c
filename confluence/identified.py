"""Which states a summary takes for one, and how often wrongly.

Two multisets of a layer are identified when some fold of the one and some fold of the other end in one accumulator;
wrongly, when they are not Nerode-equivalent for what is still to come.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from confluence.outcomes import Folder
from confluence.representation import State, union

MOST_STATES = 2_000
"""Larger layers have millions of pairs; they are left out, and said to be."""


@dataclass(frozen=True, slots=True)
class Identified:
    """Pairs of distinct states of one layer: all there are, those identified, and those of them wrongly."""

    layer: int
    pairs: int
    together: int
    wrong: int


def identified(folder: Folder, templates: Sequence[State], classes: Sequence[Mapping[State, int]]) -> list[Identified]:
    """The pairs of every layer from 1 on, up to the first that has more than `MOST_STATES` states."""
    found = []
    reached: set[tuple[State, State]] = {(t, t) for t in templates}
    for layer in range(1, len(classes)):
        if layer > 1:
            reached = {(union((m, t)), folder.step(kept, t)) for m, kept in reached for t in templates}
        if len(classes[layer]) > MOST_STATES:
            break
        found.append(_pairs(layer, reached, classes[layer]))
    return found


def _pairs(layer: int, reached: set[tuple[State, State]], classes: Mapping[State, int]) -> Identified:
    alike: dict[State, set[State]] = defaultdict(set)
    for state, kept in reached:
        alike[kept].add(state)
    together = {pair for states in alike.values() for pair in combinations(sorted(states), 2)}
    wrong = sum(classes[a] != classes[b] for a, b in together)
    n = len(classes)
    return Identified(layer, n * (n - 1) // 2, len(together), wrong)
