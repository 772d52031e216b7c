"""The merge, with a slot for each bearer of a name, told apart by the passages that claims come with.

Passages that give one answer are about one bearer; so are passages that give different ones where one is a copy of the
other, edited: of the triples of words of the shorter one, the other holds half. Copies by other words are not seen.
Within a slot the merge decides by witnesses, and a tie stays one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import combinations

from beliefmerge.pack.relevance import terms
from beliefmerge.session.model import Session
from mergebench.arm import Arm, Output, Request
from mergebench.merging import OPTIONS, merged
from mergebench.scenario import Scenario

PASSAGE = "passage"
"""What a session's `meta` calls the text that its claims were taken from."""
SHARED = 0.5
"""Share of the shorter passage's triples of words that an edited copy holds."""


def work(scenario: Scenario, request: Request) -> Output:
    """Merge the claims, their slots split."""
    return merged(replace(scenario, sessions=split(scenario.sessions)), request, "heuristic")


def split(sessions: Sequence[Session]) -> tuple[Session, ...]:
    """`sessions` with the key of each claim made one for its bearer, called after the least of its answers.

    The names do not depend on the order of the sessions.
    """
    claims = [(session, claim) for session in sessions for claim in session.claims]
    about = bearers((claim.value, _triples(str(session.meta.get(PASSAGE, "")))) for session, claim in claims)
    return tuple(
        replace(
            session,
            claims=tuple(replace(claim, key=f"{claim.key} of {about[claim.value]}") for claim in session.claims),
        )
        for session in sessions
    )


def bearers(passages: Iterable[tuple[str, frozenset[tuple[str, ...]]]]) -> dict[str, str]:
    """For each answer, given with the triples of a passage, the least answer of those about the same bearer."""
    told = list(passages)
    least = {answer: answer for answer, _ in told}
    for (one, these), (other, those) in combinations(told, 2):
        shorter = min(len(these), len(those))
        if least[one] != least[other] and shorter and len(these & those) >= SHARED * shorter:
            kept, dropped = sorted((least[one], least[other]))
            least = {answer: kept if of == dropped else of for answer, of in least.items()}
    return least


def _triples(text: str) -> frozenset[tuple[str, ...]]:
    words = terms(text)
    return frozenset(zip(words, words[1:], words[2:], strict=False))


ARM = Arm(work, options=OPTIONS)
