"""Decisions: what a slot says once everything known of it is weighed. A tie is never guessed."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple


class Outcome(StrEnum):
    """`compatible` and `conditional` come from a multi-valued slot or an adjudication, never from a tie alone."""

    RESOLVED = "resolved"
    DISPUTED = "disputed"
    COMPATIBLE = "compatible"
    CONDITIONAL = "conditional"
    REFUTED = "refuted"
    EMPTY = "empty"


class Stance(NamedTuple):
    """A value, or the denial of one."""

    value: str
    denied: bool = False


@dataclass(frozen=True, slots=True)
class Decision:
    """The outcome and the stances it is about: the winner, the tied sides, or the refuted values."""

    outcome: Outcome
    stances: frozenset[Stance] = frozenset()

    @property
    def value(self) -> str | None:
        """The one value of a resolved slot, else None."""
        if self.outcome is not Outcome.RESOLVED:
            return None
        (stance,) = self.stances
        return stance.value


EMPTY = Decision(Outcome.EMPTY)
