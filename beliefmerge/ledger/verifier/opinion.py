"""What an adjudicator says of two statements, and how it is asked: in both orders, and disbelieved if it minds."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol


class Relation(StrEnum):
    """How two statements stand to each other."""

    CONTRADICT = "contradict"
    """Both cannot be true."""
    AGREE = "agree"
    """They say the same."""
    NEITHER = "neither"


@dataclass(frozen=True, slots=True)
class Opinion:
    """A relation, and why, one line."""

    relation: Relation
    reason: str = ""


class Adjudicator(Protocol):
    """Stage B. `name` says who judges, for records."""

    name: str

    def judge(self, first: str, second: str) -> Opinion:
        """How two statements stand to each other. Raises ModelError."""
        ...


ORDER_SENSITIVE = "the answer changed with the order of the statements"


def both_ways(adjudicator: Adjudicator, one: str, other: str) -> Opinion:
    """The opinion of `adjudicator`, asked in both orders; disagreement is neither. Raises ModelError."""
    first, second = adjudicator.judge(one, other), adjudicator.judge(other, one)
    return first if first.relation is second.relation else Opinion(Relation.NEITHER, ORDER_SENSITIVE)
