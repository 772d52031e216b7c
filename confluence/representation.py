"""What an accumulator keeps after each pairwise step, and what is decided from it.

A state is the multiset of (value, evidence level) heard so far, from disjoint sources. JOIN keeps it; the summaries
rewrite it to a smaller one. This is the experiment's own account of `beliefmerge.algebra.representation`, on integers
and for one slot without denials; the two are compared by a test.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import combinations_with_replacement
from typing import TypeAlias

from beliefmerge.algebra.score import Score

Assertion: TypeAlias = tuple[int, int]
"""(value 0.., evidence level 1..4)."""
State: TypeAlias = tuple[Assertion, ...]
"""A multiset of assertions, in ascending order."""
Decision: TypeAlias = frozenset[int]
"""The winner, or exactly the tied values; empty when nothing was said."""
Rewriting: TypeAlias = Callable[[State, Score, int], State]
"""``rewrite(state, score, levels)``, where `levels` is the highest evidence level there is."""


def union(states: Iterable[State]) -> State:
    """Multiset sum."""
    return tuple(sorted(assertion for state in states for assertion in state))


def by_value(state: State) -> dict[int, tuple[int, ...]]:
    """The levels of each value that has any, ascending."""
    levels: dict[int, tuple[int, ...]] = {}
    for value, level in state:
        levels[value] = (*levels.get(value, ()), level)
    return levels


def decide(state: State, score: Score) -> Decision:
    """The values of greatest support."""
    totals = {value: score.total(levels) for value, levels in by_value(state).items()}
    if not totals:
        return frozenset()
    best = max(totals.values())
    return frozenset(value for value, total in totals.items() if total == best)


def keep_everything(state: State, score: Score, levels: int) -> State:
    """JOIN: the state itself."""
    return state


def keep_scores(state: State, score: Score, levels: int) -> State:
    """SCORES: one score a value, losers included, kept as the least multiset of levels that has this score."""
    return tuple((v, level) for v, heard in by_value(state).items() for level in least(heard, score, levels))


def keep_counts(state: State, score: Score, levels: int) -> State:
    """COUNT: the winners with their supporters' evidence multiset."""
    winners = decide(state, score)
    return tuple((value, level) for value, level in state if value in winners)


def keep_maximum(state: State, score: Score, levels: int) -> State:
    """MAX: the winners with their top level each."""
    winners = decide(state, score)
    return tuple((value, max(heard)) for value, heard in by_value(state).items() if value in winners)


REPRESENTATIONS: dict[str, Rewriting] = {
    "JOIN": keep_everything,
    "COUNT": keep_counts,
    "MAX": keep_maximum,
    "SCORES": keep_scores,
}


def least(heard: tuple[int, ...], score: Score, levels: int) -> tuple[int, ...]:
    """The fewest levels of 1..`levels`, then the lowest, that have the score of `heard`."""
    key = (id(score), heard, levels)
    if key not in _LEAST:
        wanted = score.total(heard)
        sizes = range(1, len(heard) + 1)
        candidates = (c for size in sizes for c in combinations_with_replacement(range(1, levels + 1), size))
        _LEAST[key] = score, next(c for c in candidates if score.total(c) == wanted)
    return _LEAST[key][1]


_LEAST: dict[tuple[int, tuple[int, ...], int], tuple[Score, tuple[int, ...]]] = {}
"""The score is kept with what was found, so that its id stays its own."""
