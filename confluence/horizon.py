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
    templates = space.templates()
    found: list[Layer] = []
    states: list[State] = [()]
    for depth in range(space.branches):
        numbers: dict[State, int] = {}
        moves = [[numbers.setdefault(union((state, t)), len(numbers)) for t in templates] for state in states]
        found.append(Layer(depth, states, moves))
        states = list(numbers)
    return [*found, Layer(space.branches, states, [])]


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


def enough(space: Space, layer: int, score: Score) -> int:
    """How many branches to come make the minimal count of a layer the formula's: no fewer do, and any more do.

    It is what overturns the largest difference, for any additive score. *Enough*: let states M, M' of j branches differ
    in differences and agree in winners (else nothing need come), v among these; some u has another distance to v in M
    than in M'. Give u the opinions of v in M, and v those of u: j branches at most. Then v and u tie on top of M, as
    nobody was above v, but not of M'. Where all levels weigh alike, giving u the smaller distance, at most j - 1, does.
    *No fewer*: j opinions of the greatest level for v, or one of them of a lesser weight, both win over any j - 1
    branches (where all weigh alike: j or j - 1 opinions, over any j - 2).
    """
    if space.values == 1 or layer == 0:
        return 0
    alike = len({score.total((level,)) for level in range(1, space.levels + 1)}) == 1
    return layer - 1 if alike else layer


def _differences(layer: Layer, space: Space, score: Score) -> int:
    return len({difference(state, space, score) for state in layer.states})


@dataclass(frozen=True, slots=True)
class Count:
    """State counts of one layer: kept by JOIN, by the formula, minimal; and the horizon from which the last two agree.

    The formula and that horizon are None where the score is not additive.
    """

    layer: int
    remaining: int
    states: int
    differences: int | None
    minimal: int
    enough: int | None


def counts(space: Space, score: Score, automaton: Sequence[Layer], classes: Sequence[Sequence[int]]) -> list[Count]:
    """The state counts of every layer."""
    known = additive(space, score)
    return [
        Count(
            layer.depth,
            space.branches - layer.depth,
            len(layer.states),
            _differences(layer, space, score) if known else None,
            len(set(ids)),
            enough(space, layer.depth, score) if known else None,
        )
        for layer, ids in zip(automaton, classes, strict=True)
    ]


def class_of(automaton: Sequence[Layer], classes: Sequence[Sequence[int]]) -> list[Mapping[State, int]]:
    """Per layer, the class of each state by the state itself."""
    return [dict(zip(layer.states, ids, strict=True)) for layer, ids in zip(automaton, classes, strict=True)]
