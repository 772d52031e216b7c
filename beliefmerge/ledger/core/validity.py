"""Whether an entry may be appended to a log as it stands."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from beliefmerge.ledger.core import chain
from beliefmerge.ledger.core.domains import url_fault
from beliefmerge.ledger.core.entries import (
    Cascade,
    Checkpoint,
    Conjecture,
    Contradiction,
    Derivation,
    Entry,
    Finding,
    MeasuredEdge,
    Observation,
    Reputation,
    Restoration,
    encode,
)
from beliefmerge.ledger.core.state import Invalid, State
from beliefmerge.ledger.core.trust import Tier


def check(state: State, entry: Entry) -> None:
    """Raise Unknown when `entry` names what this log does not hold, Invalid when it cannot stand here."""
    if entry.seq != state.head.seq + 1:
        raise Invalid(f"entry {entry.seq} cannot follow entry {state.head.seq}")
    if state.tenant not in (None, entry.tenant):
        raise Invalid("the log is another tenant's")
    _CHECKS[type(entry)](state, entry)


def append(state: State, entry: Entry) -> tuple[bytes, bytes]:
    """Check `entry` and take it in: its record, as it is to be stored, and its hash.

    Raises as ``check``, or NotHashable; the state is then unchanged.
    """
    check(state, entry)
    record = encode(entry)
    digest = chain.link(state.head.hash, record)
    state.apply(entry, digest)
    return record, digest


def _observation(state: State, entry: Observation) -> None:
    fault = None if entry.url is None else url_fault(entry.url)
    if fault:
        raise Invalid(f"url: {fault}")


def _inference(state: State, entry: Derivation | Conjecture) -> None:
    for parent in entry.parents:
        state.claim(parent)


def _contradiction(state: State, entry: Contradiction) -> None:
    state.claim(entry.target)
    for origin in entry.origins:
        state.place(origin)


def _cascade(state: State, entry: Cascade) -> None:
    verdict = state.verdict(entry.contradiction)
    if state.place(entry.contradiction) in state.passed:
        raise Invalid("that contradiction has passed already")
    if not verdict.passed:
        raise Invalid(f"{verdict.independent} independent origins, {verdict.needed} needed")
    if (entry.target, entry.votes, entry.independent) != (verdict.target, verdict.votes, verdict.independent):
        raise Invalid("not the verdict of that contradiction")


def _restoration(state: State, entry: Restoration) -> None:
    if state.recorded(entry.cascade).restored is not None:
        raise Invalid("that pass is restored already")


def _reputation(state: State, entry: Reputation) -> None:
    cause = state.recorded(entry.cause)
    if cause.restored is not None:
        raise Invalid("its cause is restored")
    if cause.due.get(entry.source_id) != (entry.alpha_delta, entry.beta_delta):
        raise Invalid("not what its cause calls for")
    if entry.source_id in state.reputations.caused(cause.seq):
        raise Invalid("that change is recorded already")


def _measured_edge(state: State, entry: MeasuredEdge) -> None:
    state.declared(entry.claim, entry.parent)
    bounds = [b for b in (entry.low_ppm, entry.weight_ppm, entry.high_ppm) if b is not None]
    if bounds != sorted(bounds):
        raise Invalid("the weight lies outside its interval")


def _finding(state: State, entry: Finding) -> None:
    if state.claim(entry.seal).kind is not Tier.SEALED_UNVERIFIED:
        raise Invalid("a finding is about a seal")


def _checkpoint(state: State, entry: Checkpoint) -> None:
    if (entry.head_seq, entry.head_hash) != (state.head.seq, state.head.hash.hex()):
        raise Invalid("not the head of what precedes it")


_CHECKS: dict[type, Callable[[State, Any], None]] = {
    Observation: _observation,
    Derivation: _inference,
    Conjecture: _inference,
    Contradiction: _contradiction,
    Cascade: _cascade,
    Restoration: _restoration,
    Reputation: _reputation,
    MeasuredEdge: _measured_edge,
    Finding: _finding,
    Checkpoint: _checkpoint,
}
