"""Corroboration: how many independent origins say what an observation says.

Origins are counted when they are asked for, and the counts kept until what they are counted of changes.
"""

from __future__ import annotations

from collections.abc import Container, Mapping
from dataclasses import dataclass, field

from beliefmerge.ledger.core.domains import registrable
from beliefmerge.ledger.core.embedding import Embed
from beliefmerge.ledger.core.node import Node
from beliefmerge.ledger.core.quorum import Independence, Origin

ENOUGH = 21
"""Origins of one claim that are counted at most: each halves the doubt, and 2^-20 of it is less than a millionth."""


@dataclass(slots=True)
class _Count:
    """How many independent origins a claim has, as far as computed."""

    origins: Independence
    members: int = 0
    """How many of the claim's observations have been looked at."""
    alone: dict[int, int] = field(default_factory=dict)
    """The count for a fallen observation: the standing ones and itself."""


class Corroboration:
    """Observations by what they claim, and their independent origins.

    `nodes` are the state's claims, `retracted` and `quarantined` those that do not stand; they are read, not copied.
    """

    def __init__(
        self,
        nodes: Mapping[int, Node],
        retracted: Container[int],
        quarantined: Container[int],
        embed: Embed | None = None,
    ) -> None:
        self._nodes, self._retracted, self._quarantined, self._embed = nodes, retracted, quarantined, embed
        self._claims: dict[str, list[int]] = {}
        self._counts: dict[str, _Count] = {}

    def add(self, seq: int, claim: str) -> bool:
        """Take in an observation of `claim`; whether there were others."""
        members = self._claims.setdefault(claim, [])
        members.append(seq)
        if (count := self._counts.get(claim)) is not None:
            count.alone.clear()
        return len(members) > 1

    def changed(self, seq: int) -> None:
        """Whether `seq` stands has changed."""
        claim = self._nodes[seq].claim
        if claim is not None:
            self._counts.pop(claim, None)

    def origins(self, seq: int) -> int:
        """Independent standing origins of what an observation says, itself among them if it has fallen."""
        claim = self._nodes[seq].claim
        members = self._claims.get(claim, ()) if claim is not None else ()
        if claim is None or len(members) < 2:
            return 1
        count = self._counts.get(claim)
        if count is None:
            count = self._counts[claim] = _Count(Independence(self._embed, ENOUGH))
        for member in members[count.members :]:
            self._count(count.origins, member)
        count.members = len(members)
        if self._stands(seq):
            return len(count.origins.chosen())
        if seq not in count.alone:
            apart = Independence(self._embed, ENOUGH)
            for member in members:
                self._count(apart, member, even=seq)
            count.alone[seq] = len(apart.chosen())
        return count.alone[seq]

    def _count(self, origins: Independence, seq: int, even: int | None = None) -> None:
        node = self._nodes[seq]
        if self._stands(seq) or seq == even:
            domain = registrable(node.url)
            if domain is not None and node.source is not None:
                origins.add(Origin(seq, node.source, domain, node.text))

    def _stands(self, seq: int) -> bool:
        return seq not in self._retracted and seq not in self._quarantined
