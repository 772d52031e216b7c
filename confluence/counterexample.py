"""Minimal counterexamples: the fewest assertions, then lexicographic; replayed by brute force before they are shown."""

from __future__ import annotations

import string
from collections.abc import Iterable
from itertools import permutations

from beliefmerge.algebra.score import Score
from confluence import reference
from confluence.orbits import profile_of
from confluence.reference import Profile
from confluence.representation import Decision, State, decide, union
from confluence.space import Shape, Space


def order_of(profile: Profile) -> tuple[int, Profile]:
    """What counterexamples are compared by: the number of assertions, then the branches, ascending."""
    return sum(map(len, profile)), tuple(sorted(profile))


def minimal(candidates: Iterable[Profile], values: int) -> Profile | None:
    """The least profile among `candidates` and all their renamings of values; None when there are no candidates.

    `candidates` have equally many assertions and equally many silent branches, which come first. The next branch of
    the least profile is the least renaming of any branch, so that only candidates that have it need be renamed.
    """
    found = list(candidates)
    if not found:
        return None
    first = {profile: min((_least(branch) for branch in profile if branch), default=()) for profile in found}
    best = min(first.values())
    few = {tuple(sorted(profile)) for profile in found if first[profile] == best}
    return min(renamed(profile, names) for profile in few for names in permutations(range(values)))


def _least(branch: State) -> State:
    return tuple(enumerate(profile_of(branch)))


def renamed(profile: Profile, names: tuple[int, ...]) -> Profile:
    """The profile with value v called ``names[v]``, branches ascending."""
    return tuple(sorted(tuple(sorted((names[value], level) for value, level in branch)) for branch in profile))


def replay(profile: Profile, space: Space, score: Score, representation: str) -> str:
    """A counterexample in words, found again by `reference`. Raises AssertionError when `reference` sees no failure."""
    expected = decide(union(profile), score)
    branches = ", ".join(f"b{i} = {shown(branch)}" for i, branch in enumerate(profile))
    found = reference.failing_order(profile, space, score, representation)
    if found is not None:
        order, decided = found
        how = f"folding {', '.join(shown(branch) for branch in order)}"
    else:
        assert space.shape is Shape.TREE, f"{branches} does not fail"
        ends = (decide(end, score) for end in reference.trees(profile, space, score, representation))
        decided, how = next(decision for decision in ends if decision != expected), "some merge tree"
    return f"{branches}: n-ary merging decides {named(expected)}, {how} decides {named(decided)}"


def shown(branch: State) -> str:
    """A branch as ``{a@1, b@2}``."""
    return "{" + ", ".join(f"{_name(value)}@{level}" for value, level in branch) + "}"


def named(decision: Decision) -> str:
    """A decision as ``{a,b}``."""
    return "{" + ",".join(_name(value) for value in sorted(decision)) + "}"


def _name(value: int) -> str:
    return string.ascii_lowercase[value] if value < 26 else f"v{value}"
