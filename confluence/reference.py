"""The obvious enumeration: every profile, every order or merge tree, sets and dictionaries. Slow, and the oracle."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, permutations, product

from beliefmerge.algebra.score import Score
from confluence.representation import REPRESENTATIONS, Decision, State, decide, union
from confluence.space import Shape, Space

Profile = tuple[State, ...]


def failing(space: Space, score: Score, representation: str) -> Iterator[Profile]:
    """Every profile that fails."""
    for profile in product(space.templates(), repeat=space.branches):
        if fails(profile, space, score, representation):
            yield profile


def failures(space: Space, score: Score, representation: str) -> int:
    """How many profiles fail."""
    return sum(1 for _ in failing(space, score, representation))


def fails(profile: Profile, space: Space, score: Score, representation: str) -> bool:
    """Whether some way of merging `profile` pairwise decides other than the n-ary merge."""
    expected = decide(union(profile), score)
    merged = folds if space.shape is Shape.FOLD else trees
    return any(decide(end, score) != expected for end in merged(profile, space, score, representation))


def folds(profile: Profile, space: Space, score: Score, representation: str) -> Iterator[State]:
    """Where each order of folding ends."""
    for order in permutations(profile):
        yield fold(order, space, score, representation)


def fold(order: Profile, space: Space, score: Score, representation: str) -> State:
    """The first branch enters as it is; the accumulator is rewritten after every union."""
    rewrite = REPRESENTATIONS[representation]
    accumulator = order[0]
    for branch in order[1:]:
        accumulator = rewrite(union((accumulator, branch)), score, space.levels)
    return accumulator


def trees(profile: Profile, space: Space, score: Score, representation: str) -> Iterator[State]:
    """Where each binary merge tree over the branches ends; only inner nodes are rewritten."""
    if len(profile) == 1:
        yield profile[0]
        return
    rewrite = REPRESENTATIONS[representation]
    places = range(1, len(profile))
    for size in range(len(profile) - 1):
        for others in combinations(places, size):
            # The first branch's side: union commutes, so that each unordered split is met once.
            left = (profile[0], *(profile[i] for i in others))
            right = tuple(profile[i] for i in places if i not in others)
            for a, b in product(
                list(trees(left, space, score, representation)), list(trees(right, space, score, representation))
            ):
                yield rewrite(union((a, b)), score, space.levels)


def failing_order(profile: Profile, space: Space, score: Score, representation: str) -> tuple[Profile, Decision] | None:
    """The first order, of all distinct ones, whose fold decides other than the n-ary merge, and what it decides."""
    expected = decide(union(profile), score)
    for order in distinct_orders(profile):
        decided = decide(fold(order, space, score, representation), score)
        if decided != expected:
            return order, decided
    return None


def distinct_orders(profile: Profile) -> Iterator[Profile]:
    """Every order of `profile`, equal branches not told apart, lexicographically."""
    if not profile:
        yield ()
        return
    for first in sorted(set(profile)):
        rest = list(profile)
        rest.remove(first)
        for order in distinct_orders(tuple(rest)):
            yield first, *order
