"""Annotations: grow-only sets of assertions with their histories. Join is union.

A grow-only set in CRDT terms (Shapiro et al., 2011): nothing is ever removed, so every arrival order, grouping
and repetition gives the same set, and whatever is a function of the set (opinions, witnesses, the decision) is the same
too. See `beliefmerge.algebra.opinion` for what is read off the set.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from beliefmerge.algebra.evidence import Evidence, Trust
from beliefmerge.algebra.history import History


class Premise(NamedTuple):
    """Something that a conclusion rests on: the slot `key` being resolved to `value`.

    `value` None means that the branch held no value of its own: any resolved value but "no" will do.
    """

    key: str
    value: str | None = None

    def __lt__(self, other: tuple[Any, ...]) -> bool:
        return self.order() < Premise(*other).order()

    def order(self) -> tuple[str, bool, str]:
        """Sort key: by key, then no value before any."""
        return (self.key, self.value is not None, self.value or "")


Justification = frozenset[Premise]
"""Premises that together support a claim; the empty one always holds."""


@dataclass(frozen=True, slots=True)
class Assertion:
    """One value said (or denied) of one slot in one place.

    `message`, `block`, `start` and `end` say where; copies read from several files agree in them. `seq` is the place in
    the log, `value` is normalised, `justifications` are alternatives (none: it was simply said).
    """

    value: str
    evidence: Evidence
    trust: Trust
    speaker: str
    message: str
    history: History
    seq: int = 0
    block: int = 0
    start: int = 0
    end: int = 0
    denied: bool = False
    justifications: tuple[Justification, ...] = ()

    @property
    def identity(self) -> tuple[str, int, int, int, str, bool]:
        """What copies of this assertion share."""
        return (self.message, self.block, self.start, self.end, self.value, self.denied)


@dataclass(frozen=True, slots=True)
class Annotation:
    """The state of a slot: every assertion ever made of it."""

    assertions: frozenset[Assertion] = frozenset()
    several: frozenset[Trust] = frozenset()
    """On whose authority the slot may hold several values at once. Join is union."""

    @classmethod
    def of(cls, assertions: Iterable[Assertion], *, several: Iterable[Trust] = ()) -> Annotation:
        """The annotation of these assertions."""
        return cls(frozenset(assertions), frozenset(several))

    @property
    def multi(self) -> bool:
        """Whether the slot may hold several values at once: the most trusted who speak of it must say so."""
        return bool(self.several) and max((a.trust for a in self.assertions), default=None) in self.several

    def join(self, other: Annotation) -> Annotation:
        """Least upper bound: associative, commutative, idempotent."""
        return Annotation(self.assertions | other.assertions, self.several | other.several)

    def __or__(self, other: Annotation) -> Annotation:
        return self.join(other)

    def __iter__(self) -> Iterator[Assertion]:
        return iter(self.assertions)

    def __len__(self) -> int:
        return len(self.assertions)
