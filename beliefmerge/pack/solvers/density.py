"""Lazy greedy by marginal utility per unit of cost, and by marginal utility alone; the better of the two.

Leskovec et al. (2007), *Cost-effective outbreak detection in networks* (CELF). A step adds an item in some rendition,
or replaces the rendition of one that is in by a fuller one at the difference in cost.
"""

from __future__ import annotations

import heapq
import math
from itertools import pairwise

from beliefmerge.pack.problem import OUT, UNGROUPED, Problem, Selection, Solution, solution
from beliefmerge.pack.relaxation import Relaxation

_Move = tuple[float, int, int, int]
"""(minus an upper bound on the score, candidate, option to move to, option moved from)."""


class _Greedy:
    """A selection under construction: what is chosen, the room left, and how full each group is."""

    def __init__(self, problem: Problem, start: Selection, *, per_cost: bool) -> None:
        self.problem, self.per_cost = problem, per_cost
        self.chosen = list(start)
        self.room = problem.capacity - problem.cost(start)
        self.counts = [0] * len(problem.gains)
        for candidate, j in zip(problem.candidates, start, strict=True):
            if j != OUT and candidate.group != UNGROUPED:
                self.counts[candidate.group] += 1

    def extra(self, i: int, j: int) -> int:
        """What moving candidate `i` to option `j` costs on top of what it costs now."""
        options, now = self.problem.candidates[i].options, self.chosen[i]
        return options[j].cost - (options[now].cost if now != OUT else 0)

    def move(self, i: int, j: int) -> _Move:
        """The move with its present score, which only falls while others are taken (submodularity)."""
        candidate, now = self.problem.candidates[i], self.chosen[i]
        gain = candidate.options[j].value
        if now != OUT:
            gain -= candidate.options[now].value
        elif candidate.group != UNGROUPED:
            gain += self.problem.gains[candidate.group][self.counts[candidate.group]]
        if self.per_cost:
            extra = self.extra(i, j)
            gain = gain / extra if extra else math.inf
        return (-gain, i, j, now)

    def moves(self, i: int) -> list[_Move]:
        """Moves of `i` to fuller options than it has."""
        return [self.move(i, j) for j in range(self.chosen[i] + 1, len(self.problem.candidates[i].options))]

    def take(self, i: int, j: int) -> None:
        """Make the move."""
        self.room -= self.extra(i, j)
        group = self.problem.candidates[i].group
        if self.chosen[i] == OUT and group != UNGROUPED:
            self.counts[group] += 1
        self.chosen[i] = j


def complete(problem: Problem, start: Selection, *, per_cost: bool = True) -> Selection:
    """`start` greedily extended until nothing more fits; equal scores go to the candidate that comes first."""
    state = _Greedy(problem, start, per_cost=per_cost)
    heap = [move for i in range(len(problem.candidates)) for move in state.moves(i)]
    heapq.heapify(heap)
    least = _cheapest_step(problem)
    while heap and state.room >= least:
        entry = heapq.heappop(heap)
        _, i, j, moved_from = entry
        if state.chosen[i] != moved_from or state.extra(i, j) > state.room:
            continue
        now = state.move(i, j)
        if now != entry and heap and now > heap[0]:
            heapq.heappush(heap, now)
            continue
        state.take(i, j)
        for move in state.moves(i):
            heapq.heappush(heap, move)
    return tuple(state.chosen)


def _cheapest_step(problem: Problem) -> int:
    """The least that any move can cost."""
    costs = ((0, *(option.cost for option in candidate.options)) for candidate in problem.candidates)
    return min((after - before for steps in costs for before, after in pairwise(steps)), default=0)


def solve(problem: Problem, relaxation: Relaxation) -> Solution:
    """The better of the two greedy selections; by cost where they are equal."""
    found = [complete(problem, problem.nothing, per_cost=per_cost) for per_cost in (True, False)]
    best = max(found, key=problem.utility)
    return solution(problem, best, relaxation.bound, "density")
