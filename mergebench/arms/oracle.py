"""The merge fed a perfect extraction: the ceiling of everything after it, and of nothing before it.

Claims are built from the scenario's tellings, each with its place in the session, so evidence, trust and history come
from the messages as they do for any extractor.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from beliefmerge.algebra.annotation import Assertion, Justification, Premise
from beliefmerge.algebra.history import Chain
from beliefmerge.algebra.trust import own_trust
from beliefmerge.claims.claim import Claim, ClaimType, Extraction, Span
from beliefmerge.claims.values.normalise import normalise
from beliefmerge.session.model import Session
from mergebench.arm import Arm, Output, Request
from mergebench.merging import OPTIONS, merged
from mergebench.scenario import Scenario, Telling


class Oracle:
    """An extractor that knows what was told."""

    name = "oracle"

    def __init__(self, scenario: Scenario) -> None:
        self._told: dict[str, list[Telling]] = {}
        for telling in scenario.tellings:
            self._told.setdefault(telling.session, []).append(telling)

    def __call__(self, sessions: Sequence[Session], *, current: str | None = None) -> Extraction:
        """One claim a telling, in the sessions given."""
        return Extraction(tuple(claim for session in sessions for claim in self._of(session, current)))

    def _of(self, session: Session, current: str | None) -> Iterator[Claim]:
        chain = Chain(message.key for message in session.messages)
        for telling in self._told.get(session.id, ()):
            if telling.seq < len(session.messages):
                yield _claim(telling, session, chain, is_current=session.id == current)


def _claim(telling: Telling, session: Session, chain: Chain, *, is_current: bool) -> Claim:
    message = session.messages[telling.seq]
    trust = own_trust(telling.channel, is_current=is_current, declared=session.trust)
    assertion = Assertion(
        value=normalise(telling.value),
        evidence=telling.channel.evidence,
        trust=trust,
        speaker=telling.channel.speaker,
        message=message.key,
        history=chain.before(message.key),
        seq=telling.seq,
        start=telling.start,
        end=telling.end,
        denied=telling.denied,
        justifications=tuple(_route(route) for route in telling.premises),
    )
    span = Span(session.id, message.key, telling.seq, 0, telling.start, telling.end, telling.sentence)
    key = f"{telling.key} {telling.qualifier}".rstrip()
    return Claim(key, telling.value, ClaimType.FACT, telling.channel, span, assertion, multi=telling.multi)


def _route(route: tuple[tuple[str, str], ...]) -> Justification:
    return frozenset(Premise(key, normalise(value)) for key, value in route)


def work(scenario: Scenario, request: Request) -> Output:
    """Merge what was told."""
    return merged(scenario, request, Oracle(scenario))


ARM = Arm(work, sees_truth=True, options=OPTIONS)
