"""What a contradiction brings about: the entries that follow it in the same batch when it passes."""

from __future__ import annotations

from collections.abc import Iterator

from beliefmerge.ledger.core.entries import Cascade, Entry, Reputation
from beliefmerge.ledger.core.state import State


def consequences(state: State, contradiction: str, time_ms: int) -> Iterator[Entry]:
    """The pass of the contradiction just appended, then each reputation change it calls for; nothing if it fails.

    Lazy: each entry must be appended to `state` before the next is asked for, as each is made at the head.
    """
    verdict = state.verdict(contradiction)
    if not verdict.passed:
        return
    tenant = str(state.tenant)
    yield Cascade(
        tenant=tenant,
        seq=state.head.seq + 1,
        time_ms=time_ms,
        contradiction=contradiction,
        target=verdict.target,
        votes=verdict.votes,
        independent=verdict.independent,
    )
    cause = state.head.hash.hex()
    for source, (alpha, beta) in sorted(state.recorded(cause).due.items()):
        yield Reputation(
            tenant=tenant,
            seq=state.head.seq + 1,
            time_ms=time_ms,
            source_id=source,
            alpha_delta=alpha,
            beta_delta=beta,
            cause=cause,
        )
