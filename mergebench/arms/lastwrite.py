"""A key-value memory, last write wins: sessions are written down one after the other, each fact over what was there.

It holds what the heuristic extractor finds and is packed and printed as the merge is, so that the difference to
`heuristic` is the rule by which a value is kept. A denial of the value that is there deletes it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from beliefmerge.claims.claim import Claim, Extraction
from beliefmerge.claims.heuristic import extract
from beliefmerge.session.model import Session
from mergebench.arm import Arm, Output, Request
from mergebench.merging import OPTIONS, merged
from mergebench.scenario import Scenario


class LastWrite:
    """An extractor that keeps one claim a key."""

    name = "last write"

    def __call__(self, sessions: Sequence[Session], *, current: str | None = None) -> Extraction:
        """The memory after all of `sessions`, written in the order given."""
        found = extract(sessions, current=current)
        arrival = {session.id: number for number, session in enumerate(sessions)}
        memory: dict[str, Claim] = {}
        for claim in sorted(found.claims, key=lambda c: (arrival[c.span.session], c.span.seq, c.order)):
            _write(memory, claim)
        return replace(found, claims=tuple(_plain(claim) for claim in memory.values()))


def _write(memory: dict[str, Claim], claim: Claim) -> None:
    if not claim.assertion.denied:
        memory[claim.key] = claim
    elif claim.key in memory and memory[claim.key].assertion.value == claim.assertion.value:
        del memory[claim.key]


def _plain(claim: Claim) -> Claim:
    """`claim` as a memory has it: one value, resting on nothing."""
    return replace(claim, multi=False, assertion=replace(claim.assertion, justifications=()))


def work(scenario: Scenario, request: Request) -> Output:
    """What is in the memory, as much as fits."""
    return merged(scenario, request, LastWrite())


ARM = Arm(work, options=OPTIONS)
