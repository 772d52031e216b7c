"""Where folds end: every order of a profile at once, by sub-multisets, with one step of a summary computed once."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations_with_replacement

from beliefmerge.algebra.score import Score
from confluence.representation import REPRESENTATIONS, Decision, State, decide, union

Multiset = tuple[State, ...]
"""Branches of a profile in ascending order: failing does not depend on theirs."""


class Folder:
    """Folds of one representation under one score; what was folded once is remembered."""

    def __init__(self, representation: str, score: Score, levels: int) -> None:
        self._rewrite = REPRESENTATIONS[representation]
        self._score = score
        self._levels = levels
        self._steps: dict[tuple[State, State], State] = {}
        self._ends: dict[Multiset, frozenset[State]] = {}
        self._decisions: dict[State, Decision] = {}

    def rewrite(self, state: State) -> State:
        """What the representation keeps of `state`."""
        return self._rewrite(state, self._score, self._levels)

    def step(self, state: State, branch: State) -> State:
        """The accumulator after one more branch."""
        found = self._steps.get((state, branch))
        if found is None:
            found = self._steps[state, branch] = self.rewrite(union((state, branch)))
        return found

    def decide(self, state: State) -> Decision:
        """The decision of a state."""
        found = self._decisions.get(state)
        if found is None:
            found = self._decisions[state] = decide(state, self._score)
        return found

    def ends(self, branches: Multiset) -> frozenset[State]:
        """Accumulators that some order of `branches` (sorted, at least one) leads to; the first enters as it is."""
        if len(branches) == 1:
            return frozenset(branches)
        found = self._ends.get(branches)
        if found is None:
            found = self._ends[branches] = frozenset(
                self.step(state, branch)
                for i, branch in enumerate(branches)
                if i == 0 or branches[i - 1] != branch
                for state in self.ends(branches[:i] + branches[i + 1 :])
            )
        return found


def multisets(templates: Sequence[State], size: int) -> Iterator[tuple[Multiset, int]]:
    """Every profile of `size` branches up to their order, with the number of its distinct orders."""
    for branches in combinations_with_replacement(sorted(templates), size):
        orders = math.factorial(size)
        for repeats in Counter(branches).values():
            orders //= math.factorial(repeats)
        yield branches, orders
