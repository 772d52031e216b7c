"""Dropping what no better selection can have, so that solvers see hundreds of options and not a hundred thousand.

One greedy selection and one price are enough to rule most options out (Dembo & Hammer, 1980, for knapsacks). What the
greedy selection has is kept, so the optimum of what remains is the optimum of the whole.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace

from beliefmerge.pack.problem import OUT, TOLERANCE, UNGROUPED, Problem, Selection
from beliefmerge.pack.relaxation import at_price, imposed
from beliefmerge.pack.solvers.density import complete


@dataclass(frozen=True, slots=True)
class Reduced:
    """What is left of a problem, and where each candidate and its options were in the whole."""

    problem: Problem
    size: int
    places: tuple[int, ...]
    options: tuple[tuple[int, ...], ...]

    def expand(self, selection: Selection) -> Selection:
        """The same selection in the whole problem."""
        whole = [OUT] * self.size
        for place, options, j in zip(self.places, self.options, selection, strict=True):
            if j != OUT:
                whole[place] = options[j]
        return tuple(whole)


def reduce(problem: Problem) -> Reduced:
    """`problem` without the options that no selection at least as good as a greedy one can have."""
    greedy = complete(problem, problem.nothing)
    target = problem.utility(greedy) * (1 - TOLERANCE)
    relaxations = [at_price(problem, price) for price in _marginal_prices(problem, greedy)]
    bounds = imposed(problem, min(relaxations, key=lambda relaxation: relaxation.bound))
    kept = {i: js for i, of in enumerate(bounds) if (js := tuple(j for j in of if j != OUT and of[j] >= target))}
    candidates, members = [], [0] * len(problem.gains)
    for i, js in kept.items():
        candidate = problem.candidates[i]
        candidates.append(replace(candidate, options=tuple(candidate.options[j] for j in js)))
        if candidate.group != UNGROUPED:
            members[candidate.group] += 1
    gains = tuple(of[:n] for of, n in zip(problem.gains, members, strict=True))
    smaller = Problem(tuple(candidates), problem.capacity, gains)
    return Reduced(smaller, len(problem.candidates), tuple(kept), tuple(kept.values()))


def _marginal_prices(problem: Problem, selection: Selection) -> list[float]:
    """What the last unit of room earns in what is selected: the least, and the eighth part from below.

    The very least can belong to a filler taken because it happened to fit.
    """
    counts = Counter(c.group for c, j in zip(problem.candidates, selection, strict=True) if j != OUT)
    ratios = []
    for candidate, j in zip(problem.candidates, selection, strict=True):
        if j == OUT:
            continue
        cost, value = candidate.options[j].cost, candidate.options[j].value
        if j > 0:
            cost, value = cost - candidate.options[j - 1].cost, value - candidate.options[j - 1].value
        elif candidate.group != UNGROUPED:
            value += problem.gains[candidate.group][counts[candidate.group] - 1]
        if cost:
            ratios.append(value / cost)
    ratios.sort()
    return [ratios[0], ratios[len(ratios) // 8]] if ratios else [0.0]
