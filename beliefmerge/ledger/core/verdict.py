"""Verdicts: whose word counts against a claim, and what a contradiction comes to."""

from __future__ import annotations

from collections.abc import Container, Mapping
from dataclasses import dataclass

from beliefmerge.ledger.core import trust
from beliefmerge.ledger.core.cascade import Dependence
from beliefmerge.ledger.core.domains import registrable
from beliefmerge.ledger.core.node import Node
from beliefmerge.ledger.core.quorum import Origin
from beliefmerge.ledger.core.trust import Tier


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a contradiction comes to."""

    target: str
    votes: tuple[str, ...]
    """Ids of the origins counted: a maximum set of independent ones."""
    refused: Mapping[str, str]
    """Why an origin had no vote, by id."""
    needed: int = trust.QUORUM

    @property
    def independent(self) -> int:
        """The number of independent origins."""
        return len(self.votes)

    @property
    def passed(self) -> bool:
        """Whether they are enough."""
        return self.independent >= self.needed


class Votes:
    """The claims as voters. What it is given is the state's, and is read, not copied."""

    def __init__(
        self, nodes: Mapping[int, Node], edges: Dependence, retracted: Container[int], quarantined: Container[int]
    ) -> None:
        self._nodes, self._edges, self._retracted, self._quarantined = nodes, edges, retracted, quarantined

    def refusal(self, seq: int, target: int) -> str | None:
        """Why the entry at `seq` has no vote against the claim at `target`; None when it has one."""
        node, aim = self._nodes.get(seq), self._nodes[target]
        if seq == target:
            return "the target itself"
        if self._edges.descends(seq, target):
            return "descends from the target"
        if node is None or node.kind is not Tier.SEALED_UNVERIFIED:
            return "not a sealed observation"
        if seq in self._quarantined:
            return "quarantined"
        if seq in self._retracted:
            return "retracted"
        if node.source == aim.source:
            return "the target's own source"
        return None if registrable(node.url) else "no registrable domain that counts"

    def origin(self, seq: int) -> Origin:
        """The origin that a voter is."""
        node = self._nodes[seq]
        return Origin(seq, node.source or "", registrable(node.url) or "", node.text)
