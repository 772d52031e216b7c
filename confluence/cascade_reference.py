"""The cascade, one profile at a time: every order, dictionaries, a naive fixpoint. Slow, and the oracle."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations, product

from beliefmerge.algebra.score import Score
from confluence.derivations import Derivation
from confluence.representation import REPRESENTATIONS, State, decide, union
from confluence.space import Form, Space

ASSERT, REFUTE = 0, 1
LEVELS = 2

CascadeProfile = tuple[tuple[State, ...], ...]
"""``profile[claim][branch]``: what a branch says of a claim, nothing or one opinion."""


def slot(branches: int) -> Space:
    """What `branches` branches may say of one claim: nothing, assert or refute, with evidence 1 or 2."""
    return Space(2, LEVELS, branches, Form.WELL_FORMED)


@dataclass(frozen=True, slots=True)
class Outcome:
    """IN of the n-ary merge and of the fold in each order of the branches."""

    nary: frozenset[int]
    folds: Mapping[tuple[int, ...], frozenset[int]]

    @property
    def deleted(self) -> bool:
        """Whether some order loses a claim."""
        return any(self.nary - fold for fold in self.folds.values())

    @property
    def resurrected(self) -> bool:
        """Whether some order gains one."""
        return any(fold - self.nary for fold in self.folds.values())


def outcome(derivation: Derivation, profile: CascadeProfile, score: Score, representation: str) -> Outcome:
    """What is IN, merged at once and in every order."""
    rewrite = REPRESENTATIONS[representation]

    def asserted(state: State) -> bool:
        return decide(state, score) == {ASSERT}

    def folded(said: Sequence[State], order: Sequence[int]) -> State:
        accumulator = said[order[0]]
        for i in order[1:]:
            accumulator = rewrite(union((accumulator, said[i])), score, LEVELS)
        return accumulator

    together = {claim for claim, said in enumerate(profile) if asserted(union(said))}
    folds = {
        order: fixpoint(derivation, {claim for claim, said in enumerate(profile) if asserted(folded(said, order))})
        for order in permutations(range(len(profile[0])))
    }
    return Outcome(fixpoint(derivation, together), folds)


def fixpoint(derivation: Derivation, asserted: set[int]) -> frozenset[int]:
    """Claims that are IN, added round by round until nothing changes."""
    inside: set[int] = set()
    while True:
        supported = {
            claim
            for claim in asserted
            if not derivation.premises[claim] or any(inside.issuperset(body) for body in derivation.premises[claim])
        }
        if supported <= inside:
            return frozenset(inside)
        inside |= supported


def profiles(derivation: Derivation, branches: int) -> Iterator[CascadeProfile]:
    """Every profile."""
    said = list(product(slot(branches).templates(), repeat=branches))
    yield from product(said, repeat=derivation.claims)
