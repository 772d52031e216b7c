"""What each kind of write does in the tenant's writer: check against the state as it is then, add entries, answer.

Nothing is added before all that can be refused has been: a submission that fails after adding costs a fold of the log.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, TypeAlias

import msgspec

from beliefmerge.ledger.core.entries import (
    Checkpoint,
    Conjecture,
    Contradiction,
    Derivation,
    Entry,
    Finding,
    MeasuredEdge,
    Observation,
    Restoration,
    Unreadable,
    decode,
    encode,
)
from beliefmerge.ledger.core.passing import consequences
from beliefmerge.ledger.core.state import Invalid
from beliefmerge.ledger.core.trust import GATE
from beliefmerge.ledger.service.books import Books
from beliefmerge.ledger.service.replay import Replayed
from beliefmerge.ledger.service.signing import Signer
from beliefmerge.ledger.store.log import EMPTY, Row
from beliefmerge.ledger.store.writer import Draft
from beliefmerge.ledger.wire import Commit, Contradict, Found, Judged, Measure, Measured, Restore, Seal, Sealed, Written
from beliefmerge.ledger.wire import MeasuredEdge as Recorded

Work: TypeAlias = Callable[[Draft[Books]], bytes]


def sealing(asked: Seal, content_hash: str) -> Work:
    """An observation whose content is the blob `content_hash`."""

    def work(draft: Draft[Books]) -> bytes:
        acquired = _now() if asked.acquired_ms is None else asked.acquired_ms
        row = _add(
            draft,
            Observation,
            text=asked.text,
            source_id=asked.source_id,
            tool=asked.tool,
            args=asked.args,
            acquired_ms=acquired,
            content_hash=content_hash,
            determinism=asked.determinism,
            claim=asked.claim,
            url=asked.url,
        )
        return _answer(Sealed(**_named(row), content_hash=content_hash))

    return work


def commitment(asked: Commit) -> Work:
    """A derivation or a conjecture."""
    kind = Derivation if asked.kind == "derivation" else Conjecture

    def work(draft: Draft[Books]) -> bytes:
        row = _add(draft, kind, text=asked.text, claim=asked.claim, parents=tuple(asked.parents))
        return _answer(Written(**_named(row)))

    return work


def contradiction(asked: Contradict) -> Work:
    """A contradiction, judged at its sequence number; the pass and what it changes go into the same batch."""

    def work(draft: Draft[Books]) -> bytes:
        said = _add(draft, Contradiction, target=asked.target, origins=tuple(asked.origins), reason=asked.text)
        name = said.hash.hex()
        verdict = draft.state.state.verdict(name)
        brought = [draft.add(encode(entry)) for entry in consequences(draft.state.state, name, _now())]
        return _answer(
            Judged(
                **_named(said),
                independent=verdict.independent,
                needed=verdict.needed,
                passed=verdict.passed,
                counted=list(verdict.votes),
                refused=dict(verdict.refused),
                cascade=brought[0].hash.hex() if brought else None,
            )
        )

    return work


def restoration(asked: Restore) -> Work:
    """The undoing of a pass."""

    def work(draft: Draft[Books]) -> bytes:
        return _answer(Written(**_named(_add(draft, Restoration, cascade=asked.cascade, reason=asked.text))))

    return work


def measurement(asked: Measure) -> Work:
    """Measured edges, all or none."""

    def work(draft: Draft[Books]) -> bytes:
        edges = [
            {
                "claim": edge.child,
                "parent": edge.parent,
                "weight_ppm": edge.weight_ppm,
                "rho_ppm": edge.rho_ppm,
                "report_hash": asked.report_hash,
                "low_ppm": edge.low_ppm,
                "high_ppm": edge.high_ppm,
            }
            for edge in asked.edges
        ]
        for fields in edges:
            _checked(draft, MeasuredEdge, fields)
        rows = [_add(draft, MeasuredEdge, **fields) for fields in edges]
        recorded = [
            Recorded(**_named(row), applied=edge.rho_ppm >= GATE) for row, edge in zip(rows, asked.edges, strict=True)
        ]
        return _answer(Measured(edges=recorded))

    return work


def finding(seal: str, replayed: Replayed) -> Work:
    """What a replay of `seal` came to."""

    def work(draft: Draft[Books]) -> bytes:
        row = _add(
            draft,
            Finding,
            seal=seal,
            outcome=replayed.outcome,
            observed_hash=replayed.observed,
            detail=f"{replayed.method}{': ' if replayed.detail else ''}{replayed.detail}",
        )
        return _answer(
            Found(
                **_named(row),
                seal=seal,
                outcome=replayed.outcome,
                method=replayed.method,
                observed_hash=replayed.observed,
                text=replayed.detail,
            )
        )

    return work


def checkpoint(signer: Signer) -> Work:
    """The signed head, recorded as issued. Of an empty chain there is nothing to record it in."""

    def work(draft: Draft[Books]) -> bytes:
        head = draft.head
        signed = signer.sign(draft.state.tenant, head)
        if head != EMPTY:
            _add(
                draft,
                Checkpoint,
                head_seq=head.seq,
                head_hash=signed.hash,
                public_key=signed.public_key,
                signature=signed.signature,
            )
        return _answer(signed)

    return work


def _add(draft: Draft[Books], kind: type[Entry], **fields: Any) -> Row:
    """Check an entry of that kind against its own rules and the state, and add it."""
    return draft.add(_checked(draft, kind, fields))


def _checked(draft: Draft[Books], kind: type[Entry], fields: dict[str, Any]) -> bytes:
    """The record of such an entry, which can be read back and stand at the end of the log."""
    entry = kind(tenant=draft.state.tenant, seq=draft.seq, time_ms=_now(), **fields)
    draft.state.check(entry)
    record = encode(entry)
    try:
        decode(record)
    except Unreadable as error:
        raise Invalid(str(error).removeprefix("not a ledger record: ")) from error
    return record


def _named(row: Row) -> dict[str, Any]:
    name = row.hash.hex()
    return {"id": name, "seq": row.seq, "hash": name}


def _answer(answer: msgspec.Struct) -> bytes:
    return msgspec.json.encode(answer)


def _now() -> int:
    return time.time_ns() // 1_000_000
