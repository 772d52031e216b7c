"""Founding belief: what a claim is believed while nothing it rests on has fallen."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from fractions import Fraction
from typing import Any, TypeVar

from beliefmerge.ledger.core import trust
from beliefmerge.ledger.core.corroboration import Corroboration
from beliefmerge.ledger.core.node import Node
from beliefmerge.ledger.core.reputation import Reputations
from beliefmerge.ledger.core.trust import Interval, Tier

T = TypeVar("T")


class Founding:
    """Founding beliefs, computed when asked for and kept until `clear`.

    `nodes` are the state's claims, `verified` the seals that a replay confirmed; they are read, not copied.
    """

    def __init__(
        self,
        nodes: Mapping[int, Node],
        verified: Container[int],
        reputations: Reputations,
        corroboration: Corroboration,
    ) -> None:
        self._nodes, self._verified = nodes, verified
        self._reputations, self._corroboration = reputations, corroboration
        self._known: dict[int, Interval] = {}

    def clear(self) -> None:
        """What a leaf is believed has changed."""
        self._known.clear()

    def of(self, seq: int) -> Interval:
        """Bounds of a claim's founding belief."""
        found = self._known.get(seq)
        return self._evaluate(seq, self._known, self._leaf, _derived) if found is None else found

    def exactly(self, seq: int) -> Fraction:
        """What ``of`` bounds."""
        base = Fraction(trust.BASE[Tier.DERIVED], trust.PPM)
        exact: dict[int, Fraction] = {}
        return self._evaluate(seq, exact, lambda at: self._leaf(at, trust.sealed_exactly), lambda p: base * min(p))

    def tier(self, seq: int) -> Tier:
        """The storage tier of a claim."""
        return Tier.SEALED_VERIFIED if seq in self._verified else self._nodes[seq].kind

    def _evaluate(
        self, seq: int, memo: dict[int, T], leaf: Callable[[int], T], derived: Callable[[Sequence[T]], T]
    ) -> T:
        stack = [seq]
        while stack:
            node = self._nodes[stack[-1]]
            if node.kind is not Tier.DERIVED:
                memo[stack.pop()] = leaf(stack[-1])
                continue
            missing = [p for p in node.parents if p not in memo]
            stack += missing
            if not missing:
                memo[stack.pop()] = derived([memo[p] for p in node.parents])
        return memo[seq]

    def _leaf(self, seq: int, value: Callable[[int, int, int, int], Any] = trust.sealed) -> Any:
        """Founding belief of an observation or a conjecture."""
        node, base = self._nodes[seq], trust.BASE[self.tier(seq)]
        if node.source is None:
            return value(base, 1, 0, 1)
        alpha, beta = self._reputations.before(node.source, seq)
        return value(base, alpha, beta, self._corroboration.origins(seq))


def _derived(parents: Sequence[Interval]) -> Interval:
    low, high = min(low for low, _ in parents), min(high for _, high in parents)
    return trust.times((low, high), trust.BASE[Tier.DERIVED])
