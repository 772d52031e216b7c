"""What falls with what: the edges between claims, and how far each trigger reaches along them.

A trigger at a target leaves ``F = 1 − (1 − f) · max over paths of ∏ w`` of the belief of what depends on it. Path
maxima are kept for every active trigger and every claim it reaches; they are functions of the triggers and the current
edges alone. Parents come before their children in the log, so the order of the log is a topological one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction

from beliefmerge.ledger.core.trust import PPM, WHOLE, Interval, times

_NOTHING: Mapping[int, Interval] = {}
_NONE: Mapping[int, int] = {}


class Dependence:
    """Edges between claims, by sequence number, and the reach of the active triggers."""

    def __init__(self) -> None:
        self._parents: dict[int, tuple[int, ...]] = {}
        self._children: dict[int, list[int]] = {}
        self._measured: dict[int, dict[int, int]] = {}
        """Weights in ppm, by child and parent."""
        self._reach: dict[int, dict[int, Interval]] = {}

    def add(self, child: int, parents: Sequence[int]) -> None:
        """Declare edges of weight 1 from `parents` to a new claim. It is born fallen where they have fallen."""
        self._parents[child] = tuple(parents)
        for parent in parents:
            children = self._children.get(parent)
            if children is None:
                self._children[parent] = [child]
            else:
                children.append(child)
        if self._reach and not self._reach.keys().isdisjoint(parents):
            targets = {target for parent in parents for target in self._reach.get(parent, ())}
            self._settle_all([child], targets)

    def weigh(self, child: int, parent: int, ppm: int) -> None:
        """Give a declared edge a measured weight."""
        self._measured.setdefault(child, {})[parent] = ppm
        if reached := self._reach.get(parent):
            self._settle_all(self._below(child), [*reached])

    def fall(self, target: int) -> None:
        """A trigger at `target` becomes active."""
        path = {target: WHOLE}
        self._reach.setdefault(target, {})[target] = WHOLE
        self._settle(self._below(target)[1:], target, path)

    def rise(self, target: int) -> None:
        """The trigger at `target` is active no more."""
        for node in self._below(target):
            self._forget(node, target)

    def reach(self, node: int) -> Mapping[int, Interval]:
        """The active triggers that reach `node`, each with the greatest product of weights on a path from it."""
        return self._reach.get(node, _NOTHING)

    def reach_exactly(self, node: int, target: int) -> Fraction:
        """What ``reach(node)[target]`` bounds."""
        path = {target: Fraction(1)}
        for n in sorted(self._above(node, target)):
            weights = [path[p] * Fraction(self.weight(n, p), PPM) for p in self._parents.get(n, ()) if p in path]
            if n != target:
                path[n] = max(weights)
        return path[node]

    def weight(self, child: int, parent: int) -> int:
        """The weight of an edge, ppm: measured if it was, else 1."""
        return self._measured.get(child, _NONE).get(parent, PPM)

    def descends(self, node: int, ancestor: int) -> bool:
        """Whether an edge path leads from `ancestor` to `node`."""
        seen, queue = {node}, [node]
        for n in queue:
            for parent in self._parents.get(n, ()):
                if parent == ancestor:
                    return True
                if parent > ancestor and parent not in seen:
                    seen.add(parent)
                    queue.append(parent)
        return False

    def _below(self, node: int) -> list[int]:
        """`node` and what depends on it, in the order of the log."""
        children = self._children
        seen, queue = {node}, [node]
        for n in queue:
            for child in children.get(n, ()):
                if child not in seen:
                    seen.add(child)
                    queue.append(child)
        queue.sort()
        return queue

    def _above(self, node: int, target: int) -> set[int]:
        """`node` and its ancestors that the trigger at `target` reaches."""
        seen, queue = {node}, [node]
        for n in queue:
            for parent in self._parents.get(n, ()):
                if parent not in seen and target in self._reach.get(parent, ()):
                    seen.add(parent)
                    queue.append(parent)
        return seen

    def _settle_all(self, nodes: Sequence[int], targets: Iterable[int]) -> None:
        inside = set(nodes)
        for target in targets:
            path = {
                p: self._reach[p][target]
                for n in nodes
                for p in self._parents.get(n, ())
                if p not in inside and target in self._reach.get(p, ())
            }
            self._settle([n for n in nodes if n != target], target, path)

    def _settle(self, nodes: Iterable[int], target: int, path: dict[int, Interval]) -> None:
        """Compute the reach of `target` over `nodes`, in order; `path` holds it for what lies before them."""
        parents, measured, reach = self._parents, self._measured, self._reach
        for node in nodes:
            low = high = 0
            weights = measured.get(node, _NONE)
            for parent in parents[node]:
                before = path.get(parent)
                if before is None:
                    continue
                below, above = before if parent not in weights else times(before, weights[parent])
                if below > low:
                    low = below
                if above > high:
                    high = above
            if high:
                path[node] = value = (low, high) if low != high or high != WHOLE[1] else WHOLE
                reached = reach.get(node)
                if reached is None:
                    reach[node] = {target: value}
                else:
                    reached[target] = value
            else:
                self._forget(node, target)

    def _forget(self, node: int, target: int) -> None:
        reach = self._reach.get(node)
        if reach is not None:
            reach.pop(target, None)
            if not reach:
                del self._reach[node]
