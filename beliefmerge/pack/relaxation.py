"""The Lagrangian relaxation: a proved upper bound, and which options cannot be part of anything better.

Pricing the room at ``m >= 0`` a unit gives ``L(m) = m * capacity + max_S [U(S) - m * cost(S)] >= U(S)`` for every S
that fits (Fisher, 1981). Without the knapsack the groups separate, and the best members of each are those of greatest
priced value, added while value and coverage increment together are positive: exact, because the increments decrease.
The least ``L`` equals the bound of the linear relaxation of the count-indicator formulation (``docs/packing.md``).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from beliefmerge.pack.problem import OUT, UNGROUPED, Problem, Selection

_STEPS = 100
_FLAT = 1e-13
"""Relative distance between the bound and its own lower estimate at which the search for a price ends."""


@dataclass(frozen=True, slots=True)
class Relaxation:
    """``L(price)`` and its maximiser. `bound` holds whatever the price; the search only makes it tight."""

    price: float
    bound: float
    cost: int
    """Cost of the maximiser. If it is within the capacity, a lower price may be tighter, else a higher one."""
    options: Selection
    """Each candidate's best option at this price, in or out."""
    values: tuple[float, ...]
    """The value of that option less the price of its cost."""
    orders: tuple[tuple[int, ...], ...]
    """Members of each group, greatest priced value first."""
    taken: tuple[int, ...]
    """How many of each order the maximiser has."""


def at_price(problem: Problem, price: float) -> Relaxation:
    """The relaxation at one price."""
    options, values = [], []
    members: list[list[int]] = [[] for _ in problem.gains]
    terms, cost = [price * problem.capacity], 0
    for i, candidate in enumerate(problem.candidates):
        priced = [option.value - price * option.cost for option in candidate.options]
        value = max(priced)
        options.append(priced.index(value))
        values.append(value)
        if candidate.group != UNGROUPED:
            members[candidate.group].append(i)
        elif value > 0:
            terms.append(value)
            cost += candidate.options[options[i]].cost
    taken = []
    for order, gains in zip(members, problem.gains, strict=True):
        order.sort(key=lambda i: (-values[i], i))
        k = 0
        while k < len(order) and values[order[k]] + gains[k] > 0:
            terms += (values[order[k]], gains[k])
            cost += problem.candidates[order[k]].options[options[order[k]]].cost
            k += 1
        taken.append(k)
    orders = tuple(map(tuple, members))
    return Relaxation(price, math.fsum(terms), cost, tuple(options), tuple(values), orders, tuple(taken))


def relax(problem: Problem) -> Relaxation:
    """The relaxation at the best price: cutting planes on the convex, piecewise linear ``L`` (Kelley, 1960)."""
    low = at_price(problem, 0.0)
    if low.cost <= problem.capacity:
        return low
    high = best = at_price(problem, _nothing_pays(problem))
    for _ in range(_STEPS):
        fall, rise = problem.capacity - low.cost, problem.capacity - high.cost
        if rise == 0:
            break
        price = (low.bound - high.bound + rise * high.price - fall * low.price) / (rise - fall)
        estimate = low.bound + fall * (price - low.price)
        middle = at_price(problem, price)
        best = min(best, middle, key=lambda relaxation: relaxation.bound)
        if middle.bound - estimate <= _FLAT * middle.bound or price in (low.price, high.price):
            break
        if middle.cost > problem.capacity:
            low = middle
        else:
            high = middle
    return best


def _nothing_pays(problem: Problem) -> float:
    """A price at which only what is free is worth taking."""
    return max(
        (option.value + (problem.gains[candidate.group][0] if candidate.group != UNGROUPED else 0.0)) / option.cost
        for candidate in problem.candidates
        for option in candidate.options
        if option.cost
    )


def imposed(problem: Problem, relaxation: Relaxation) -> list[dict[int, float]]:
    """For each candidate and each decision on it (OUT, or a place in its options), ``L`` with that decision imposed.

    A decision whose value here is at most some utility is in no selection worth more (reduced-cost fixing).
    """
    rank = {i: k for order in relaxation.orders for k, i in enumerate(order)}
    found = []
    for i, candidate in enumerate(problem.candidates):
        if candidate.group == UNGROUPED:
            without = others = relaxation.bound - max(relaxation.values[i], 0.0)
        else:
            without, others = _without_and_others(problem, relaxation, i, rank[i])
        bounds = {j: others + o.value - relaxation.price * o.cost for j, o in enumerate(candidate.options)}
        found.append({OUT: without, **bounds})
    return found


def _without_and_others(problem: Problem, relaxation: Relaxation, i: int, rank: int) -> tuple[float, float]:
    """``L`` with the grouped candidate `i` out; and with it in, its own priced value left out."""
    group = problem.candidates[i].group
    order, taken, gains = relaxation.orders[group], relaxation.taken[group], problem.gains[group]
    if rank < taken:
        others = relaxation.bound - relaxation.values[i]
        successor = relaxation.values[order[taken]] + gains[taken - 1] if taken < len(order) else 0.0
        return others - gains[taken - 1] + max(successor, 0.0), others
    displaced = -relaxation.values[order[taken - 1]] if taken else -math.inf
    return relaxation.bound, relaxation.bound + max(gains[taken], displaced)


def survivors(bounds: list[dict[int, float]], target: float, size: int | None = None) -> list[list[int]]:
    """The decisions on each candidate that a selection worth more than `target` may have, by their imposed `bounds`.

    With `size`, only that many candidates stay open, those least clearly decided; the others keep their best decision,
    so that a search is quick and what it finds need not be the best.
    """
    decisions = [[j for j, bound in of.items() if bound > target] for of in bounds]
    if size is not None:
        doubt = [sorted(of.values())[-2] for of in bounds]
        for i in sorted(range(len(bounds)), key=lambda i: (-doubt[i], i))[size:]:
            decisions[i] = [max(bounds[i], key=bounds[i].__getitem__)]
    return decisions
