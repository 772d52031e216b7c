"""Claims: typed statements with provenance, and what an extractor gives back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol

from beliefmerge.algebra.annotation import Assertion
from beliefmerge.session.model import Channel, Session


class ClaimType(StrEnum):
    """What kind of statement a claim is."""

    FACT = "Fact"
    DECISION = "Decision"
    CONSTRAINT = "Constraint"
    GOAL = "Goal"
    REFUTED = "Refuted"
    ARTIFACT = "Artifact"
    OPEN_QUESTION = "OpenQuestion"


@dataclass(frozen=True, slots=True)
class Span:
    """Where something was said. `start` and `end` are character offsets into the block's text; `quote` is that text."""

    session: str
    message: str
    seq: int
    block: int
    start: int
    end: int
    quote: str


@dataclass(frozen=True, slots=True)
class Claim:
    """One value of one slot, said in one place.

    `key` is the slot's canonical name, `spelling` the value as it was written; the normalised value, the evidence, the
    trust, the history and the premises are the assertion's.
    """

    key: str
    spelling: str
    type: ClaimType
    channel: Channel
    span: Span
    assertion: Assertion
    multi: bool = False
    salience: float = 1.0
    """How much of a statement the sentence is, 0..1: concrete facts and decisions high, small talk low."""

    @property
    def order(self) -> tuple[int, str, int, int, int, str, str, str, str]:
        """A total order of a slot's claims for one value, which does not depend on the order of the branches.

        Two sessions may go by one id, and then have several messages of one sequence number.
        """
        span = self.span
        place = (span.seq, span.session, span.block, span.start, span.end, span.message)
        return (*place, span.quote, self.spelling, self.type)


@dataclass(frozen=True)
class Extraction:
    """What an extractor found: claims, and what it dropped, counted by cause."""

    claims: tuple[Claim, ...]
    dropped: Counter[str] = field(default_factory=Counter)
    notes: tuple[str, ...] = ()
    """What went wrong on the way and was mended, one line each."""


class Extractor(Protocol):
    """Turns redacted sessions into claims. The result must not depend on the order of `sessions`.

    A model may propose key, value, quote, branch and premises; channel, evidence and trust come from the block the
    quote lies in (architecture, decision 4).
    """

    def __call__(self, sessions: Sequence[Session], *, current: str | None = None) -> Extraction:
        """Extract from all branches together; `current` is the id of the caller's own session."""
        ...
