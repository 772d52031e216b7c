"""The merge of what was said, as it was said: every message a claim, packed by what it is worth for the question.

Nothing is read out of a message, so none is misread, and none contradicts another: what is measured is the rest of the
pipeline (evidence, trust, exact packing, labels, verification) on prose from which the extractor reads little. What a
message is worth is `mergebench.arms.retrieve`'s, squared, so that two middling messages do not outweigh a good one; the
exponent was chosen on the same three conversations. The solver then maximises the sum within the budget.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from beliefmerge.algebra.annotation import Assertion
from beliefmerge.algebra.history import Chain
from beliefmerge.algebra.trust import own_trust
from beliefmerge.claims.claim import Claim, ClaimType, Extraction, Span
from beliefmerge.claims.heuristic import distinct
from beliefmerge.claims.said.sentences import LONGEST, split
from beliefmerge.claims.values.normalise import normalise
from beliefmerge.pack import Weights
from beliefmerge.session.model import Block, Message, Session
from mergebench.arm import Arm, Output, Request
from mergebench.arms.retrieve import worths
from mergebench.merging import OPTIONS, merged
from mergebench.scenario import Scenario
from mergebench.transcript import WHO, Named

POWER = 2
BY_WORTH = Weights(
    evidence=0, corroboration=0, trust=0, relevance=0, recency=0, coverage=0, plausibility=0.001, detail=0.00001
)
"""A claim counts by its salience alone."""


class Turns:
    """An extractor that takes messages whole; one too long for a statement, sentence by sentence."""

    name = "turns"

    def __init__(self, question: str) -> None:
        self._question = question

    def __call__(self, sessions: Sequence[Session], *, current: str | None = None) -> Extraction:
        """One claim a block of text or sentence, its salience what its message is worth."""
        sessions = distinct(sessions)
        messages = [(s, message) for s, session in enumerate(sessions) for message in session.messages]
        worth = worths(self._question, messages)
        best = max(worth, default=0.0) or 1.0
        chains = [Chain(message.key for message in session.messages) for session in sessions]
        return Extraction(
            tuple(
                claim
                for (s, message), value in zip(messages, worth, strict=True)
                for claim in _claims(
                    sessions[s],
                    message,
                    chains[s],
                    salience=(value / best) ** POWER,
                    is_current=sessions[s].id == current,
                )
            )
        )


def _claims(session: Session, message: Message, chain: Chain, *, salience: float, is_current: bool) -> Iterator[Claim]:
    told = [
        (place, block, start, end)
        for place, block in enumerate(message.blocks)
        if block.kind == "text"
        for start, end in _pieces(block)
    ]
    for number, (place, block, start, end) in enumerate(told, 1):
        who = block.speaker if isinstance(block, Named) else WHO[block.channel]
        key = f"{who} {session.id}:{message.seq + 1}" + (f".{number}" if len(told) > 1 else "")
        quote = block.text[start:end]
        spelling = " ".join(quote.split())
        assertion = Assertion(
            value=normalise(spelling),
            evidence=block.channel.evidence,
            trust=own_trust(block.channel, is_current=is_current, declared=session.trust),
            speaker=block.channel.speaker,
            message=message.key,
            history=chain.before(message.key),
            seq=message.seq,
            block=place,
            start=start,
            end=end,
        )
        span = Span(session.id, message.key, message.seq, place, start, end, quote)
        yield Claim(key, spelling, ClaimType.FACT, block.channel, span, assertion, salience=salience)


def _pieces(block: Block) -> list[tuple[int, int]]:
    """Where a block's text lies, without the name it begins with; the sentences of a long one."""
    text = block.text
    begin = len(block.speaker) + 2 if isinstance(block, Named) and text.startswith(f"{block.speaker}: ") else 0
    if len(text) - begin > LONGEST:
        return [(max(piece.start, begin), piece.end) for piece in split(text) if piece.end > begin]
    return [(begin, len(text))] if text[begin:].strip() else []


def work(scenario: Scenario, request: Request) -> Output:
    """Merge the messages, for the question."""
    assert request.question is not None, "turns are packed for a question"
    return merged(scenario, request, Turns(request.question.text), weights=BY_WORTH)


ARM = Arm(work, sees_question=True, options=OPTIONS)
