"""What readers get of a state: the claims with their standing, and the history of trust decisions."""

from __future__ import annotations

import msgspec

from beliefmerge.ledger.core import trust
from beliefmerge.ledger.core.state import State
from beliefmerge.ledger.core.trust import Tier

_KINDS = {Tier.CONJECTURE: "conjecture", Tier.DERIVED: "derivation", Tier.SEALED_UNVERIFIED: "observation"}


class ContextEntry(msgspec.Struct, frozen=True, kw_only=True):
    """A claim as a renderer needs it."""

    id: str
    seq: int
    kind: str
    text: str
    tier: str
    """Storage tier."""
    render_tier: str
    """Tier to show: at least the storage tier, verified where corroborated."""
    belief_ppm: int
    status: str
    """``active``, ``fallen`` (depends on a retracted claim), ``retracted`` or ``quarantined``."""
    corroborated: bool
    parents: tuple[str, ...]
    claim: str | None = None
    source_id: str | None = None
    fallen_since_seq: int | None = None
    founding_ppm: int | None = None
    """What `belief_ppm` would be if nothing that it rests on had fallen."""


class PassRecord(msgspec.Struct, frozen=True, kw_only=True):
    """A passing contradiction, in force or undone."""

    id: str
    seq: int
    contradiction: str
    target: str
    votes: tuple[str, ...]
    active: bool
    restored_by: str | None
    reputation: dict[str, tuple[int, int]]
    """Alpha and beta it adds while in force, by source."""


class SourceCounts(msgspec.Struct, frozen=True, kw_only=True):
    """A source's reputation now."""

    source_id: str
    alpha: int
    beta: int
    mean_ppm: int


class FindingRecord(msgspec.Struct, frozen=True, kw_only=True):
    """A replay's outcome."""

    id: str
    seq: int
    seal: str
    outcome: str
    detail: str


class EdgeRecord(msgspec.Struct, frozen=True, kw_only=True):
    """A measurement of an edge."""

    id: str
    seq: int
    claim: str
    parent: str
    weight_ppm: int
    rho_ppm: int
    report_hash: str
    admitted: bool
    """Whether its stability passes the gate."""
    in_force_ppm: int
    """The weight the edge has now."""


class Audit(msgspec.Struct, frozen=True, kw_only=True):
    """The history of a log's trust decisions."""

    entries: int
    head: str
    passes: tuple[PassRecord, ...]
    failed: tuple[str, ...]
    """Contradictions that did not pass."""
    sources: tuple[SourceCounts, ...]
    """Sources whose reputation has changed."""
    findings: tuple[FindingRecord, ...]
    edges: tuple[EdgeRecord, ...]
    retracted: tuple[str, ...]
    fallen: tuple[str, ...]
    quarantined: tuple[str, ...]


def context(state: State) -> list[ContextEntry]:
    """Every claim of the log with its standing, in the order of the log."""
    return [_entry(state, seq) for seq in state.nodes]


def audit(state: State) -> Audit:
    """Passes, reputations, findings and measured edges, in the order of the log."""
    standing: dict[str, list[str]] = {"retracted": [], "fallen": [], "quarantined": [], "active": []}
    for seq in state.nodes:
        standing[state.status_at(seq)].append(state.id(seq))
    return Audit(
        entries=state.head.seq + 1,
        head=state.head.hash.hex(),
        passes=tuple(_pass(state, seq) for seq in state.passes),
        failed=tuple(state.id(seq) for seq in state.contradictions if seq not in state.passed),
        sources=tuple(_counts(source, *counts) for source, counts in state.reputations.now().items()),
        findings=tuple(
            FindingRecord(id=state.id(seq), seq=seq, seal=f.seal, outcome=f.outcome, detail=f.detail)
            for seq, f in state.findings.items()
        ),
        edges=tuple(_edge(state, seq) for seq in state.measurements),
        retracted=tuple(standing["retracted"]),
        fallen=tuple(standing["fallen"]),
        quarantined=tuple(standing["quarantined"]),
    )


def _entry(state: State, seq: int) -> ContextEntry:
    node, tier, corroborated = state.nodes[seq], state.tier_at(seq), state.corroborated_at(seq)
    return ContextEntry(
        id=state.id(seq),
        seq=seq,
        kind=_KINDS[node.kind],
        text=node.text,
        tier=tier.label,
        render_tier=(Tier.SEALED_VERIFIED if corroborated else tier).label,
        belief_ppm=state.belief_at(seq),
        status=state.status_at(seq),
        corroborated=corroborated,
        parents=tuple(map(state.id, node.parents)),
        claim=node.claim,
        source_id=node.source,
        fallen_since_seq=state.fallen_since(seq),
        founding_ppm=state.founding_at(seq),
    )


def _pass(state: State, seq: int) -> PassRecord:
    found = state.passes[seq]
    active = found.restored is None
    return PassRecord(
        id=state.id(seq),
        seq=seq,
        contradiction=state.id(found.contradiction),
        target=state.id(found.target),
        votes=tuple(map(state.id, found.votes)),
        active=active,
        restored_by=None if found.restored is None else state.id(found.restored),
        reputation=state.reputations.caused(seq),
    )


def _counts(source: str, alpha: int, beta: int) -> SourceCounts:
    return SourceCounts(
        source_id=source,
        alpha=alpha,
        beta=beta,
        mean_ppm=(2 * trust.PPM * alpha + alpha + beta) // (2 * (alpha + beta)),
    )


def _edge(state: State, seq: int) -> EdgeRecord:
    said = state.measurements[seq]
    return EdgeRecord(
        id=state.id(seq),
        seq=seq,
        claim=said.claim,
        parent=said.parent,
        weight_ppm=said.weight_ppm,
        rho_ppm=said.rho_ppm,
        report_hash=said.report_hash,
        admitted=said.rho_ppm >= trust.GATE,
        in_force_ppm=state.edges.weight(state.place(said.claim), state.place(said.parent)),
    )
