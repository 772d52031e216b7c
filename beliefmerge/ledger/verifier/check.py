"""Checking a target against sealed candidates, and reporting what contradicts it; the ledger's quorum decides."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Protocol

from beliefmerge.ledger.core.views import ContextEntry
from beliefmerge.ledger.verifier.embedders import Embedder
from beliefmerge.ledger.verifier.opinion import Adjudicator, Opinion, Relation, both_ways
from beliefmerge.ledger.verifier.rules import Rules
from beliefmerge.ledger.verifier.screen import Candidate, Statement, Thresholds, screen
from beliefmerge.ledger.wire import Contradict, Judged
from beliefmerge.llm.protocol import ModelError

_MOST = 256
"""Origins that one contradiction may name."""


class Trust(Protocol):
    """What the verifier needs of a client: the right to report a contradiction."""

    def contradict(self, body: Contradict) -> Judged:
        """Record a contradiction and give the quorum's verdict."""
        ...


@dataclass(frozen=True)
class Examination:
    """What was found without telling the ledger: opinions by candidate id, and pairs that gave none, by cause."""

    target: str
    opinions: dict[str, Opinion] = field(default_factory=dict)
    kept: tuple[Candidate, ...] = ()
    failed: Counter[str] = field(default_factory=Counter)

    def of(self, relation: Relation) -> tuple[str, ...]:
        """The candidates that stand in `relation` to the target, most similar first."""
        return tuple(id for id, opinion in self.opinions.items() if opinion.relation is relation)


@dataclass(frozen=True, slots=True)
class Contradiction:
    """A contradiction as recorded: who contradicts, and what the quorum said."""

    target: str
    origins: tuple[str, ...]
    reason: str
    verdict: Judged


def statement(entry: ContextEntry) -> Statement:
    """What an entry says, as the verifier compares it."""
    return Statement(entry.id, entry.text, entry.claim, entry.source_id)


class Verifier:
    """Two stages: `screen`, then an adjudicator asked in both orders (`Rules` unless another is given)."""

    def __init__(
        self,
        ledger: Trust,
        *,
        adjudicator: Adjudicator | None = None,
        embedder: Embedder | None = None,
        thresholds: Thresholds | None = None,
    ) -> None:
        self.adjudicator: Adjudicator = adjudicator or Rules()
        self._embedder, self._thresholds = embedder, thresholds
        # In a closure, not in a field: nothing that walks or prints the object meets the token.
        self._report: Callable[[Contradict], Judged] = lambda body: ledger.contradict(body)

    def examine(self, target: ContextEntry, candidates: Iterable[ContextEntry]) -> Examination:
        """Compare `target` with the sealed entries among `candidates`; nothing is reported.

        A pair about which the adjudicator fails is no contradiction; failures are counted by cause.
        """
        sealed = [statement(entry) for entry in candidates if entry.kind == "observation"]
        kept = screen(statement(target), sealed, embedder=self._embedder, thresholds=self._thresholds)
        found = Examination(target.id, kept=tuple(kept))
        for candidate in kept:
            try:
                opinion = both_ways(self.adjudicator, target.text, candidate.statement.text)
            except ModelError as error:
                found.failed[str(error.cause)] += 1
                continue
            found.opinions[candidate.statement.id] = opinion
        return found

    def check(self, target: ContextEntry, candidates: Iterable[ContextEntry]) -> Contradiction | None:
        """Report to the ledger that sealed `candidates` contradict `target`; None, and no report, when none does.

        Whether it passes is for the ledger's quorum to say: see ``verdict``. Raises what the client raises.
        """
        found = self.examine(target, candidates)
        origins = found.of(Relation.CONTRADICT)[:_MOST]
        if not origins:
            return None
        reason = found.opinions[origins[0]].reason
        verdict = self._report(Contradict(target=target.id, origins=list(origins), text=reason))
        return Contradiction(target.id, origins, reason, verdict)
