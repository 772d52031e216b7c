"""Conversation trees: nodes with a parent, some of which say something. Mended, contracted, cut into branches."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Mapping
from typing import Generic, TypeVar

Node = TypeVar("Node", bound=Hashable)


class Tree(Generic[Node]):
    """Nodes in the order in which they were written, each with its parent among them or None.

    A parent that is not there, and a cycle, are mended by promoting the node to a root; `counts` says how many were
    (``orphan-parent``, ``parent-cycle``).
    """

    def __init__(self, parents: Mapping[Node, Node | None], counts: Counter[str]) -> None:
        self.parent: dict[Node, Node | None] = {}
        backwards = True
        for node, parent in parents.items():
            if parent is not None and parent not in self.parent:
                backwards = False
                if parent not in parents:
                    counts["orphan-parent"] += 1
                    parent = None
            self.parent[node] = parent
        if not backwards:
            self._break_cycles(counts)

    def _break_cycles(self, counts: Counter[str]) -> None:
        """Each node is walked over once; the first written node of a cycle becomes its root."""
        order = {node: i for i, node in enumerate(self.parent)}
        done: set[Node] = set()
        for node in order:
            walk: dict[Node, None] = {}
            at: Node | None = node
            while at is not None and at not in done:
                if at in walk:
                    steps = list(walk)
                    root = min(steps[steps.index(at) :], key=order.__getitem__)
                    self.parent[root] = None
                    counts["parent-cycle"] += 1
                    break
                walk[at] = None
                at = self.parent[at]
            done.update(walk)

    def contract(self, keep: Callable[[Node], bool]) -> Tree[Node]:
        """The tree of the nodes to keep; what lies between two of them is passed through."""
        if all(map(keep, self.parent)):
            return self
        nearest: dict[Node, Node | None] = {}
        for node in self.parent:
            walk: list[Node] = []
            at: Node | None = node
            while at is not None and at not in nearest:
                walk.append(at)
                at = self.parent[at]
            above = None if at is None else at if keep(at) else nearest[at]
            for each in reversed(walk):
                nearest[each] = above
                above = each if keep(each) else above
        return Tree({node: above for node, above in nearest.items() if keep(node)}, Counter())

    def leaves(self) -> list[Node]:
        """Nodes without children, in the order in which they were written."""
        inner = set(self.parent.values())
        return [node for node in self.parent if node not in inner]

    def path(self, leaf: Node) -> list[Node]:
        """From the root to `leaf`."""
        steps = [leaf]
        while (above := self.parent[steps[-1]]) is not None:
            steps.append(above)
        return steps[::-1]
