"""The surface of an event log: what a model sees, in order, after appends and positional replacements."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Iterator

_GONE = -1


class Surface:
    """A linked list of the sequence numbers of messages, so that every operation costs what it touches.

    Messages are numbered 1, 2, … as they come; 0 stands before the first and after the last.
    """

    def __init__(self) -> None:
        self._seqs = array("q", [-1])
        self._after = array("i", [0])
        self._before = array("i", [0])
        self._size = 0

    def __len__(self) -> int:
        return self._size

    def __iter__(self) -> Iterator[tuple[int, int]]:
        """(how many messages came before, sequence number) of each message on the surface."""
        at = self._after[0]
        while at:
            yield at - 1, self._seqs[at]
            at = self._after[at]

    def append(self, seq: int) -> None:
        """Put the message numbered `seq` at the end; sequence numbers grow."""
        self._link(self._before[0], seq, 0)

    def replace(self, start: int, end: int, seq: int) -> int:
        """Put the message `seq` where those from the position of `start` to the position of `end` stand; how many went.

        Positions count, not numbers: `start` may be the greater one.

        Raises:
            LookupError: one of them is not on the surface, or `end` stands before `start`.
        """
        first, last = self._find(start), self._find(end)
        shadowed = [first]
        while shadowed[-1] != last:
            following = self._after[shadowed[-1]]
            if not following:
                raise LookupError(f"seq {end} stands before seq {start}")
            shadowed.append(following)
        before, after = self._before[first], self._after[last]
        for each in shadowed:
            self._after[each] = self._before[each] = _GONE
        self._size -= len(shadowed)
        self._link(before, seq, after)
        return len(shadowed)

    def _find(self, seq: int) -> int:
        at = bisect_left(self._seqs, seq)
        if not 0 < at < len(self._seqs) or self._seqs[at] != seq or self._after[at] == _GONE:
            raise LookupError(f"seq {seq} is not on the surface")
        return at

    def _link(self, before: int, seq: int, after: int) -> None:
        at = len(self._seqs)
        self._seqs.append(seq)
        self._before.append(before)
        self._after.append(after)
        self._after[before] = self._before[after] = at
        self._size += 1
