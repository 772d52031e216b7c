"""The optimum: dynamic programming over a growing core and, where that gets too large, HiGHS on what is left open.

Effort is limited by states and nodes, not by time, so the same input gives the same selection on any machine; when the
limit is met the bound says how far the selection can be from the optimum.
"""

from __future__ import annotations

from beliefmerge.pack.core import TooLarge, search
from beliefmerge.pack.problem import TOLERANCE, Problem, Selection, Solution, solution
from beliefmerge.pack.programme import optimise
from beliefmerge.pack.relaxation import Relaxation, imposed, survivors
from beliefmerge.pack.solvers import density

CORES = (16, 32, None)
"""How many candidates stay open in each round: small cores find a near-optimal incumbent, which closes most of them."""
STATES = 200_000
"""Of the dynamic programme in one round: a fraction of a second, about what it takes to import SciPy."""
NODES = 200
"""Of HiGHS's branch-and-bound tree."""


def solve(problem: Problem, relaxation: Relaxation) -> Solution:
    """The optimal selection, or the best found when the core is too hard; never worse than `density`."""
    best = density.solve(problem, relaxation).selection
    bounds = imposed(problem, relaxation)
    try:
        for size in CORES:
            target = _target(problem, best)
            if relaxation.bound <= target:
                return solution(problem, best, relaxation.bound, "exact")
            best = search(problem, relaxation, survivors(bounds, target, size), target, STATES) or best
        return solution(problem, best, target, "exact")
    except TooLarge:
        target = _target(problem, best)
        found, bound = optimise(problem, survivors(bounds, target), NODES)
    if found is not None and problem.cost(found) <= problem.capacity:
        best = max(best, found, key=problem.utility)
    return solution(problem, best, max(target, min(bound, relaxation.bound)), "exact")


def _target(problem: Problem, best: Selection) -> float:
    """What a better selection must exceed: a hair above `best`, so that rounding does not make equals look better."""
    return problem.utility(best) * (1 + TOLERANCE / 10)
