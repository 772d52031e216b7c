"""The state of a log: beliefs, tiers and verdicts as a function of its entries.

``State.apply`` takes in one entry more. Belief is computed when it is asked for, from the founding belief and the
triggers active now: nothing is ever divided back, so undoing a pass leaves no trace.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from typing import Any, NamedTuple

from beliefmerge.errors import BeliefMergeError
from beliefmerge.ledger.core import trust
from beliefmerge.ledger.core.cascade import Dependence
from beliefmerge.ledger.core.chain import GENESIS
from beliefmerge.ledger.core.corroboration import Corroboration
from beliefmerge.ledger.core.embedding import Embed
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
)
from beliefmerge.ledger.core.founding import Founding
from beliefmerge.ledger.core.node import Node
from beliefmerge.ledger.core.quorum import Origin, independent_origins
from beliefmerge.ledger.core.reputation import Reputations
from beliefmerge.ledger.core.triggers import Pass, Triggers
from beliefmerge.ledger.core.trust import Interval, Tier
from beliefmerge.ledger.core.verdict import Verdict, Votes


class Unknown(BeliefMergeError):
    """No entry of this log has that id (HTTP 404)."""


class Invalid(BeliefMergeError):
    """The entry cannot stand in this log (HTTP 422)."""


class Head(NamedTuple):
    """The last entry: its sequence number (−1 in an empty log) and hash."""

    seq: int
    hash: bytes


class State:
    """A log's state after its entries so far.

    `embed` is used to tell near-copies of at least 40 words; a state is a function of the log and of it.
    """

    def __init__(self, embed: Embed | None = None) -> None:
        self.embed = embed
        self.tenant: str | None = None
        self.nodes: dict[int, Node] = {}
        """Claims by sequence number."""
        self.passes: dict[int, Pass] = {}
        self.passed: set[int] = set()
        """Contradictions that have passed, by sequence number."""
        self.contradictions: dict[int, Contradiction] = {}
        self.findings: dict[int, Finding] = {}
        self.measurements: dict[int, MeasuredEdge] = {}
        self.reputations = Reputations()
        self.edges = Dependence()
        self.verified: set[int] = set()
        self.quarantined: set[int] = set()
        self._ids: list[bytes] = []
        self._places: dict[bytes, int] = {}
        self._triggers = Triggers()
        self._votes = Votes(self.nodes, self.edges, self._triggers.on, self.quarantined)
        self._corroboration = Corroboration(self.nodes, self._triggers.on, self.quarantined, embed)
        self._founding = Founding(self.nodes, self.verified, self.reputations, self._corroboration)

    def apply(self, entry: Entry, digest: bytes) -> None:
        """Take in the next entry, whose hash is `digest`. Raises Invalid or Unknown, the state unchanged."""
        seq = entry.seq
        if seq != len(self._ids):
            raise Invalid(f"entry {seq} follows entry {len(self._ids) - 1}")
        _APPLY[type(entry)](self, entry)
        self.tenant = entry.tenant
        self._places[digest] = seq
        self._ids.append(digest)

    @property
    def head(self) -> Head:
        """The last entry."""
        return Head(len(self._ids) - 1, self._ids[-1] if self._ids else GENESIS)

    def place(self, id: str) -> int:
        """The sequence number of the entry with that id. Raises Unknown."""
        try:
            return self._places[bytes.fromhex(id)]
        except (KeyError, ValueError):
            raise Unknown(f"no entry {id[:64]!r}") from None

    def id(self, seq: int) -> str:
        """The id of the entry at a sequence number."""
        return self._ids[seq].hex()

    def claim(self, id: str) -> Node:
        """The claim with that id. Raises Unknown, or Invalid when the entry makes none."""
        return self.nodes[self._claimed(id)]

    def declared(self, claim: str, parent: str) -> tuple[int, int]:
        """The sequence numbers of a claim and of a parent it declared. Raises Unknown, or Invalid when it did not."""
        child, above = self._claimed(claim), self._claimed(parent)
        if above not in self.nodes[child].parents:
            raise Invalid(f"entry {claim} did not declare the parent {parent}")
        return child, above

    def recorded(self, cascade: str) -> Pass:
        """The pass with that id. Raises Unknown, or Invalid when the entry is none."""
        found = self.passes.get(self.place(cascade))
        if found is None:
            raise Invalid(f"entry {cascade} is no pass")
        return found

    def belief_ppm(self, id: str) -> int:
        """Current belief in a claim, ppm: the exact value, rounded once. A quarantined seal has none."""
        return self.belief_at(self._claimed(id))

    def founding_ppm(self, id: str) -> int:
        """Founding belief in a claim, ppm: what it has while nothing it rests on has fallen."""
        return self.founding_at(self._claimed(id))

    def tier(self, id: str) -> Tier:
        """The storage tier of a claim."""
        return self.tier_at(self._claimed(id))

    def render_tier(self, id: str) -> Tier:
        """The tier a claim is shown with: its own, or verified where it is corroborated."""
        return Tier.SEALED_VERIFIED if self.corroborated(id) else self.tier(id)

    def corroborated(self, id: str) -> bool:
        """Whether a seal has enough independent origins, or its vote counts in an active pass."""
        return self.corroborated_at(self._claimed(id))

    def status(self, id: str) -> str:
        """``quarantined``, ``retracted`` (the target of an active pass), ``fallen`` (reached by one) or ``active``."""
        return self.status_at(self._claimed(id))

    def verdict(self, contradiction: str) -> Verdict:
        """What a recorded contradiction comes to as the log stands."""
        said = self.contradictions.get(self.place(contradiction))
        if said is None:
            raise Invalid(f"entry {contradiction} is no contradiction")
        return self.judge(said.target, said.origins)

    def judge(self, target: str, origins: Iterable[str]) -> Verdict:
        """What a contradiction of `target` by `origins` would come to now."""
        aim = self._claimed(target)
        refused: dict[str, str] = {}
        voters: dict[int, Origin] = {}
        for id in origins:
            seq = self.place(id)
            why = None if seq in voters else self._votes.refusal(seq, aim)
            if why is None:
                voters[seq] = self._votes.origin(seq)
            else:
                refused[id] = why
        votes = independent_origins((voters[seq] for seq in sorted(voters)), self.embed)
        refused |= {self.id(seq): "not independent of the others" for seq in voters if seq not in votes}
        return Verdict(target, tuple(self.id(seq) for seq in votes), refused)

    def founding_at(self, seq: int) -> int:
        """``founding_ppm`` by sequence number."""
        value = trust.rounded(self._founding.of(seq))
        return round(self._founding.exactly(seq) * trust.PPM) if value is None else value

    def belief_at(self, seq: int) -> int:
        """``belief_ppm`` by sequence number."""
        if seq in self.quarantined:
            return 0
        value = self._founding.of(seq)
        reach = self.edges.reach(seq)
        for path in reach.values():
            value = trust.product(value, trust.remains(path))
        out = trust.rounded(value)
        return self._exactly(seq, reach) if out is None else out

    def tier_at(self, seq: int) -> Tier:
        """``tier`` by sequence number."""
        return self._founding.tier(seq)

    def corroborated_at(self, seq: int) -> bool:
        """``corroborated`` by sequence number."""
        return seq in self._triggers.voted or (
            self.nodes[seq].kind is Tier.SEALED_UNVERIFIED and self._corroboration.origins(seq) >= trust.QUORUM
        )

    def status_at(self, seq: int) -> str:
        """``status`` by sequence number."""
        if seq in self.quarantined:
            return "quarantined"
        if seq in self._triggers.on:
            return "retracted"
        return "fallen" if self.edges.reach(seq) else "active"

    def fallen_since(self, seq: int) -> int | None:
        """The sequence number since which a claim is retracted or fallen; None when it is neither."""
        reach = self.edges.reach(seq)
        return max(seq, min(self._triggers.on[target][0] for target in reach)) if reach else None

    def triggered(self, seq: int) -> bool:
        """Whether a claim is the target of an active pass."""
        return seq in self._triggers.on

    def _claimed(self, id: str) -> int:
        seq = self.place(id)
        if seq in self.nodes:
            return seq
        raise Invalid(f"entry {id} makes no claim")

    def _exactly(self, seq: int, reach: Mapping[int, Interval]) -> int:
        value = self._founding.exactly(seq)
        for target in reach:
            value *= 1 - Fraction(trust.PPM - trust.FALL, trust.PPM) * self.edges.reach_exactly(seq, target)
        return round(value * trust.PPM)

    def _standing_changed(self, seq: int) -> None:
        """Whether `seq` counts as an origin has changed: what rests on counts is computed anew when asked for."""
        self._corroboration.changed(seq)
        self._founding.clear()

    def _observe(self, entry: Observation) -> None:
        seq = entry.seq
        self.nodes[seq] = Node(Tier.SEALED_UNVERIFIED, entry.text, entry.claim, (), entry.source_id, entry.url)
        if entry.claim is not None and self._corroboration.add(seq, entry.claim):
            self._founding.clear()

    def _infer(self, entry: Derivation | Conjecture) -> None:
        kind = Tier.DERIVED if type(entry) is Derivation else Tier.CONJECTURE
        parents = tuple([self._claimed(parent) for parent in entry.parents])
        if len(parents) > 1:
            parents = tuple(dict.fromkeys(parents))
        self.nodes[entry.seq] = Node(kind, entry.text, entry.claim, parents)
        if parents:
            self.edges.add(entry.seq, parents)

    def _contradict(self, entry: Contradiction) -> None:
        self._claimed(entry.target)
        self.contradictions[entry.seq] = entry

    def _pass(self, entry: Cascade) -> None:
        target, votes = self._claimed(entry.target), tuple(map(self._claimed, entry.votes))
        due = {} if target in self._triggers.on else self._due(target, votes)
        contradiction = self.place(entry.contradiction)
        found = self.passes[entry.seq] = Pass(entry.seq, contradiction, target, votes, due)
        self.passed.add(contradiction)
        if self._triggers.add(found):
            self.edges.fall(target)
            self._standing_changed(target)

    def _due(self, target: int, votes: Iterable[int]) -> dict[str, tuple[int, int]]:
        """Credit for the sources of the votes, debit for the target's: none when the target had fallen already."""
        due = {str(self.nodes[vote].source): (1, 0) for vote in votes}
        source = self.nodes[target].source
        return due if source is None else {**due, source: (0, 1)}

    def _restore(self, entry: Restoration) -> None:
        undone = self.recorded(entry.cascade)
        if undone.restored is not None:
            raise Invalid(f"pass {entry.cascade} is restored already")
        undone.restored = entry.seq
        if self._triggers.remove(undone):
            self.edges.rise(undone.target)
        self.reputations.undo(undone.seq)
        self._standing_changed(undone.target)

    def _repute(self, entry: Reputation) -> None:
        cause = self.recorded(entry.cause)
        if cause.restored is None:
            self.reputations.change(entry.seq, entry.source_id, entry.alpha_delta, entry.beta_delta, cause.seq)

    def _measure(self, entry: MeasuredEdge) -> None:
        claim, parent = self.declared(entry.claim, entry.parent)
        self.measurements[entry.seq] = entry
        if entry.rho_ppm >= trust.GATE:
            self.edges.weigh(claim, parent, entry.weight_ppm)

    def _find(self, entry: Finding) -> None:
        seal = self._claimed(entry.seal)
        self.findings[entry.seq] = entry
        if entry.outcome == "match":
            self.verified.add(seal)
            self._founding.clear()
        elif entry.outcome == "mismatch":
            self.quarantined.add(seal)
            self._standing_changed(seal)

    def _check(self, entry: Checkpoint) -> None:
        """A checkpoint changes nothing."""


_APPLY: dict[type, Callable[[State, Any], None]] = {
    Observation: State._observe,
    Derivation: State._infer,
    Conjecture: State._infer,
    Contradiction: State._contradict,
    Cascade: State._pass,
    Restoration: State._restore,
    Reputation: State._repute,
    MeasuredEdge: State._measure,
    Finding: State._find,
    Checkpoint: State._check,
}
