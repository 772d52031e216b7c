"""The packing problem as a mixed-integer programme, solved by HiGHS through SciPy.

Maximise ``sum value[i,j] x[i,j] + sum gains[t][k] y[t,k]`` subject to one knapsack row, ``sum_j x[i,j] <= 1`` (``= 1``
where leaving out is ruled out), and ``sum_k y[t,k] <= sum over members of t of x``. The increments decrease in k, so an
optimum fills the indicators from the first on and they need not be integer: exact (``docs/packing.md``).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from beliefmerge.pack.problem import OUT, UNGROUPED, Problem, Selection

_SCALE = 1e4
"""The objective is scaled to about this, so that HiGHS's absolute tolerance of 1e-6 is a relative one of 1e-10."""


@dataclass
class _Rows:
    """A sparse constraint matrix under construction, with the bounds of its rows."""

    row: list[int] = field(default_factory=list)
    column: list[int] = field(default_factory=list)
    value: list[float] = field(default_factory=list)
    lower: list[float] = field(default_factory=list)
    upper: list[float] = field(default_factory=list)

    def new(self, lower: float, upper: float) -> int:
        """A fresh empty row."""
        self.lower.append(lower)
        self.upper.append(upper)
        return len(self.upper) - 1

    def put(self, row: int, column: int, value: float) -> None:
        """Set one entry."""
        self.row.append(row)
        self.column.append(column)
        self.value.append(value)


def optimise(problem: Problem, decisions: list[list[int]], nodes: int) -> tuple[Selection | None, float]:
    """The best selection found within the open `decisions` in at most `nodes` nodes, and a proved bound on all of them.

    The selection is None when there is none; the bound is then minus infinity, or plus infinity if HiGHS gave up.
    """
    import numpy as np
    from scipy.optimize import Bounds, LinearConstraint, milp
    from scipy.sparse import csr_array

    variables, objective, rows = _formulate(problem, decisions)
    scale = _SCALE / max(sum(objective), 1e-300)
    shape = (len(rows.upper), len(objective))
    result = milp(
        -scale * np.array(objective),
        integrality=[column < len(variables) for column in range(len(objective))],
        bounds=Bounds(0, 1),
        constraints=LinearConstraint(
            csr_array((rows.value, (rows.row, rows.column)), shape=shape), rows.lower, rows.upper
        ),
        options={"mip_rel_gap": 0.0, "node_limit": nodes},
    )
    if result.x is None:
        return None, -math.inf if result.status == 2 else math.inf
    chosen = [OUT] * len(problem.candidates)
    for (i, j), x in zip(variables, result.x, strict=False):
        if x > 0.5:
            chosen[i] = j
    return tuple(chosen), -result.mip_dual_bound / scale


def _formulate(problem: Problem, decisions: list[list[int]]) -> tuple[list[tuple[int, int]], list[float], _Rows]:
    """(candidate, option) of each integer column, the objective over all columns, and the rows."""
    rows = _Rows()
    knapsack = rows.new(-math.inf, problem.capacity)
    counts = [rows.new(-math.inf, 0) for _ in problem.gains]
    members = [0] * len(problem.gains)
    variables: list[tuple[int, int]] = []
    objective: list[float] = []
    for i, candidate in enumerate(problem.candidates):
        shown = [j for j in decisions[i] if j != OUT]
        one = rows.new(0 if OUT in decisions[i] else 1, 1)
        for j in shown:
            column = len(variables)
            variables.append((i, j))
            objective.append(candidate.options[j].value)
            rows.put(knapsack, column, candidate.options[j].cost)
            rows.put(one, column, 1)
            if candidate.group != UNGROUPED:
                rows.put(counts[candidate.group], column, -1)
        if shown and candidate.group != UNGROUPED:
            members[candidate.group] += 1
    for group, gains in enumerate(problem.gains):
        for gain in gains[: members[group]]:
            rows.put(counts[group], len(objective), 1)
            objective.append(gain)
    return variables, objective, rows
