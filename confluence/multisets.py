"""All multisets of a given size over a set of templates, as columns, in colexicographic order.

In that order the multisets whose greatest element is at most t are a prefix, and the rank of a multiset without its
greatest element is its position among those that share it (the combinatorial number system; Knuth, 2011, 7.2.1.3).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from beliefmerge.errors import UsageError

Array = Any
"""A NumPy array; NumPy is imported only where it is used."""
MOST = 80_000_000
"""More multisets than this are not held in memory."""


def count(width: int, size: int) -> int:
    """The number of multisets of `size` over `width` templates."""
    return math.comb(width + size - 1, size)


def refuse_too_many(width: int, size: int) -> None:
    """Raise UsageError when the multisets are too many to hold."""
    if count(width, size) > MOST:
        raise UsageError(
            f"{count(width, size)} multisets of {size} of {width} templates are more than fit in memory "
            f"(at most {MOST})"
        )


@dataclass(frozen=True, eq=False)
class Layer:
    """The multisets of one size m, M of them; every array has length M unless said otherwise."""

    size: int
    columns: list[Array]
    """m columns of template numbers (int16), ascending within a row."""
    without: list[Array]
    """``without[j]``: rank, one layer down, of the multiset without its j-th element (int32)."""
    arrangements: Array
    """m! / the product of the multiplicities' factorials (int64)."""
    run: Array
    """Multiplicity of the greatest element."""
    keys: Array
    """Sum of the elements' keys (uint64)."""
    weights: Array
    """Number of assertions in it."""
    starts: Array
    """Length T: rank of the first multiset whose greatest element is t."""


class Multisets:
    """Layers over templates with given keys and numbers of assertions, made as they are asked for."""

    def __init__(self, keys: Array, weights: Array) -> None:
        self.keys, self.weights = keys, weights
        self.width = len(keys)
        self._layers: list[Layer] = []

    def layer(self, size: int) -> Layer:
        """The multisets of `size` >= 1. Raises UsageError when they are too many to hold."""
        refuse_too_many(self.width, size)
        while len(self._layers) < size:
            self._layers.append(self._next(self._layers[-1]) if self._layers else self._first())
        return self._layers[size - 1]

    def _first(self) -> Layer:
        import numpy as np

        each = np.arange(self.width)
        ones = np.ones(self.width, np.int64)
        zeros = np.zeros(self.width, np.int32)
        return Layer(1, [each.astype(np.int16)], [zeros], ones, ones, self.keys, self.weights, each.astype(np.int32))

    def _next(self, below: Layer) -> Layer:
        import numpy as np

        size = below.size + 1
        prefix = np.array([count(t + 1, size - 1) for t in range(self.width)])
        starts = np.concatenate([[0], np.cumsum(prefix)[:-1]])
        last = np.repeat(np.arange(self.width, dtype=np.int16), prefix)
        rest = (np.arange(len(last)) - np.repeat(starts, prefix)).astype(np.int32)
        offset = np.repeat(below.starts, prefix)
        columns = [column[rest] for column in below.columns]
        run = np.where(columns[-1] == last, below.run[rest] + 1, 1)
        return Layer(
            size,
            [*columns, last],
            [*(down[rest] + offset for down in below.without), rest],
            below.arrangements[rest] * size // run,
            run,
            below.keys[rest] + self.keys[last],
            below.weights[rest] + self.weights[last],
            starts.astype(np.int32),
        )

    def remove(self, size: int, places: tuple[int, ...]) -> Array:
        """For each multiset of `size`, the rank of what is left without the elements at `places` (ascending)."""
        ranks: Array | None = None
        for done, place in enumerate(reversed(places)):
            down = self.layer(size - done).without[place]
            ranks = down if ranks is None else down[ranks]
        assert ranks is not None
        return ranks
