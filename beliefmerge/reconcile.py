"""Stage 3: claims in, slots out. Annotate, decide, adjudicate, derive; every step a function of the set of claims."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from beliefmerge.algebra.annotation import Annotation, Assertion
from beliefmerge.algebra.decision import Decision, Outcome, Stance
from beliefmerge.algebra.derivation import Ground, Stand, Standing, derive
from beliefmerge.algebra.evidence import Trust
from beliefmerge.algebra.opinion import Identity, Opinion, read
from beliefmerge.algebra.score import Score
from beliefmerge.algebra.tally import Tally, decide
from beliefmerge.claims.claim import Claim, ClaimType
from beliefmerge.slot import Resolution, Side, Slot

Adjudicate = Callable[[Sequence[Slot]], Mapping[str, Resolution]]
"""Offered the tied slots; answers for the keys it could settle."""


@dataclass(frozen=True)
class _Annotated:
    """A slot between annotation and derivation."""

    key: str
    multi: bool
    tally: Tally
    decision: Decision
    opinions: Mapping[Stance, Sequence[tuple[Opinion, Claim]]]
    """Current opinions for each stance with where they were said, strongest first; ties by (seq, session id)."""
    superseded: Sequence[Claim]
    resolution: Resolution | None = None

    @property
    def shown(self) -> frozenset[Stance]:
        if self.resolution is not None and self.resolution.outcome in ("choose", "both", "conditional"):
            return self.resolution.chosen
        return self.decision.stances

    @property
    def holding(self) -> frozenset[Stance]:
        """Stances that a premise may cite."""
        if self.resolution is not None:
            return self.resolution.chosen if self.resolution.outcome in ("choose", "both") else frozenset()
        settled = self.decision.outcome in (Outcome.RESOLVED, Outcome.COMPATIBLE)
        return self.decision.stances if settled else frozenset()


def annotate(claims: Iterable[Claim]) -> dict[str, tuple[Annotation, list[Claim]]]:
    """Claims by key, each key's with its annotation."""
    by_key: dict[str, list[Claim]] = {}
    for claim in claims:
        by_key.setdefault(claim.key, []).append(claim)
    return {
        key: (
            Annotation.of((c.assertion for c in group), several={c.assertion.trust for c in group if c.multi}),
            group,
        )
        for key, group in sorted(by_key.items())
    }


def reconcile(claims: Iterable[Claim], score: Score, *, adjudicate: Adjudicate | None = None) -> list[Slot]:
    """The slots of a set of claims, sorted by key. Neither order nor repetition of `claims` matters."""
    annotated = {key: _decided(key, *state, score) for key, state in annotate(claims).items()}
    if adjudicate is not None:
        annotated = _adjudicated(annotated, adjudicate)
    standings = derive({key: _stand(slot) for key, slot in annotated.items()})
    return [_slot(slot, standings[key]) for key, slot in annotated.items()]


def _decided(key: str, annotation: Annotation, group: Sequence[Claim], score: Score) -> _Annotated:
    reading = read(annotation)
    tally = Tally.of(reading.opinions)
    first: dict[Identity, Claim] = {}
    for claim in sorted(group, key=lambda c: (-c.assertion.trust, c.order)):
        first.setdefault(claim.assertion.identity, claim)
    opinions: dict[Stance, list[tuple[Opinion, Claim]]] = {}
    for opinion in reading.opinions:
        a = opinion.assertion
        opinions.setdefault(Stance(a.value, a.denied), []).append((opinion, _told(first, a)))
    for said in opinions.values():
        said.sort(key=lambda pair: (-pair[0].assertion.trust, -pair[0].assertion.evidence, pair[1].order))
    return _Annotated(
        key=key,
        multi=annotation.multi,
        tally=tally,
        decision=decide(tally, score, multi=annotation.multi),
        opinions=opinions,
        superseded=[_told(first, a) for a in reading.superseded if not a.denied],
    )


def _told(first: Mapping[Identity, Claim], assertion: Assertion) -> Claim:
    """The claim of an assertion whose copies were folded."""
    claim = first[assertion.identity]
    return claim if claim.assertion is assertion else replace(claim, assertion=assertion)


def _adjudicated(annotated: Mapping[str, _Annotated], adjudicate: Adjudicate) -> dict[str, _Annotated]:
    ties = [key for key, slot in annotated.items() if slot.decision.outcome is Outcome.DISPUTED]
    if not ties:
        return dict(annotated)
    standings = derive({key: _stand(slot) for key, slot in annotated.items()})
    answers = adjudicate([_slot(annotated[key], standings[key]) for key in ties])
    return {
        key: replace(slot, resolution=answers[key]) if key in answers and key in ties else slot
        for key, slot in annotated.items()
    }


def _stand(slot: _Annotated) -> Stand:
    grounds = {
        stance: [Ground(o.assertion.trust, o.justifications) for o, _ in slot.opinions[stance]] for stance in slot.shown
    }
    return Stand(grounds, slot.holding)


def _slot(slot: _Annotated, standing: Standing) -> Slot:
    sides = sorted((_side(slot, stance, standing) for stance in slot.shown), key=_side_order)
    shown = {side.stance.value for side in sides}
    spellings = {stance: said[0][1].spelling for stance, said in slot.opinions.items()}
    opposed = {spellings[s] for s in slot.tally.voices if s.value not in shown and not s.denied}
    if slot.decision.outcome is Outcome.REFUTED:
        opposed |= {side.spelling for side in sides}
    current = {stance.value for stance in slot.tally.voices if not stance.denied} | shown
    gone = [claim for claim in slot.superseded if claim.assertion.value not in current]
    superseded = {c.assertion.value: c.spelling for c in sorted(gone, key=lambda c: c.order, reverse=True)}
    return Slot(
        key=slot.key,
        type=_type(slot, sides),
        decision=slot.decision,
        sides=tuple(sides),
        status=standing.status,
        opposed=tuple(sorted(opposed)),
        superseded=tuple(sorted(superseded.values())),
        multi=slot.multi,
        unmet=standing.unmet,
        derived_from=standing.route,
        resolution=slot.resolution,
        heard=tuple(sorted((spellings[s], len(v)) for s, v in slot.tally.voices.items() if not s.denied)),
    )


def _side(slot: _Annotated, stance: Stance, standing: Standing) -> Side:
    claims = tuple(claim for _, claim in slot.opinions[stance])
    trust = standing.trust[stance]
    return Side(
        stance=stance,
        spelling=claims[0].spelling,
        witnesses=len(slot.tally.heard(stance)),
        evidence=max(claim.assertion.evidence for claim in claims),
        # A retracted side is on nobody's authority but its speaker's, and only marked as such.
        trust=min((c.assertion.trust for c in claims), default=Trust.UNTRUSTED) if trust is None else trust,
        claims=claims,
        retracted=trust is None,
    )


def _side_order(side: Side) -> tuple[object, ...]:
    return (-side.trust, -side.evidence, -side.witnesses, side.claims[0].order, side.stance)


def _type(slot: _Annotated, sides: Sequence[Side]) -> ClaimType:
    if slot.decision.outcome is Outcome.REFUTED:
        return ClaimType.REFUTED
    return sides[0].claims[0].type if sides else ClaimType.FACT
