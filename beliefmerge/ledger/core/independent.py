"""Maximum independent sets: the most vertices of a graph of which no two are adjacent, exactly.

Graphs are adjacency bit masks. Components are solved apart; in each, branch and bound (Tarjan & Trojanowski 1977 in
outline): a vertex whose neighbours are pairwise adjacent is taken, otherwise the one of greatest degree is taken or
left, and a branch ends when a greedy clique cover shows that it cannot win.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

BUDGET = 500_000
"""Vertices a search may look at: a few seconds at most. The writer of a log waits for it."""


def components(adjacency: Sequence[int], within: int) -> Iterator[int]:
    """The connected components of the graph induced on `within`, as masks, by least vertex."""
    while within:
        reached = frontier = within & -within
        while frontier:
            around = 0
            for v in bits(frontier):
                around |= adjacency[v]
            frontier = around & within & ~reached
            reached |= frontier
        yield reached
        within &= ~reached


def maximum(adjacency: Sequence[int], within: int, budget: int = BUDGET) -> int | None:
    """A maximum independent set of the graph induced on `within`, as a mask; None when `budget` does not do.

    `adjacency` is symmetric and without loops. Looking at a vertex once costs one of `budget`.
    """
    try:
        return _Search(adjacency, budget).solve(within, -1)
    except _Exhausted:
        return None


def greedy(adjacency: Sequence[int], within: int) -> int:
    """An independent set that no vertex of `within` could join, as a mask: a vertex of least degree is taken first."""
    taken = 0
    while within:
        v = min(bits(within), key=lambda u: (adjacency[u] & within).bit_count())
        taken |= 1 << v
        within &= ~(adjacency[v] | 1 << v)
    return taken


def matching(edges: Mapping[str, Mapping[str, int]]) -> list[int]:
    """The labels of a maximum matching of a bipartite graph, left → right → label (augmenting paths, Berge 1957)."""
    holder: dict[str, str] = {}
    held: dict[str, str] = {}
    for start in edges:
        _augment(edges, holder, held, start)
    return sorted(edges[left][right] for left, right in held.items())


def bits(mask: int) -> Iterator[int]:
    """The vertices of a mask, ascending."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


class _Exhausted(Exception):
    """The search would take too long."""


class _Search:
    def __init__(self, adjacency: Sequence[int], budget: int) -> None:
        self._adjacency, self._budget = adjacency, budget

    def solve(self, within: int, beat: int) -> int | None:
        """A largest independent set in `within`; None when it has no more than `beat` vertices."""
        adjacency, taken = self._adjacency, 0
        while within and (v := self._simplicial(within)) is not None:
            taken |= 1 << v
            within &= ~(adjacency[v] | 1 << v)
        beat -= taken.bit_count()
        if not within:
            return taken if beat < 0 else None
        if _cover(adjacency, within) <= beat:
            return None
        parts = list(components(adjacency, within))
        if len(parts) == 1:
            best = self._branch(within, beat)
            return None if best is None else taken | best
        for part in parts:
            taken |= self.solve(part, -1) or 0
        return taken if taken.bit_count() > beat + (taken & ~within).bit_count() else None

    def _branch(self, within: int, beat: int) -> int | None:
        adjacency = self._adjacency
        v = max(bits(within), key=lambda u: (adjacency[u] & within).bit_count())
        best = self.solve(within & ~(adjacency[v] | 1 << v), beat - 1)
        if best is not None:
            best |= 1 << v
            beat = best.bit_count()
        without = self.solve(within & ~(1 << v), beat)
        return best if without is None else without

    def _simplicial(self, within: int) -> int | None:
        """A vertex whose neighbours in `within` are pairwise adjacent: some maximum independent set holds it."""
        adjacency = self._adjacency
        self._budget -= within.bit_count()
        for v in sorted(bits(within), key=lambda u: (adjacency[u] & within).bit_count()):
            around = adjacency[v] & within
            for u in bits(around):
                self._budget -= 1
                if around & ~(adjacency[u] | 1 << u):
                    break
            else:
                return v
            if self._budget < 0:
                raise _Exhausted
        return None


def _cover(adjacency: Sequence[int], within: int) -> int:
    """The number of cliques of a greedy cover: no independent set is larger."""
    count = 0
    while within:
        low = within & -within
        around = adjacency[low.bit_length() - 1] & within
        within ^= low
        count += 1
        while around:
            low = around & -around
            within ^= low
            around &= adjacency[low.bit_length() - 1]
    return count


def _augment(edges: Mapping[str, Mapping[str, int]], holder: dict[str, str], held: dict[str, str], start: str) -> None:
    """Match `start` too, if a path of alternating edges allows it."""
    came_from: dict[str, str] = {}
    queue = [start]
    for left in queue:
        for right in edges[left]:
            if right in came_from:
                continue
            came_from[right] = left
            if right not in holder:
                _flip(came_from, holder, held, right)
                return
            queue.append(holder[right])


def _flip(came_from: Mapping[str, str], holder: dict[str, str], held: dict[str, str], right: str | None) -> None:
    while right is not None:
        left = came_from[right]
        holder[right] = left
        held[left], right = right, held.get(left)
