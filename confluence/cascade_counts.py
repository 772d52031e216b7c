"""The cascade counted exactly, claim by claim, without visiting profiles.

What a graph sees of a slot is whether it is asserted by the n-ary merge and by the fold in each order: a bit each, its
*signature*, of which there are few. IN is then computed for the n-ary merge and all orders at once, by bitwise
operations, and profiles of the claims so far are told apart only by what later claims can see of them. Orders are
shared by all slots, which is why each keeps its bit. Assert and refute are not exchanged: a tie is OUT.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import permutations, product
from typing import NamedTuple, TypeAlias, TypeVar

from beliefmerge.algebra.score import Score
from confluence.cascade_reference import ASSERT, LEVELS, CascadeProfile, slot
from confluence.derivations import Derivation, Premises
from confluence.outcomes import Folder
from confluence.representation import State, union

Bits: TypeAlias = int
"""Something that holds or not: bit 0 in the n-ary merge, bits 1.. in the fold of each order, lexicographically."""
Said: TypeAlias = tuple[State, ...]
"""What each branch says of one slot."""
_Key = TypeVar("_Key")
NARY: Bits = 1
SORTS = ("deleted", "resurrected", "mixed")


class Kind(NamedTuple):
    """Profiles that are not told apart: how many, and the first of those with the fewest assertions, by claim."""

    profiles: int
    assertions: int
    least: CascadeProfile

    def with_one_more(self, other: Kind) -> Kind:
        """Profiles of this kind continued by slots of the other."""
        return Kind(self.profiles * other.profiles, self.assertions + other.assertions, self.least + other.least)

    def together_with(self, other: Kind) -> Kind:
        """Both kinds as one."""
        return Kind(self.profiles + other.profiles, *min(self[1:], other[1:]))


def signatures(branches: int, score: Score, representation: str) -> dict[Bits, Kind]:
    """The signatures of a slot. Accumulators of all orders are states of one automaton; each step is taken once."""
    folder = Folder(representation, score, LEVELS)
    orders = list(permutations(range(branches)))
    found: dict[Bits, Kind] = {}
    for said in product(slot(branches).templates(), repeat=branches):
        ends = [union(said), *(_end(folder, said, order) for order in orders)]
        bits = sum(1 << i for i, end in enumerate(ends) if folder.decide(end) == {ASSERT})
        _add(found, bits, Kind(1, sum(map(len, said)), (said,)))
    return found


def _end(folder: Folder, said: Said, order: tuple[int, ...]) -> State:
    accumulator = said[order[0]]
    for branch in order[1:]:
        accumulator = folder.step(accumulator, said[branch])
    return accumulator


def _add(found: dict[_Key, Kind], key: _Key, kind: Kind) -> None:
    known = found.get(key)
    found[key] = kind if known is None else known.together_with(kind)


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


class Seen(NamedTuple):
    """What is left to know of the claims so far: where those still needed are IN, and what has happened."""

    inside: tuple[tuple[int, Bits], ...]
    deleted: bool
    resurrected: bool


def cascade(derivation: Derivation, branches: int, score: Score, representation: str) -> Cascade:
    """Exact counts over all ``slot(branches).total ** claims`` profiles. `mixed` ones are in both other counts."""
    slots = signatures(branches, score, representation)
    everywhere = max(slots)  # where all branches assert, so does every merge
    so_far = {Seen((), False, False): Kind(1, 0, ())}
    for claim, premises in enumerate(derivation.premises):
        needed = derivation.needed_after(claim)
        after: dict[Seen, Kind] = {}
        for seen, kind in so_far.items():
            founded = _founded(premises, dict(seen.inside), everywhere)
            for asserted, one in slots.items():
                inside = asserted & founded
                kept = tuple(pair for pair in (*seen.inside, (claim, inside)) if pair[0] in needed)
                lost = inside & NARY and inside != everywhere
                gained = not inside & NARY and inside
                now = Seen(kept, seen.deleted or bool(lost), seen.resurrected or bool(gained))
                _add(after, now, kind.with_one_more(one))
        so_far = after
    return _summed(so_far, slot(branches).total ** derivation.claims)


def _founded(premises: Premises, inside: Mapping[int, Bits], everywhere: Bits) -> Bits:
    """Where a claim is an axiom or has all premises of some justification IN."""
    if not premises:
        return everywhere
    founded = 0
    for body in premises:
        holds = everywhere
        for premise in body:
            holds &= inside[premise]
        founded |= holds
    return founded


def _summed(ended: Mapping[Seen, Kind], total: int) -> Cascade:
    sorts: dict[str, Kind] = {}
    for seen, kind in ended.items():
        happened = (seen.deleted, seen.resurrected, seen.deleted and seen.resurrected)
        for sort in (sort for sort, holds in zip(SORTS, happened, strict=True) if holds):
            _add(sorts, sort, kind)
    counts = {sort: sorts[sort].profiles if sort in sorts else 0 for sort in SORTS}
    return Cascade(total, **counts, witnesses={sort: sorts[sort].least for sort in SORTS if sort in sorts})
