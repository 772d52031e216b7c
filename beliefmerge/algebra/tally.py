"""Tallies: support and denial counted in distinct witnesses, and the decision they give."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from beliefmerge.algebra.decision import EMPTY, Decision, Outcome, Stance
from beliefmerge.algebra.evidence import Trust
from beliefmerge.algebra.opinion import Opinion
from beliefmerge.algebra.score import Score

Voice: TypeAlias = tuple[int, int]
"""What a witness counts for: (trust, evidence level)."""
Net: TypeAlias = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Tally:
    """The voices of distinct witnesses for each stance, greatest first."""

    voices: Mapping[Stance, tuple[Voice, ...]]

    @classmethod
    def of(cls, opinions: Iterable[Opinion]) -> Tally:
        """Each witness once per stance, with its greatest (trust, evidence)."""
        best: dict[Stance, dict[object, Voice]] = {}
        for opinion in opinions:
            a = opinion.assertion
            witnesses = best.setdefault(Stance(a.value, a.denied), {})
            voice = (int(a.trust), int(a.evidence))
            witnesses[opinion.witness] = max(voice, witnesses.get(opinion.witness, voice))
        return cls({stance: tuple(sorted(ws.values(), reverse=True)) for stance, ws in best.items()})

    def __add__(self, other: Tally) -> Tally:
        """Multiset sum: right for disjoint witnesses only."""
        stances = {**self.voices, **other.voices}
        return Tally({s: tuple(sorted(self.heard(s) + other.heard(s), reverse=True)) for s in stances})

    def heard(self, stance: Stance) -> tuple[Voice, ...]:
        """Voices for `stance`; none if nobody took it."""
        return self.voices.get(stance, ())

    def net(self, value: str, score: Score) -> Net:
        """Support minus denial, one score vector a trust level, TRUSTED first."""
        return tuple(
            component
            for trust in _FALLING
            for component in _minus(
                score.total([level for t, level in self.heard(Stance(value)) if t == trust]),
                score.total([level for t, level in self.heard(Stance(value, denied=True)) if t == trust]),
            )
        )


_FALLING = tuple(sorted(Trust, reverse=True))


def _minus(a: tuple[int, ...], b: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(x - y for x, y in zip(a, b, strict=True))


def decide(tally: Tally, score: Score, *, multi: bool = False) -> Decision:
    """The standing value(s) of greatest net support; never a guess.

    A value stands when its support exceeds its denial. Vectors are compared trust level first, so no number of lower
    voices overturns a higher one. A multi-valued slot keeps every standing value.
    """
    nets = {stance.value: tally.net(stance.value, score) for stance in tally.voices}
    if not nets:
        return EMPTY
    zero = (0,) * len(next(iter(nets.values())))
    standing = {value: net for value, net in nets.items() if net > zero}
    if not standing:
        return _none_stands(nets, zero)
    if not multi:
        best = max(standing.values())
        standing = {value: net for value, net in standing.items() if net == best}
    several = Outcome.COMPATIBLE if multi else Outcome.DISPUTED
    outcome = Outcome.RESOLVED if len(standing) == 1 else several
    return Decision(outcome, frozenset(Stance(value) for value in standing))


def _none_stands(nets: Mapping[str, Net], zero: Net) -> Decision:
    balanced = [value for value, net in nets.items() if net == zero]
    if balanced:
        sides = frozenset(Stance(v, denied) for v in balanced for denied in (False, True))
        return Decision(Outcome.DISPUTED, sides)
    return Decision(Outcome.REFUTED, frozenset(Stance(value, denied=True) for value in nets))
