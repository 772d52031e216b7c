"""Sources that overlap: branches that share a trunk, and a branch that is delivered again.

JOIN keeps sources, so that what comes twice is held once. A summary has lost them and adds it again. Both are counted
over whole spaces: a *shared trunk* profile is a trunk and one template per branch, each branch carrying the trunk and,
from a source of its own, its template; a *re-delivery* profile is a profile of which, after a fold in any order, one
branch comes once more. A profile fails when some order (and some choice of the branch) ends in another decision than
the union of all sources has.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeAlias

from beliefmerge.algebra.score import Score
from confluence.outcomes import Folder, Multiset, multisets
from confluence.representation import Assertion, Decision, State, decide, union
from confluence.space import Space

Sourced: TypeAlias = frozenset[tuple[int, Assertion]]
"""An annotation: who said what. Source 0 is the trunk, source i branch i."""
TRUNK = 0


def sourced(source: int, template: State) -> Sourced:
    """What one source says."""
    return frozenset((source, assertion) for assertion in template)


def told(annotation: Iterable[tuple[int, Assertion]]) -> State:
    """The multiset an annotation stands for, each (source, assertion) once."""
    return tuple(sorted(assertion for _, assertion in annotation))


def joins(branches: Sequence[Sourced]) -> set[Sourced]:
    """Where the folds of JOIN end, over all orders: unions, by sub-sets of the branches."""
    n = len(branches)
    ends: list[set[Sourced]] = [set() for _ in range(1 << n)]
    for i, branch in enumerate(branches):
        ends[1 << i] = {branch}
    for chosen in range(1, 1 << n):
        if not ends[chosen]:
            rest = [i for i in range(n) if chosen >> i & 1]
            ends[chosen] = {kept | branches[i] for i in rest for kept in ends[chosen & ~(1 << i)]}
    return ends[-1]


def disjoint_failures(space: Space, score: Score, representation: str) -> int:
    """How many of the ``width ** branches`` profiles of disjoint sources fail."""
    folder = Folder(representation, score, space.levels)
    return sum(
        orders
        for branches, orders in multisets(space.templates(), space.branches)
        if _decisions(folder, representation, branches) != {decide(union(branches), score)}
    )


def _decisions(folder: Folder, representation: str, branches: Multiset) -> set[Decision]:
    if representation == "JOIN":
        return {folder.decide(told(end)) for end in joins([sourced(i, t) for i, t in enumerate(branches)])}
    return {folder.decide(end) for end in folder.ends(branches)}


def trunk_failures(space: Space, score: Score, representation: str) -> int:
    """How many of the ``width ** (branches + 1)`` shared-trunk profiles fail."""
    folder = Folder(representation, score, space.levels)
    return sum(
        orders
        for trunk in space.templates()
        for own, orders in multisets(space.templates(), space.branches)
        if _decisions_on_trunk(folder, representation, trunk, own) != {decide(union((trunk, *own)), score)}
    )


def _decisions_on_trunk(folder: Folder, representation: str, trunk: State, own: Multiset) -> set[Decision]:
    if representation == "JOIN":
        branches = [sourced(TRUNK, trunk) | sourced(i, template) for i, template in enumerate(own, TRUNK + 1)]
        return {folder.decide(told(end)) for end in joins(branches)}
    carried = tuple(sorted(union((trunk, template)) for template in own))
    return _decisions(folder, representation, carried)


def redelivery_failures(space: Space, score: Score, representation: str) -> int:
    """How many of the ``width ** branches`` re-delivery profiles fail."""
    folder = Folder(representation, score, space.levels)
    return sum(
        orders
        for branches, orders in multisets(space.templates(), space.branches)
        if _decisions_again(folder, representation, branches) != {decide(union(branches), score)}
    )


def _decisions_again(folder: Folder, representation: str, branches: Multiset) -> set[Decision]:
    if representation == "JOIN":
        named = [sourced(i, template) for i, template in enumerate(branches)]
        return {folder.decide(told(end | again)) for end in joins(named) for again in named}
    return {folder.decide(folder.step(end, again)) for end in folder.ends(branches) for again in set(branches)}
