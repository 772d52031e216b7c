"""Solvers of the packing problem, one a file, each with an attribute ``solve``.

All are deterministic: effort is bounded by counts, never by the clock, and ties are broken by the candidates' order.
"""

from __future__ import annotations

from typing import Protocol

from beliefmerge.pack.problem import Problem, Solution
from beliefmerge.pack.relaxation import Relaxation
from beliefmerge.registry import Registry


class Solver(Protocol):
    """Finds a selection that fits."""

    def __call__(self, problem: Problem, relaxation: Relaxation) -> Solution:
        """Solve `problem`; `relaxation` is its Lagrangian relaxation, whose bound a solver may tighten."""
        ...


SOLVERS: Registry[Solver] = Registry("solver", "beliefmerge.pack.solvers", "solve")
