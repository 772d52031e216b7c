"""What a block says: the data that ``render`` prints and ``parse`` gives back."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from beliefmerge.algebra.annotation import Premise
from beliefmerge.algebra.decision import Outcome
from beliefmerge.algebra.evidence import Evidence, Trust

OUTCOME_WORDS = {
    Outcome.DISPUTED: "DISPUTED",
    Outcome.COMPATIBLE: "COMPATIBLE",
    Outcome.CONDITIONAL: "CONDITIONAL",
    Outcome.REFUTED: "REFUTED",
}
"""A resolved slot needs no word."""

ELLIPSIS = "…"
"""Stands outside the quotation marks where a quote was shortened."""


class PrintedStatus(StrEnum):
    """What a line says of its item's standing in the derivation graph."""

    STANDS = "stands"
    """It needs no premise: simply said, or also simply said."""
    DERIVED = "derived"
    """It rests on the premises named."""
    RETRACTED = "retracted"
    """No route to it holds; the premises named are unmet."""


@dataclass(frozen=True, slots=True)
class Quote:
    """A verbatim part of a span's quote after folding of white space, and where it was cut."""

    text: str
    cut_before: bool = False
    cut_after: bool = False


@dataclass(frozen=True, slots=True)
class ParsedSide:
    """One value with its labels."""

    value: str
    denied: bool
    evidence: Evidence
    witnesses: int = 1
    trust: Trust = Trust.EXTERNAL
    retracted: bool = False
    """Marked retracted by itself, in an item that has other sides which are not."""
    guard: str | None = None
    """The condition under which it holds, in a conditional item."""
    quote: Quote | None = None


@dataclass(frozen=True, slots=True)
class ParsedItem:
    """One line: a slot."""

    key: str
    outcome: Outcome
    sides: tuple[ParsedSide, ...]
    status: PrintedStatus = PrintedStatus.STANDS
    adjudicated: bool = False
    premises: tuple[Premise, ...] = ()
    """What it is derived from, or for a retracted item what is unmet."""


@dataclass(frozen=True, slots=True)
class Counts:
    """The footer. All but `omitted` count every slot of the merge, shown or not."""

    omitted: int = 0
    """Slots that are not shown."""
    unresolved: int = 0
    """Disputed slots."""
    adjudicated: int = 0
    """Ties that an adjudicator settled."""
    retracted: int = 0


NOTHING_LEFT_OUT = Counts()


@dataclass(frozen=True, slots=True)
class ParsedBlock:
    """A whole block."""

    banner: bool
    items: tuple[ParsedItem, ...]
    counts: Counts = NOTHING_LEFT_OUT
