"""Packing: strategies for items and problems, and slow twins that try everything."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from itertools import product

from hypothesis import strategies as st

from beliefmerge.pack import Choice, Item, Rendition, Weights
from beliefmerge.pack.item import canonical
from beliefmerge.pack.objective import utility
from beliefmerge.pack.problem import OUT, Problem, Selection, build

WEIGHTS = Weights()
TYPES = sorted(WEIGHTS.type_value)
SHARES = st.sampled_from([0.0, 0.25, 0.5, 1.0]) | st.floats(0, 1)


@st.composite
def items(draw, *, most: int = 6, renditions: int = 3, costs: int = 12) -> list[Item]:
    """Up to `most` items of few types and few distinct values, so that ties and dominated renditions are common."""
    made = []
    for i in range(draw(st.integers(0, most))):
        shown = st.builds(Rendition, st.just(""), st.integers(0, costs), SHARES)
        made.append(
            Item(
                id=f"k{i}",
                type=draw(st.sampled_from(["Fact", "Decision", "Unheard"])),
                renditions=tuple(draw(st.lists(shown, min_size=1, max_size=renditions))),
                evidence=draw(st.integers(1, 4)),
                witnesses=draw(st.integers(1, 3)),
                trust=draw(st.integers(0, 2)),
                recency=draw(SHARES),
                salience=draw(SHARES),
                retracted=draw(st.booleans()),
                contested=draw(st.booleans()),
                since=draw(st.integers(0, 3)),
                text=draw(st.sampled_from(["", "database port", "数据库端口", "the port is 5432"])),
            )
        )
    return made


def problems(*, most: int = 6, renditions: int = 3) -> st.SearchStrategy[Problem]:
    """The problem over some items, with a capacity that is often tight."""
    return st.builds(
        lambda made, room: build(canonical(made), room, WEIGHTS, [0.0] * len(made)),
        items(most=most, renditions=renditions),
        st.integers(0, 30),
    )


def synthetic(n: int, seed: int, *, classes: bool = False) -> list[Item]:
    """`n` items as a merge makes them: a line of 60 to 120 characters, a quote of 40 to 240 more.

    With `classes` they have few distinct values, so that many selections are worth nearly the same.
    """
    r = random.Random(seed)
    made = []
    for i in range(n):
        bare = r.randint(60, 120)
        quoted = Rendition("", bare + r.randint(40, 240), 1.0)
        made.append(
            Item(
                id=f"key.{i:05d}",
                type=r.choices(TYPES, [1, 1, 2, 5, 1, 1, 1])[0],
                renditions=(quoted, Rendition("", bare, 0.0)),
                evidence=r.randint(1, 4),
                witnesses=r.randint(1, 3),
                recency=0.0 if classes else r.random(),
                salience=r.choice([0.0, 0.5, 1.0]) if classes else r.random(),
                retracted=r.random() < 0.05,
            )
        )
    return made


def selections(problem: Problem) -> Iterator[Selection]:
    """Every way to decide every candidate, whether it fits or not."""
    return product(*([OUT, *range(len(c.options))] for c in problem.candidates))


def optimum(problem: Problem) -> float:
    """The greatest utility of any selection that fits."""
    return max(problem.utility(s) for s in selections(problem) if problem.cost(s) <= problem.capacity)


def choices(made: list[Item], room: int) -> Iterator[list[Choice]]:
    """Every set of items in every rendition whose costs sum to at most `room`, from the definitions alone."""
    for picked in product(*([None, *item.renditions] for item in made)):
        shown = [Choice(item, r) for item, r in zip(made, picked, strict=True) if r is not None]
        if sum(choice.rendition.cost for choice in shown) <= room:
            yield shown


def best_utility(made: list[Item], room: int) -> float:
    """The greatest ``U`` of any packing."""
    return max(utility(shown, WEIGHTS) for shown in choices(made, room))


def naive_greedy(problem: Problem, *, per_cost: bool = True) -> Selection:
    """Greedy that computes every move's gain from whole utilities at every step."""
    chosen = problem.nothing
    while True:
        best, found = -math.inf, None
        for i, candidate in enumerate(problem.candidates):
            for j in range(chosen[i] + 1, len(candidate.options)):
                after = (*chosen[:i], j, *chosen[i + 1 :])
                extra = problem.cost(after) - problem.cost(chosen)
                if problem.cost(after) > problem.capacity:
                    continue
                gain = problem.utility(after) - problem.utility(chosen)
                score = gain if not per_cost else gain / extra if extra else math.inf
                if score > best * (1 + 1e-12):
                    best, found = score, after
        if found is None:
            return chosen
        chosen = found


def lagrangian(problem: Problem, price: float, decided: tuple[int, int] | None = None) -> float:
    """``max over selections of U - price * (cost - capacity)``, one candidate's decision imposed if given."""
    return max(
        problem.utility(s) - price * (problem.cost(s) - problem.capacity)
        for s in selections(problem)
        if decided is None or s[decided[0]] == decided[1]
    )
