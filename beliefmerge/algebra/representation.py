"""What an accumulator may keep between merges: everything (an `Annotation`), or one of the collapsed summaries.

Only the join of annotations is safe for incremental merging. The summaries exist for the confluence experiment and for
serialisation; their type is not `Annotation`, so that none can be passed where one is expected.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from beliefmerge.algebra.annotation import Annotation
from beliefmerge.algebra.decision import Decision
from beliefmerge.algebra.opinion import read
from beliefmerge.algebra.score import Score
from beliefmerge.algebra.tally import Tally, decide

Rewriting: TypeAlias = Callable[[Tally, Score], Tally]


def decision(annotation: Annotation, score: Score) -> Decision:
    """The n-ary decision: read the whole annotation once."""
    return decide(Tally.of(read(annotation).opinions), score, multi=annotation.multi)


def keep_scores(tally: Tally, score: Score) -> Tally:
    """SCORES: every stance with its voices' levels, losers included; who spoke is gone."""
    return tally


def keep_counts(tally: Tally, score: Score) -> Tally:
    """COUNT: the winners with their supporters' evidence multiset."""
    stances = decide(tally, score).stances
    return Tally({stance: voices for stance, voices in tally.voices.items() if stance in stances})


def keep_maximum(tally: Tally, score: Score) -> Tally:
    """MAX: the winners with one top voice each."""
    return Tally({stance: voices[:1] for stance, voices in keep_counts(tally, score).voices.items()})


REWRITINGS: dict[str, Rewriting] = {"scores": keep_scores, "count": keep_counts, "max": keep_maximum}


@dataclass(frozen=True, slots=True)
class Summary:
    """A collapsed slot: a tally without identities and histories, rewritten after every union."""

    representation: str
    tally: Tally

    @classmethod
    def start(cls, representation: str, annotation: Annotation) -> Summary:
        """The first branch enters the fold as it is."""
        return cls(representation, Tally.of(read(annotation).opinions))

    def absorb(self, annotation: Annotation, score: Score) -> Summary:
        """One incremental step: add an annotation's voices to what was kept, and rewrite again."""
        added = self.tally + Tally.of(read(annotation).opinions)
        return Summary(self.representation, REWRITINGS[self.representation](added, score))

    def decide(self, score: Score) -> Decision:
        """The decision of what was kept."""
        return decide(self.tally, score)
