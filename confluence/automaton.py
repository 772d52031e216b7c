"""Reachable accumulator states by dynamic programming over sub-multisets of templates.

Whether a profile fails depends only on the multiset of its templates. For every multiset of fewer than n templates the
set of states that some fold (or merge tree) over it can end in is interned as one integer; a larger multiset's set is
the union, over its splits in two, of the pairwise merges. The last merge needs no sets: only which decisions occur.

The last layer is walked as (greatest class, rest): see `confluence.orbits`. Sets are numbered so that numbers below
the number of states are the singletons.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

from confluence.coding import Machine
from confluence.multisets import Array, Multisets
from confluence.space import Shape

_DENSE = 1 << 25
"""Tables over pairs up to this size are dense; beyond it pairs are sorted."""


@dataclass
class Reach:
    """One layer: its states (coded), the interned sets of them, and each multiset's set."""

    states: Array
    larger: list[tuple[int, ...]] = field(default_factory=list)
    """Sets of two states or more, ascending; the number of the first is ``len(states)``."""
    of: Array = None
    """Length M: the set of each multiset."""

    def __post_init__(self) -> None:
        self._numbers: dict[tuple[int, ...], int] = {}

    def __len__(self) -> int:
        return len(self.states) + len(self.larger)

    def members(self, number: int) -> tuple[int, ...]:
        """The states in a set."""
        return (number,) if number < len(self.states) else self.larger[number - len(self.states)]

    def intern(self, members: set[int]) -> int:
        """The number of a set of states."""
        if len(members) == 1:
            return next(iter(members))
        ordered = tuple(sorted(members))
        number = self._numbers.get(ordered)
        if number is None:
            number = self._numbers[ordered] = len(self)
            self.larger.append(ordered)
        return number

    def flat(self) -> tuple[Array, Array]:
        """Members of all sets one after the other, and where each set begins."""
        import numpy as np

        lengths = np.fromiter(map(len, self.larger), np.int64, len(self.larger))
        singles = np.arange(len(self.states))
        members = np.fromiter((s for group in self.larger for s in group), np.int64, int(lengths.sum()))
        begins = len(singles) + np.concatenate([[0], np.cumsum(lengths)[:-1]]) if len(lengths) else singles[:0]
        return np.concatenate([singles, members]), np.concatenate([singles, begins]).astype(np.int64)


class Automaton:
    """Layers of reachable sets of one machine over `multisets`, made as they are asked for."""

    def __init__(self, machine: Machine, multisets: Multisets, shape: Shape) -> None:
        self.machine, self.multisets, self.shape = machine, multisets, shape
        self._layers: list[Reach] = []
        self._bits: dict[tuple[int, int], Array] = {}

    def splits(self, size: int) -> range:
        """Sizes of the smaller part of a split of `size` branches."""
        return range(1, 2) if self.shape is Shape.FOLD else range(1, size // 2 + 1)

    def layer(self, size: int) -> Reach:
        """Reachable sets of all multisets of `size` >= 1."""
        import numpy as np

        if not self._layers:
            self._layers.append(Reach(self.multisets.keys, of=np.arange(self.multisets.width, dtype=np.int32)))
        while len(self._layers) < size:
            self._layers.append(self._next(len(self._layers) + 1))
        return self._layers[size - 1]

    def _next(self, size: int) -> Reach:
        import numpy as np

        steps = {}
        for part in self.splits(size):
            a, b = self.layer(size - part), self.layer(part)
            steps[part] = self.machine.rewrite(a.states[:, None] + b.states[None, :])
        joined = np.concatenate([step.ravel() for step in steps.values()])
        states, numbers = np.unique(joined, return_inverse=True)
        reach, begin = Reach(states), 0
        for part, step in steps.items():
            transition = numbers[begin : begin + step.size].reshape(step.shape)
            begin += step.size
            self._extend(reach, size, part, transition)
        return reach

    def _extend(self, reach: Reach, size: int, part: int, transition: Array) -> None:
        """Join into every multiset's set what its splits with a part of size `part` reach."""
        layer, a, b = self.multisets.layer(size), self.layer(size - part), self.layer(part)
        for places in combinations(range(size), part):
            others = tuple(p for p in range(size) if p not in places)
            left = a.of[self.multisets.remove(size, places)]
            right = layer.columns[places[0]] if part == 1 else b.of[self.multisets.remove(size, others)]
            merged = _pairwise(left, right, len(a), len(b), _merging(reach, a, b, transition))
            reach.of = merged if reach.of is None else _joined(reach, reach.of, merged)

    def decided(self, size: int, part: int) -> Array:
        """``[set of size - part, set of part]``: which decisions the last merge of `size` branches may reach.

        Bit d stands for the decision whose winners are the bits of d.
        """
        import numpy as np

        if (size, part) not in self._bits:
            a, b = self.layer(size - part), self.layer(part)
            ends = self.machine.rewrite(a.states[:, None] + b.states[None, :])
            bits = decision_bit(self.machine.weighing.decide(ends), self.machine.weighing.code.values)
            for axis, reach in enumerate((a, b)):
                if reach.larger:
                    members, begins = reach.flat()
                    bits = np.bitwise_or.reduceat(bits.take(members, axis), begins, axis)
            self._bits[size, part] = bits
        return self._bits[size, part]


def decision_bit(winners: Array, values: int) -> Array:
    """One bit for each set of winners."""
    import numpy as np

    dtype: Any = np.uint8 if values <= 3 else np.uint16 if values == 4 else np.uint32 if values == 5 else np.uint64
    return (np.uint64(1) << winners).astype(dtype)


def _merging(reach: Reach, a: Reach, b: Reach, transition: Array) -> Any:
    """A function from arrays of pairs of sets to the numbers of what they merge to."""

    def merge(left: Array, right: Array) -> Array:
        single = (left < len(a.states)) & (right < len(b.states))
        out = transition[left * single, right * single]
        places = (~single).nonzero()[0]
        if len(places):
            rows = transition.tolist()
            for place, x, y in zip(places.tolist(), left[places].tolist(), right[places].tolist(), strict=True):
                others = b.members(y)
                out[place] = reach.intern({rows[s][t] for s in a.members(x) for t in others})
        return out

    return merge


def _joined(reach: Reach, left: Array, right: Array) -> Array:
    """The numbers of the unions of two sets each."""

    def join(x: Array, y: Array) -> Array:
        import numpy as np

        pairs = zip(x.tolist(), y.tolist(), strict=True)
        return np.array([reach.intern({*reach.members(p), *reach.members(q)}) for p, q in pairs], np.int32)

    differ = (left != right).nonzero()[0]
    if not len(differ):
        return left
    out = left.copy()
    bound = len(reach)
    out[differ] = _pairwise(left[differ], right[differ], bound, bound, join)
    return out


def _pairwise(left: Array, right: Array, lefts: int, rights: int, work: Any) -> Array:
    """`work` on every distinct pair once, then looked up for all."""
    import numpy as np

    codes = left.astype(np.int64) * rights + right
    if lefts * rights <= _DENSE and lefts * rights <= 16 * len(codes) + 4096:
        table = np.full(lefts * rights, -1, np.int32)
        table[codes] = 0
        pairs = (table == 0).nonzero()[0]
        table[pairs] = work(pairs // rights, pairs % rights)
        return table[codes]
    pairs, where = np.unique(codes, return_inverse=True)
    found: Array = work(pairs // rights, pairs % rights).astype(np.int32)[where]
    return found
