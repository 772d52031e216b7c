"""Stage 3b: ties are offered to an adjudicator that cannot invent an answer, and is not believed if it minds the order.

An adjudicator sees each tie's options with what was said for them and answers `choose`, `both`, `conditional` or
`unresolvable`. It is asked twice, the second time with ties and options reversed; a tie it answers differently is
`unresolvable`, marked order-sensitive. Whatever fails, fails to a tie that stands. The annotation is never touched: an
answer is a `Resolution` beside it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from beliefmerge.algebra.decision import Outcome, Stance
from beliefmerge.algebra.evidence import Evidence, Trust
from beliefmerge.slot import Resolution, Slot

LIMIT = 12
"""Ties that are offered at most, by default."""

OUTCOMES = ("choose", "both", "conditional", "unresolvable")


@dataclass(frozen=True, slots=True)
class Option:
    """One side of a tie, and what was said for it."""

    stance: Stance
    spelling: str
    evidence: Evidence
    witnesses: int
    trust: Trust
    quotes: tuple[str, ...]

    @property
    def name(self) -> str:
        """The spelling, or ``not`` and the spelling: unique within a tie, and what an answer cites."""
        return f"not {self.spelling}" if self.stance.denied else self.spelling


@dataclass(frozen=True, slots=True)
class Tie:
    """A disputed slot as an adjudicator sees it."""

    key: str
    options: tuple[Option, ...]


@dataclass(frozen=True, slots=True)
class Answer:
    """What an adjudicator says of one tie, unchecked. Options are cited by name."""

    outcome: str
    chosen: tuple[str, ...] = ()
    guards: Mapping[str, str] = field(default_factory=dict)
    """For `conditional`: the condition under which each chosen option holds."""
    premises: tuple[str, ...] = ()
    """Options the answer rests on."""
    reason: str = ""


class Adjudicator(Protocol):
    """Answers all ties in one call, by key. It may leave ties out, and may raise: then every tie stands."""

    def __call__(self, ties: Sequence[Tie]) -> Mapping[str, Answer]:
        """Answer `ties`; neither their order nor that of their options means anything."""
        ...


@dataclass(frozen=True)
class Adjudication:
    """What came of it: resolutions by key, and why the other ties stand."""

    resolutions: Mapping[str, Resolution] = field(default_factory=dict)
    ties: int = 0
    """Ties there were."""
    offered: int = 0
    """Ties the adjudicator saw."""
    calls: int = 0
    rejected: Counter[str] = field(default_factory=Counter)
    """Ties offered that stand unanswered, by cause."""
    failure: str | None = None
    """Why a call failed, one line."""


def ties(slots: Sequence[Slot], *, limit: int = LIMIT) -> list[Tie]:
    """The ties to offer: the `limit` most corroborated (witnesses, then evidence, then key), options by stance.

    A tie whose options cannot be told apart by name is not offered.
    """
    disputed = [slot for slot in slots if slot.decision.outcome is Outcome.DISPUTED]
    disputed.sort(key=lambda slot: (-sum(side.witnesses for side in slot.sides), -slot.evidence, slot.key))
    offered = [Tie(slot.key, _options(slot)) for slot in disputed]
    return [tie for tie in offered if len({option.name for option in tie.options}) == len(tie.options)][:limit]


def _options(slot: Slot) -> tuple[Option, ...]:
    return tuple(
        Option(
            stance=side.stance,
            spelling=side.spelling,
            evidence=side.evidence,
            witnesses=side.witnesses,
            trust=side.trust,
            quotes=tuple(dict.fromkeys(claim.span.quote for claim in side.claims)),
        )
        for side in sorted(slot.sides, key=lambda side: side.stance)
    )


def adjudicate(slots: Sequence[Slot], adjudicator: Adjudicator, *, limit: int = LIMIT) -> Adjudication:
    """Ask twice about the ties among `slots`, options reversed the second time. No ties, no call."""
    count = sum(slot.decision.outcome is Outcome.DISPUTED for slot in slots)
    offered = ties(slots, limit=limit)
    if not offered:
        return Adjudication(ties=count)
    backwards = [Tie(tie.key, tie.options[::-1]) for tie in reversed(offered)]
    calls = 0
    try:
        calls += 1
        first = dict(adjudicator(offered))
        calls += 1
        second = dict(adjudicator(backwards))
    except Exception as error:  # any failure of a model leaves the ties, and the report says which
        failure = f"{type(error).__name__}: {' '.join(str(error).split())}"[:200]
        causes = Counter({"call failed": len(offered)})
        return Adjudication(ties=count, offered=len(offered), calls=calls, rejected=causes, failure=failure)
    resolutions: dict[str, Resolution] = {}
    rejected: Counter[str] = Counter({"unknown key": len((first.keys() | second.keys()) - {t.key for t in offered})})
    for tie in offered:
        try:
            resolutions[tie.key] = _agreed(tie, first.get(tie.key), second.get(tie.key))
        except _RejectedAnswer as error:
            rejected[str(error)] += 1
        except (AttributeError, TypeError):
            rejected["malformed answer"] += 1
    return Adjudication(resolutions, count, len(offered), calls, +rejected)


class _RejectedAnswer(Exception):
    """An answer that its tie does not allow; the message is the cause it is counted under."""


def _agreed(tie: Tie, first: Answer | None, second: Answer | None) -> Resolution:
    one, other = _checked(tie, first), _checked(tie, second)
    if (one.outcome, one.chosen) == (other.outcome, other.chosen):
        return one
    return Resolution("unresolvable", reason="the answer changed with the order of the options", order_sensitive=True)


def _checked(tie: Tie, answer: Answer | None) -> Resolution:
    """`answer` as a resolution of `tie`. Raises when it cites what is no option, or lacks what its outcome needs."""
    if not isinstance(answer, Answer):
        raise _RejectedAnswer("no answer")
    options = {option.name: option.stance for option in tie.options}
    if answer.outcome not in OUTCOMES:
        raise _RejectedAnswer("unknown outcome")
    if not {*answer.chosen, *answer.guards} <= options.keys():
        raise _RejectedAnswer("value not among the options")
    if not set(answer.premises) <= options.keys():
        raise _RejectedAnswer("premise not among the options")
    chosen = frozenset(options[name] for name in answer.chosen)
    guards: tuple[tuple[str, str], ...] = ()
    if answer.outcome == "choose" and len(chosen) != 1:
        raise _RejectedAnswer("not one value chosen")
    if answer.outcome == "both" and len(chosen) < 2:
        raise _RejectedAnswer("fewer than two values for both")
    if answer.outcome == "both" and len({stance.value for stance in chosen}) < len(chosen):
        raise _RejectedAnswer("a value and its denial for both")
    if answer.outcome == "conditional":
        guards = tuple(sorted(_guards(answer, options).items()))
    if answer.outcome == "unresolvable":
        chosen = frozenset()
    return Resolution(answer.outcome, chosen, guards, answer.reason)


def _guards(answer: Answer, options: Mapping[str, Stance]) -> dict[str, str]:
    """Conditions by stance, as `Resolution.guard` looks them up."""
    conditions = {name: " ".join(answer.guards.get(name, "").split()) for name in answer.chosen}
    if not conditions or not all(conditions.values()):
        raise _RejectedAnswer("condition missing")
    named = {Resolution.guard_name(options[name]): condition for name, condition in conditions.items()}
    if len(named) < len(conditions):
        raise _RejectedAnswer("options that cannot be told apart")
    return named
