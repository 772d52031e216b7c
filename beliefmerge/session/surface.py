"""The surface of an event log: what a model sees, in order, after appends and positional replacements."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Generic, TypeVar

Node = TypeVar("Node")


class Surface(Generic[Node]):
    """A linked list by sequence number, so that every operation costs what it touches."""

    def __init__(self) -> None:
        self._nodes: dict[int, Node] = {}
        self._after: dict[int | None, int | None] = {None: None}
        self._before: dict[int | None, int | None] = {None: None}

    def __len__(self) -> int:
        return len(self._nodes)

    def __iter__(self) -> Iterator[Node]:
        at = self._after[None]
        while at is not None:
            yield self._nodes[at]
            at = self._after[at]

    def append(self, seq: int, node: Node) -> None:
        """Put `node` at the end, under the number `seq`."""
        self._link(self._before[None], seq, None)
        self._nodes[seq] = node

    def replace(self, start: int, end: int, seq: int, node: Node) -> int:
        """Put `node` where the nodes from the position of `start` to the position of `end` stand; how many went.

        Positions count, not numbers: `start` may be the greater one.

        Raises:
            LookupError: one of them is not on the surface, or `end` stands before `start`.
        """
        for each in (start, end):
            if each not in self._nodes:
                raise LookupError(f"seq {each} is not on the surface")
        shadowed = [start]
        while shadowed[-1] != end:
            following = self._after[shadowed[-1]]
            if following is None:
                raise LookupError(f"seq {end} stands before seq {start}")
            shadowed.append(following)
        before, after = self._before[start], self._after[end]
        for each in shadowed:
            del self._nodes[each], self._after[each], self._before[each]
        self._link(before, seq, after)
        self._nodes[seq] = node
        return len(shadowed)

    def _link(self, before: int | None, seq: int, after: int | None) -> None:
        self._after[before] = self._before[after] = seq
        self._before[seq], self._after[seq] = before, after
