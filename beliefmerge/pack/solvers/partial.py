"""Partial enumeration: every small set of renditions as a seed, each completed greedily by density; the best is kept.

Sviridenko (2004), *A note on maximizing a submodular set function subject to a knapsack constraint*: with all seeds of
up to three it is a (1 - 1/e) algorithm, here over (item, rendition) pairs (``docs/packing.md``). The number of seeds is
bounded by work, so large instances get the seeds of greatest value only, and then the ratio is not claimed.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, islice

from beliefmerge.pack.problem import OUT, UNGROUPED, Problem, Selection, Solution, solution
from beliefmerge.pack.relaxation import Relaxation
from beliefmerge.pack.solvers import density

WORK = 200_000
"""Options looked at over all completions."""
SEED_SIZE = 3

_Pair = tuple[int, int]


def solve(problem: Problem, relaxation: Relaxation) -> Solution:
    """At least as good as `density`, whose selections it starts from."""
    found = density.solve(problem, relaxation)
    best, value = found.selection, found.utility
    pairs = _pairs(problem)
    for seed in islice(_seeds(problem, pairs), WORK // max(len(pairs), 1)):
        selection = density.complete(problem, seed)
        utility = problem.utility(selection)
        if utility > value:
            best, value = selection, utility
    return solution(problem, best, relaxation.bound, "partial")


def _pairs(problem: Problem) -> list[_Pair]:
    """(candidate, option), the most valuable by itself first."""

    def alone(pair: _Pair) -> float:
        candidate = problem.candidates[pair[0]]
        bonus = problem.gains[candidate.group][0] if candidate.group != UNGROUPED else 0.0
        return -candidate.options[pair[1]].value - bonus

    pairs = [(i, j) for i, candidate in enumerate(problem.candidates) for j in range(len(candidate.options))]
    return sorted(pairs, key=lambda pair: (alone(pair), pair))


def _seeds(problem: Problem, pairs: list[_Pair]) -> Iterator[Selection]:
    """Selections of one, two, three pairs that fit; of each size the most valuable pairs combined first."""
    for size in range(1, SEED_SIZE + 1):
        for top, last in enumerate(pairs):
            for rest in combinations(pairs[:top], size - 1):
                seed = dict((*rest, last))
                if (
                    len(seed) == size
                    and sum(problem.candidates[i].options[j].cost for i, j in seed.items()) <= problem.capacity
                ):
                    yield tuple(seed.get(i, OUT) for i in range(len(problem.candidates)))
