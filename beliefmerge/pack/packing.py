"""Packing: what is shown of everything that could be, within a budget, and how far that can be from the best."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from beliefmerge.errors import UsageError
from beliefmerge.pack.item import Choice, Item, canonical
from beliefmerge.pack.layout import stable_first
from beliefmerge.pack.problem import OUT, TOLERANCE, Problem, Selection, build
from beliefmerge.pack.recount import settle
from beliefmerge.pack.reduction import reduce
from beliefmerge.pack.relaxation import relax
from beliefmerge.pack.relevance import relevance
from beliefmerge.pack.solvers import SOLVERS
from beliefmerge.pack.weights import Weights

Measure = Callable[[Sequence[Choice]], int]
"""The exact cost, in the unit of the budget, of the whole text printed for these choices, in the order given."""


@dataclass(frozen=True, slots=True)
class Packing:
    """What is shown, and the certificate."""

    chosen: tuple[Choice, ...]
    """In the order of the layout: what is least likely to change comes first."""
    cost: int
    """Of everything printed, in the unit of the budget; 0 when nothing is chosen."""
    utility: float
    upper_bound: float
    """No choice of additive cost within ``budget - overhead`` has a greater utility."""
    solver: str
    omitted: int
    """Items not shown."""
    shortened: int
    """Items shown in less than their fullest rendition."""

    @property
    def gap(self) -> float:
        """The share of `upper_bound` by which the utility may be short of the optimum; 0 when it is proved optimal."""
        short = self.upper_bound - self.utility
        return short / self.upper_bound if short > TOLERANCE * self.upper_bound else 0.0


def pack(
    items: Iterable[Item],
    *,
    budget: int,
    overhead: int = 0,
    weights: Weights | None = None,
    query: str | None = None,
    solver: str = "auto",
    measure: Measure | None = None,
) -> Packing:
    """Choose among `items` and their renditions what to print within `budget`, for the greatest utility.

    `budget`, `overhead` and the costs of renditions are in one additive unit (`beliefmerge.pack.units`). `overhead` is
    the most that everything printed besides the items can cost. With `measure` the whole is recounted: the result then
    costs at most `budget` by that count, whatever the sums say, and room it leaves is used. If not even one item fits
    beside the overhead, nothing is chosen. The result does not depend on the order of `items`.

    Raises UsageError for a negative budget or overhead, an unknown solver, or two items of one id.
    """
    if budget < 0 or overhead < 0:
        raise UsageError(
            f"a budget cannot be negative: {budget}" if budget < 0 else f"overhead is negative: {overhead}"
        )
    solve = SOLVERS[solver]
    ordered = canonical(items)
    if measure is not None and _everything_fits(ordered, budget, measure):
        overhead = 0
    matches = relevance(query, [item.text for item in ordered])
    problem = build(ordered, budget - overhead, weights or Weights(), matches)
    reduced = reduce(problem)
    solution = solve(reduced.problem, relax(reduced.problem))
    selection, utility = reduced.expand(solution.selection), solution.utility
    if measure is not None:
        selection, cost = settle(problem, selection, lambda s: _exact(problem, s, measure), budget)
        utility = problem.utility(selection)
    else:
        cost = problem.cost(selection) + overhead if selection != problem.nothing else 0
    chosen = _choices(problem, selection)
    return Packing(
        chosen=chosen,
        cost=cost,
        utility=utility,
        upper_bound=max(solution.bound, utility),
        solver=solution.solver,
        omitted=len(ordered) - len(chosen),
        shortened=sum(c.rendition.quality < max(r.quality for r in c.item.renditions) for c in chosen),
    )


def _everything_fits(items: tuple[Item, ...], budget: int, measure: Measure) -> bool:
    """Whether all items fit in their fullest renditions: then no count of what is left out need be reserved for."""
    fullest = [Choice(item, max(item.renditions, key=lambda r: (r.quality, -r.cost))) for item in items]
    return sum(choice.rendition.cost for choice in fullest) <= budget and measure(stable_first(fullest)) <= budget


def _choices(problem: Problem, selection: Selection) -> tuple[Choice, ...]:
    shown = [(c.item, c.options[j]) for c, j in zip(problem.candidates, selection, strict=True) if j != OUT]
    return stable_first(Choice(item, item.renditions[option.rendition]) for item, option in shown)


def _exact(problem: Problem, selection: Selection, measure: Measure) -> int:
    return measure(_choices(problem, selection)) if selection != problem.nothing else 0
