"""How many independent origins there are among some: the most of which no two conflict.

Two origins conflict when they share their source or their registrable domain, or when one's text is a near-copy of the
other's. The most origins without a conflict are a maximum independent set, so that a document which resembles two
honest ones can lose its own vote and no other.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from beliefmerge.ledger.core import independent
from beliefmerge.ledger.core.embedding import Embed
from beliefmerge.ledger.core.likeness import Copies, Document

COMPARISONS = 50_000
"""Pairs of texts an exact solution may compare at most."""
EXACT = 256
"""Origins that conflict among each other, directly or not, up to which a solution is exact when texts are involved."""


@dataclass(frozen=True, slots=True)
class Origin:
    """A sealed observation that may count as an origin."""

    key: int
    """Its sequence number."""
    source: str
    domain: str
    text: str


@dataclass
class Independence:
    """The independent origins among those added, kept as they come.

    Each new origin either is independent of all chosen so far, or joins a clique of one of them. While every origin has
    found its place the chosen are as many as the cliques that cover all, and so a maximum. When one finds none, the
    maximum is computed anew when it is next asked for. Past ``EXACT`` and ``COMPARISONS`` the chosen may be too few,
    never too many.
    """

    embed: Embed | None = None
    limit: int | None = None
    """Enough: no more are chosen."""
    _members: list[Origin] = field(default_factory=list)
    _chosen: dict[int, str | None] = field(default_factory=dict)
    """The chosen by key, each with the reason for which all of its clique conflict: ``source``, ``domain``, ``words``,
    ``embedding``; None while it is alone."""
    _sources: dict[str, int] = field(default_factory=dict)
    _domains: dict[str, int] = field(default_factory=dict)
    _covered: bool = True
    """Whether the chosen's cliques hold every origin."""
    _known: bool = True
    """Whether the chosen are a maximum."""

    def __post_init__(self) -> None:
        self._copies = Copies(self.embed)

    def add(self, origin: Origin) -> None:
        """Take in one more origin."""
        if self.limit is not None and len(self._chosen) >= self.limit:
            return
        self._members.append(origin)
        self._place(origin)

    def chosen(self) -> list[int]:
        """The keys of a maximum set of independent origins, ascending."""
        if not self._known:
            self._solve()
        return sorted(self._chosen)

    def _place(self, origin: Origin) -> None:
        document = self._copies.read(origin.text)
        reasons = self._conflicts(origin, document)
        if not reasons:
            self._choose(origin, document)
        elif not (self._covered and self._join(reasons)):
            self._covered = self._known = False

    def _join(self, reasons: Iterable[tuple[int, str | None]]) -> bool:
        for key, reason in reasons:
            if reason is not None and self._chosen[key] in (None, reason):
                self._chosen[key] = reason
                return True
        return False

    def _choose(self, origin: Origin, document: Document) -> None:
        self._chosen[origin.key] = None
        self._sources[origin.source] = self._domains[origin.domain] = origin.key
        self._copies.add(origin.key, document)

    def _conflicts(self, origin: Origin, document: Document) -> list[tuple[int, str | None]]:
        """The chosen that `origin` conflicts with, each with a reason that all of a clique would share, or None."""
        found: list[tuple[int, str | None]] = []
        if origin.domain in self._domains:
            found.append((self._domains[origin.domain], "domain"))
        if origin.source in self._sources:
            found.append((self._sources[origin.source], "source"))
        for copy in self._copies.near(document):
            by_words, by_embedding = copy.tight
            found += [(copy.key, "words")] * by_words + [(copy.key, "embedding")] * by_embedding
            found += [(copy.key, None)] * (not by_words and not by_embedding)
        return found

    def _solve(self) -> None:
        best = maximum(self._members, self.embed, self.limit)
        if len(best) > len(self._chosen):
            self._chosen, self._sources, self._domains = {}, {}, {}
            self._copies, self._covered = Copies(self.embed), True
            taken = {origin.key for origin in best}
            for origin in sorted(self._members, key=lambda o: o.key not in taken):
                self._place(origin)
        self._known = True


def maximum(origins: Sequence[Origin], embed: Embed | None = None, limit: int | None = None) -> list[Origin]:
    """A maximum set of pairwise independent origins, or some `limit` of them where there are as many.

    Past ``COMPARISONS`` none, past ``EXACT`` or the budget of the search maybe fewer.
    """
    adjacency = _conflicts(origins, embed)
    if adjacency is None:
        return []
    everyone = (1 << len(origins)) - 1
    if limit is not None and len(some := list(independent.bits(independent.greedy(adjacency, everyone)))) >= limit:
        return [origins[i] for i in some[:limit]]
    chosen: list[int] = []
    for component in independent.components(adjacency, everyone):
        chosen += _component(origins, adjacency, component)
    return [origins[i] for i in sorted(chosen)]


def _component(origins: Sequence[Origin], adjacency: Sequence[int], component: int) -> list[int]:
    """A maximum set, where it is found in time; otherwise maybe fewer, never more."""
    members = list(independent.bits(component))
    matched = _matching(origins, members)
    kept = taken = 0
    for i in matched:
        if not adjacency[i] & taken:
            taken |= 1 << i
            kept += 1
    if kept < len(matched):  # copies among them
        best = independent.maximum(adjacency, component) if len(members) <= EXACT else None
        taken = max(taken, independent.greedy(adjacency, component), key=int.bit_count) if best is None else best
    return list(independent.bits(taken))


def _matching(origins: Sequence[Origin], members: Iterable[int]) -> list[int]:
    """A maximum matching of sources and domains: were there no copies, a maximum set. With them it is no smaller."""
    edges: dict[str, dict[str, int]] = defaultdict(dict)
    for i in members:
        edges[origins[i].source].setdefault(origins[i].domain, i)
    return independent.matching(edges)


def _conflicts(origins: Sequence[Origin], embed: Embed | None) -> list[int] | None:
    """Adjacency masks of the conflict graph; None past ``COMPARISONS``."""
    adjacency = [0] * len(origins)
    copies, compared = Copies(embed), 0
    groups: dict[tuple[str, str], int] = defaultdict(int)
    for i, origin in enumerate(origins):
        groups["source", origin.source] |= 1 << i
        groups["domain", origin.domain] |= 1 << i
        document = copies.read(origin.text)
        near = copies.near(document)
        compared += len(near)
        if compared > COMPARISONS:
            return None
        for copy in near:
            adjacency[i] |= 1 << copy.key
            adjacency[copy.key] |= 1 << i
        copies.add(i, document)
    for i, origin in enumerate(origins):
        adjacency[i] |= groups["source", origin.source] | groups["domain", origin.domain]
        adjacency[i] &= ~(1 << i)
    return adjacency


def independent_origins(origins: Iterable[Origin], embed: Embed | None = None) -> list[int]:
    """The keys of a maximum set of independent origins among `origins`, ascending."""
    found = Independence(embed)
    for origin in origins:
        found.add(origin)
    return found.chosen()
