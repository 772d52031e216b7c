"""The cascade counted exactly: profiles of a slot that no graph can tell apart are one signature.

What a graph sees of a slot is whether it is asserted by the n-ary merge and by the fold in each order. There are few
such signatures, so that a graph of m slots is counted over their m-fold product, weighted, instead of over all
profiles. Orders are shared by all slots, which is why a signature keeps each order apart. Assert and refute are not
exchanged: a tie is OUT.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import permutations, product
from typing import TypeAlias

from beliefmerge.algebra.score import Score
from confluence.cascade_reference import ASSERT, LEVELS, CascadeProfile, slot
from confluence.derivations import Derivation
from confluence.outcomes import Folder
from confluence.representation import State, union

Signature: TypeAlias = tuple[bool, ...]
"""Whether the slot is asserted: by the n-ary merge, then by the fold in each order, lexicographically."""
Said: TypeAlias = tuple[State, ...]
"""What each branch says of one slot."""


@dataclass(frozen=True, slots=True)
class Kind:
    """All profiles of a slot with one signature: how many, and the first of those with the fewest assertions."""

    count: int
    least: Said

    @property
    def assertions(self) -> int:
        """Assertions in `least`."""
        return sum(map(len, self.least))


def signatures(branches: int, score: Score, representation: str) -> dict[Signature, Kind]:
    """Every signature of a slot. The accumulators of all orders are steps of one automaton, each taken once."""
    folder = Folder(representation, score, LEVELS)
    orders = list(permutations(range(branches)))
    found: dict[Signature, tuple[int, tuple[int, Said]]] = {}
    for said in product(slot(branches).templates(), repeat=branches):
        ends = [union(said), *(_end(folder, said, order) for order in orders)]
        signature = tuple(folder.decide(end) == {ASSERT} for end in ends)
        size = (sum(map(len, said)), said)
        count, least = found.get(signature, (0, size))
        found[signature] = (count + 1, min(least, size))
    return {signature: Kind(count, said) for signature, (count, (_, said)) in found.items()}


def _end(folder: Folder, said: Said, order: tuple[int, ...]) -> State:
    accumulator = said[order[0]]
    for branch in order[1:]:
        accumulator = folder.step(accumulator, said[branch])
    return accumulator


@dataclass(frozen=True, slots=True)
class Cascade:
    """Counts of one graph, and the smallest profile of each sort (fewest assertions, then the first by claim)."""

    total: int
    deleted: int
    resurrected: int
    mixed: int
    witnesses: Mapping[str, CascadeProfile]

    @property
    def failing(self) -> int:
        """Profiles that are deleted or resurrected or both."""
        return self.deleted + self.resurrected - self.mixed


SORTS = ("deleted", "resurrected", "mixed")


def cascade(derivation: Derivation, branches: int, score: Score, representation: str) -> Cascade:
    """Exact counts over all ``slot(branches).total ** claims`` profiles. `mixed` ones are in both other counts."""
    kinds = signatures(branches, score, representation)
    counted = dict.fromkeys(SORTS, 0)
    smallest: dict[str, tuple[int, CascadeProfile]] = {}
    for chosen, sorts in _sorted(derivation, kinds):
        weight = math.prod(kinds[signature].count for signature in chosen)
        size = sum(kinds[signature].assertions for signature in chosen)
        profile = tuple(kinds[signature].least for signature in chosen)
        for sort in sorts:
            counted[sort] += weight
            smallest[sort] = min(smallest.get(sort, (size, profile)), (size, profile))
    witnesses = {sort: profile for sort, (_, profile) in smallest.items()}
    return Cascade(slot(branches).total ** derivation.claims, **counted, witnesses=witnesses)


def _sorted(
    derivation: Derivation, kinds: Mapping[Signature, Kind]
) -> Iterator[tuple[tuple[Signature, ...], list[str]]]:
    """Every choice of a signature a slot, with what becomes of its profiles."""
    inside: dict[tuple[bool, ...], frozenset[int]] = {}
    for asserted in product((False, True), repeat=derivation.claims):
        inside[asserted] = derivation.inside([claim for claim, holds in enumerate(asserted) if holds])
    for chosen in product(kinds, repeat=derivation.claims):
        nary, *folds = (inside[asserted] for asserted in _outcomes(chosen))
        deleted = any(nary - fold for fold in folds)
        resurrected = any(fold - nary for fold in folds)
        sorts = [
            sort for sort, holds in zip(SORTS, (deleted, resurrected, deleted and resurrected), strict=True) if holds
        ]
        yield chosen, sorts


def _outcomes(chosen: tuple[Signature, ...]) -> list[tuple[bool, ...]]:
    """Which claims are asserted, by the n-ary merge first and then by each different outcome of an order."""
    nary, *folds = zip(*chosen, strict=True)
    return [nary, *dict.fromkeys(folds)]
