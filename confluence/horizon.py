"""The bounded automaton of a space and its minimal quotient: what must be kept with so many branches still to come.

Layer j holds the multisets that j branches can add up to; with n - j branches to come, two of them are equivalent when
every continuation decides alike (Myhill and Nerode, 1957-58). The automaton has no cycles, so that refining it from the
last layer back, one pass a layer, is exact (Revuz, 1992; Moore, 1956, in general). The silent template makes "n - j
branches to come" and "at most n - j" the same.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from beliefmerge.algebra.score import Score
from confluence.representation import Decision, State, by_value, decide, union
from confluence.space import Form, Space


@dataclass(frozen=True)
class Layer:
    """States that `depth` branches reach, and where each template leads from them: ``moves[state][template]``.

    The last layer has no moves.
    """

    depth: int
    states: Sequence[State]
    moves: Sequence[Sequence[int]]


def size(space: Space) -> int:
    """Number of transitions out of the last layer that has any, as a measure of the automaton."""
    depth = space.branches - 1
    if space.form is Form.WELL_FORMED:
        return space.width * math.comb(depth + space.values * space.levels, depth)
    return int(space.width * math.comb(depth + space.levels, depth) ** space.values)


def layers(space: Space) -> list[Layer]:
    """Layers 0..n of the automaton that keeps everything."""
    automaton = [Layer(0, [()], [])]
    for _ in range(space.branches):
        grow(automaton, space.templates())
    return automaton


def grow(automaton: list[Layer], templates: Sequence[State]) -> None:
    """One more layer."""
    last = automaton.pop()
    numbers: dict[State, int] = {}
    moves = [[numbers.setdefault(union((state, t)), len(numbers)) for t in templates] for state in last.states]
    automaton += [Layer(last.depth, last.states, moves), Layer(last.depth + 1, list(numbers), [])]


def refine(automaton: Sequence[Layer], score: Score) -> list[list[int]]:
    """Per layer, the Nerode class of each state for the branches that are still to come, numbered as they occur."""
    outputs: dict[Decision, int] = {}
    last = [outputs.setdefault(decide(state, score), len(outputs)) for state in automaton[-1].states]
    classes = [last]
    for layer in reversed(automaton[:-1]):
        numbers: dict[tuple[int, ...], int] = {}
        after = classes[-1]
        classes.append([numbers.setdefault(tuple(after[s] for s in moves), len(numbers)) for moves in layer.moves])
    return classes[::-1]


MOST_STATES = 30_000
"""How large a layer may grow in the search for the horizon from which the formula is exact."""

Difference = tuple[tuple[int, ...], ...] | None
"""Scores minus those of value 0, a vector a value; None is the class of the empty state."""


def difference(state: State, space: Space, score: Score) -> Difference:
    """What the class of `state` is when any number of branches may follow."""
    if not state:
        return None
    heard = by_value(state)
    totals = [score.total(heard.get(value, ())) for value in range(space.values)]
    return tuple(tuple(x - y for x, y in zip(total, totals[0], strict=True)) for total in totals)


def additive(space: Space, score: Score) -> bool:
    """Whether within this space the score of a sum is the sum of scores, which the formula rests on."""
    single = {level: score.total((level,)) for level in range(1, space.levels + 1)}
    for layer in layers(Space(1, space.levels, space.branches, space.form)):
        for state in layer.states:
            heard = tuple(level for _, level in state)
            total = score.total(heard)
            if any(total[i] != sum(single[level][i] for level in heard) for i in range(len(total))):
                return False
    return True


def enough(space: Space, score: Score) -> list[int | None]:
    """Per layer 0..n, the least number of branches to come that makes the minimal count equal the formula's.

    From there on it stays equal, since a longer continuation parts no fewer states and unequal differences are all that
    can be parted. Tying two values above the rest takes at most ``longest(space, layer)``. None where that was not seen
    in automata of at most `MOST_STATES` states a layer, or the score is not additive.
    """
    found: list[int | None] = [None] * (space.branches + 1)
    if not additive(space, score):
        return found
    automaton = layers(space)
    formula = [_differences(layer, space, score) for layer in automaton]
    while None in found and len(automaton[-1].states) <= MOST_STATES:
        for layer, ids in enumerate(refine(automaton, score)[: space.branches + 1]):
            if found[layer] is None and len(set(ids)) == formula[layer]:
                found[layer] = _least(automaton, layer, formula[layer], score)
        if len(automaton) > space.branches + longest(space, space.branches):
            break
        grow(automaton, space.templates())
    return found


def _least(automaton: Sequence[Layer], layer: int, formula: int, score: Score) -> int:
    """The first remaining horizon that gives `layer` as many classes as the formula."""
    horizons = range(len(automaton) - layer)
    return next(r for r in horizons if len(set(refine(automaton[: layer + r + 1], score)[layer])) == formula)


def longest(space: Space, layer: int) -> int:
    """How many branches can always tie any two values of a state of `layer` branches, above the rest.

    Each of the two gets the other's opinions (`layer` at most, as no branch need speak twice), then, where there are
    other values, both get the strongest other's and one more: 2 * layer + 2 opinions in all if one a branch.
    """
    return layer if space.values <= 2 else 2 * layer + 2


def _differences(layer: Layer, space: Space, score: Score) -> int:
    return len({difference(state, space, score) for state in layer.states})


@dataclass(frozen=True, slots=True)
class Count:
    """State counts of one layer: kept by JOIN, by the formula, minimal; and the horizon from which the last two agree.

    The formula and that horizon are None where the score is not additive; the horizon also where it was not reached.
    """

    layer: int
    remaining: int
    states: int
    differences: int | None
    minimal: int
    enough: int | None


def counts(space: Space, score: Score, automaton: Sequence[Layer], classes: Sequence[Sequence[int]]) -> list[Count]:
    """The state counts of every layer."""
    horizons, known = enough(space, score), additive(space, score)
    return [
        Count(
            layer.depth,
            space.branches - layer.depth,
            len(layer.states),
            _differences(layer, space, score) if known else None,
            len(set(ids)),
            horizon,
        )
        for layer, ids, horizon in zip(automaton, classes, horizons, strict=True)
    ]


def class_of(automaton: Sequence[Layer], classes: Sequence[Sequence[int]]) -> list[Mapping[State, int]]:
    """Per layer, the class of each state by the state itself."""
    return [dict(zip(layer.states, ids, strict=True)) for layer, ids in zip(automaton, classes, strict=True)]
