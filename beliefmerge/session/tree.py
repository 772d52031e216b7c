"""Conversation trees: nodes with a parent, some of which say something. Mended, contracted, cut into branches."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Mapping, Sequence

NONE = -1
"""The parent of a root."""
LOST = -2
"""A parent that is not there."""

_OPEN, _WALKED, _DONE = 0, 1, 2
_UNSEEN = -3


def numbered(parents: Mapping[str, str | None]) -> array[int]:
    """The parents of named nodes by number: nodes are numbered in the order of `parents`."""
    numbers = {name: i for i, name in enumerate(parents)}
    return array("i", (NONE if name is None else numbers.get(name, LOST) for name in parents.values()))


class Tree:
    """The numbers 0 … n-1, in the order in which they were written, each with its parent among them or `NONE`.

    A parent that is not there (any other negative number), and a cycle, are mended by promoting the node to a root;
    `counts` says how many were (``orphan-parent``, ``parent-cycle``). Of a contracted tree only some numbers are nodes.
    """

    def __init__(self, parents: Sequence[int], counts: Counter[str]) -> None:
        self.parent = array("i", parents)
        self._nodes = bytearray(b"\x01") * len(parents)
        backwards = True
        for node, parent in enumerate(parents):
            if parent < NONE:
                counts["orphan-parent"] += 1
                self.parent[node] = NONE
            elif parent >= node:
                backwards = False
        if not backwards:
            self._break_cycles(counts)

    def _break_cycles(self, counts: Counter[str]) -> None:
        """Each node is walked over once; the first written node of a cycle becomes its root."""
        state = bytearray(len(self.parent))
        for node in range(len(self.parent)):
            walk: list[int] = []
            at = node
            while at != NONE and state[at] == _OPEN:
                state[at] = _WALKED
                walk.append(at)
                at = self.parent[at]
            if at != NONE and state[at] == _WALKED:
                self.parent[min(walk[walk.index(at) :])] = NONE
                counts["parent-cycle"] += 1
            for each in walk:
                state[each] = _DONE

    def contract(self, keep: Sequence[int]) -> Tree:
        """The tree of the nodes with a true value in `keep`; what lies between two of them is passed through."""
        above = array("i", [_UNSEEN]) * len(self.parent)
        for node, parent in enumerate(self.parent):
            if parent == NONE or above[parent] != _UNSEEN:
                above[node] = parent if parent == NONE or keep[parent] else above[parent]
                continue
            walk: list[int] = []
            at = node
            while at != NONE and above[at] == _UNSEEN:
                walk.append(at)
                at = self.parent[at]
            over = at if at == NONE or keep[at] else above[at]
            for each in reversed(walk):
                above[each] = over
                over = each if keep[each] else over
        small = Tree.__new__(Tree)
        small.parent = above
        small._nodes = bytearray(map(bool, keep))
        return small

    def nodes(self) -> list[int]:
        """The nodes, in the order in which they were written."""
        return [node for node, is_node in enumerate(self._nodes) if is_node]

    def leaves(self) -> list[int]:
        """Nodes without children, in the order in which they were written."""
        inner = bytearray(len(self.parent))
        for node, parent in enumerate(self.parent):
            if parent != NONE and self._nodes[node]:
                inner[parent] = 1
        return [node for node, is_node in enumerate(self._nodes) if is_node and not inner[node]]

    def path(self, leaf: int) -> array[int]:
        """From the root to `leaf`."""
        steps = array("i", [leaf])
        while (above := self.parent[steps[-1]]) != NONE:
            steps.append(above)
        steps.reverse()
        return steps
