"""The default: `exact` up to a size; where it cannot close the gap, the better of it and `partial`."""

from __future__ import annotations

from beliefmerge.pack.problem import TOLERANCE, Problem, Solution, solution
from beliefmerge.pack.relaxation import Relaxation
from beliefmerge.pack.solvers import exact, partial

SIZE = 10_000
"""Candidates up to which `exact` is tried."""


def solve(problem: Problem, relaxation: Relaxation) -> Solution:
    """The best selection found, under the name of the solver that found it, with the tightest bound proved."""
    if len(problem.candidates) > SIZE:
        return partial.solve(problem, relaxation)
    first = exact.solve(problem, relaxation)
    if first.bound - first.utility <= TOLERANCE * first.bound:
        return first
    second = partial.solve(problem, relaxation)
    best = max(first, second, key=lambda found: found.utility)
    return solution(problem, best.selection, min(first.bound, second.bound), best.solver)
