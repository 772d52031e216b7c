"""Exact search over the core: dynamic programming over the few decisions that the relaxation leaves open.

After Pisinger (1995), *A minimal algorithm for the multiple-choice knapsack problem*: a state is what the decisions so
far cost and are worth. It is dropped when another costs no more and is worth as much, and when the relaxation shows
that nothing better than the incumbent can come of it. Groups are decided one after another, so that only the group
under way needs its count in the state.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

from beliefmerge.pack.problem import OUT, UNGROUPED, Problem, Selection
from beliefmerge.pack.relaxation import Relaxation

_State = tuple[int, float, Any]
"""(cost, value but for the coverage of the group under way, decisions as a linked list: (rest, candidate, option))."""


class TooLarge(Exception):
    """The core has more states than the caller allows."""


@dataclass(frozen=True, slots=True)
class _Part:
    """A group, or all ungrouped candidates together: what is settled in it and what is open."""

    value: float
    cost: int
    count: int
    free: tuple[int, ...]
    """Open candidates, greatest priced value first."""
    coverage: tuple[float, ...]
    """What n members earn together; zeros for the ungrouped, whose number need not be known."""
    grouped: bool


def search(
    problem: Problem, relaxation: Relaxation, decisions: list[list[int]], target: float, states: int
) -> Selection | None:
    """The best selection worth more than `target` within the open `decisions`; None when there is none.

    Raises TooLarge after `states` states.
    """
    if not all(decisions):
        return None
    run = _Search(problem, relaxation, target, states)
    parts = _parts(problem, relaxation, decisions)
    frontier: list[_State] = [(sum(part.cost for part in parts), sum(part.value for part in parts), None)]
    later = sum(run.completion(part, 0, part.count) for part in parts)
    for part in parts:
        later -= run.completion(part, 0, part.count)
        frontier = run.decide(part, frontier, decisions, later)
    _, value, rest = max(frontier, key=lambda state: state[1], default=(0, target, None))
    if value <= target:
        return None
    chosen = [d[0] if len(d) == 1 else OUT for d in decisions]
    while rest is not None:
        rest, i, j = rest
        chosen[i] = j
    return tuple(chosen)


def _parts(problem: Problem, relaxation: Relaxation, decisions: list[list[int]]) -> list[_Part]:
    def part(order: Iterable[int], gains: tuple[float, ...], grouped: bool) -> _Part:
        free, value, cost, count = [], 0.0, 0, 0
        for i in order:
            if len(decisions[i]) > 1:
                free.append(i)
            elif decisions[i] != [OUT]:
                option = problem.candidates[i].options[decisions[i][0]]
                value, cost, count = value + option.value, cost + option.cost, count + grouped
        return _Part(value, cost, count, tuple(free), tuple(accumulate(gains, initial=0.0)), grouped)

    alone = [i for i, candidate in enumerate(problem.candidates) if candidate.group == UNGROUPED]
    alone.sort(key=lambda i: (-relaxation.values[i], i))
    groups = [part(order, gains, True) for order, gains in zip(relaxation.orders, problem.gains, strict=True)]
    return [*groups, part(alone, (0.0,) * len(alone), False)]


class _Search:
    """The incumbent to beat and the number of states that may still be made."""

    def __init__(self, problem: Problem, relaxation: Relaxation, target: float, states: int) -> None:
        self.problem, self.relaxation, self.target, self.left = problem, relaxation, target, states

    def completion(self, part: _Part, start: int, count: int) -> float:
        """Bound on the priced value `part` adds to a state with `count` members and `free[:start]` decided."""
        total, coverage = part.coverage[count], part.coverage
        for i in part.free[start:]:
            gain = self.relaxation.values[i] + coverage[count + 1] - coverage[count]
            if gain <= 0:
                break
            total, count = total + gain, count + 1
        return total

    def decide(self, part: _Part, frontier: list[_State], decisions: list[list[int]], later: float) -> list[_State]:
        """The frontier after every open decision of `part`; `later` bounds what the parts after it add."""
        layers = {part.count: frontier}
        for position, i in enumerate(part.free):
            made: dict[int, list[_State]] = defaultdict(list)
            for count, states in layers.items():
                for j in decisions[i]:
                    made[count + (part.grouped and j != OUT)] += self.extend(states, i, j)
            # A count that no state is left of would be carried through all decisions to come, unseen by the limit.
            layers = {
                count: kept
                for count, states in made.items()
                if states and (kept := self.prune(states, self.completion(part, position + 1, count) + later))
            }
        closed = [(c, v + part.coverage[count], d) for count, states in layers.items() for c, v, d in states]
        return self.prune(closed, later)

    def extend(self, states: list[_State], i: int, j: int) -> list[_State]:
        """The states after decision `j` for candidate `i`, those over the capacity left out."""
        if j == OUT:
            return states
        option = self.problem.candidates[i].options[j]
        room = self.problem.capacity - option.cost
        return [(c + option.cost, v + option.value, (d, i, j)) for c, v, d in states if c <= room]

    def prune(self, states: list[_State], ahead: float) -> list[_State]:
        """The states that may beat the target with `ahead` still to come in priced value, none dominated, by cost."""
        price = self.relaxation.price
        least = self.target - ahead - price * self.problem.capacity
        kept: list[_State] = []
        for state in sorted(states, key=lambda s: (s[0], -s[1])):
            if state[1] - price * state[0] > least and (not kept or state[1] > kept[-1][1]):
                kept.append(state)
        self.left -= len(kept)
        if self.left < 0:
            raise TooLarge
        return kept
