"""Recounting the whole: mend a selection whose text costs more than its lines did, and use the room it leaves.

Needed where a counter is not additive over lines, or where the frame turns out smaller than was reserved for it.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

from beliefmerge.pack.problem import OUT, UNGROUPED, Problem, Selection

TRIES = 16
"""Fillings that may fail the recount before filling ends."""

Recount = Callable[[Selection], int]
"""The exact cost of the text that a selection is printed as; nothing selected prints nothing and costs 0."""


@dataclass(frozen=True, slots=True)
class _Move:
    """One candidate moved to another option (or OUT): what that adds in additive cost and in utility."""

    candidate: int
    option: int
    cost: int
    utility: float

    @property
    def rank(self) -> tuple[float, int, int]:
        """Least first: the utility lost for each unit freed, or minus what is gained for each unit spent."""
        ratio = self.utility / self.cost if self.cost else math.copysign(math.inf, self.utility)
        return (ratio if self.cost < 0 else -ratio, self.candidate, self.option)

    def apply(self, selection: Selection) -> Selection:
        """The selection after the move."""
        return (*selection[: self.candidate], self.option, *selection[self.candidate + 1 :])


def settle(problem: Problem, selection: Selection, recount: Recount, budget: int) -> tuple[Selection, int]:
    """`selection` shortened until its exact cost is within `budget`, then filled up; with that cost.

    Shortening gives up least utility for each unit freed first, filling adds most for each unit spent first.
    """
    cost = recount(selection)
    while cost > budget:
        selection = min(_moves(problem, selection, up=False), key=lambda move: move.rank).apply(selection)
        cost = recount(selection)
    refused: set[tuple[int, int]] = set()
    while len(refused) < TRIES:
        moves = [m for m in _moves(problem, selection, up=True) if m.cost <= budget - cost]
        moves = [m for m in moves if (m.candidate, m.option) not in refused]
        if not moves:
            break
        move = min(moves, key=lambda m: m.rank)
        filled = recount(move.apply(selection))
        if filled <= budget:
            selection, cost = move.apply(selection), filled
        else:
            refused.add((move.candidate, move.option))
    return selection, cost


def _moves(problem: Problem, selection: Selection, *, up: bool) -> list[_Move]:
    """Every move of one candidate to a fuller option than it has, or (not `up`) to a barer one or out."""
    pairs = zip(problem.candidates, selection, strict=True)
    counts = Counter(candidate.group for candidate, now in pairs if now != OUT)
    found = []
    for i, (candidate, now) in enumerate(zip(problem.candidates, selection, strict=True)):
        gains = problem.gains[candidate.group] if candidate.group != UNGROUPED else None
        cost, value = (0, 0.0) if now == OUT else (candidate.options[now].cost, candidate.options[now].value)
        if now == OUT and gains:
            value -= gains[counts[candidate.group]]
        for j in range(now + 1, len(candidate.options)) if up else range(now):
            option = candidate.options[j]
            found.append(_Move(i, j, option.cost - cost, option.value - value))
        if not up and now != OUT:
            bonus = gains[counts[candidate.group] - 1] if gains else 0.0
            found.append(_Move(i, OUT, -cost, -value - bonus))
    return found
