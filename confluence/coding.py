"""States as 64-bit integers, so that a union is an addition and rewriting is a table look-up.

Each value has a field of E counters, one an evidence level, wide enough for n. Adding two states adds their counters
without a carry, because n disjoint branches say each thing at most n times. Everything a score tells of one value's
counters is tabulated once: its rank among all scores, its top level, and the least counters with the same score.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations_with_replacement

from beliefmerge.algebra.score import Score
from beliefmerge.errors import UsageError
from confluence.multisets import Array
from confluence.representation import REPRESENTATIONS, Assertion, State

MOST_VALUES = 6
"""Sets of winners are bits of a 64-bit mask, 2^k of them."""
MOST_BRANCHES = 16
"""The profiles one multiset stands for, n! times a class of templates, then fit 64 bits."""


class Code:
    """How the states of up to `branches` branches over `values` and `levels` are written as integers."""

    def __init__(self, values: int, levels: int, branches: int) -> None:
        self.values, self.levels, self.branches = values, levels, branches
        self.bits = branches.bit_length()
        self.field = self.bits * levels
        if values * self.field > 64 or values > MOST_VALUES or branches > MOST_BRANCHES:
            raise UsageError(
                f"{values} values, {levels} levels and {branches} branches do not fit the fast engines: at most "
                f"{MOST_VALUES} values, {MOST_BRANCHES} branches, and {values} x {self.field} bits must not exceed 64; "
                "use engine=reference"
            )

    def key(self, state: Iterable[Assertion]) -> int:
        """A state as an integer."""
        return sum(1 << (value * self.field + (level - 1) * self.bits) for value, level in state)

    def state(self, key: int) -> State:
        """The inverse of `key`."""
        counter = (1 << self.bits) - 1
        return tuple(
            (value, level)
            for value in range(self.values)
            for level in range(1, self.levels + 1)
            for _ in range((key >> (value * self.field + (level - 1) * self.bits)) & counter)
        )


class Weighing:
    """A score over a code: ``rank[field]`` (-1 for silence), ``top[field]``, ``least[field]``."""

    def __init__(self, code: Code, score: Score) -> None:
        import numpy as np

        self.code, self.score = code, score
        sizes, levels = range(1, code.branches + 1), range(1, code.levels + 1)
        heard = [c for size in sizes for c in combinations_with_replacement(levels, size)]
        fields = [sum(1 << ((level - 1) * code.bits) for level in c) for c in heard]
        totals = [score.total(c) for c in heard]
        ranks = {total: rank for rank, total in enumerate(sorted(set(totals)))}
        least: dict[tuple[int, ...], int] = {}
        for field, total in zip(fields, totals, strict=True):
            least.setdefault(total, field)
        self.fields = np.array([0, *fields], np.uint64)
        self.sizes = np.array([0, *map(len, heard)])
        self.rank = np.full(1 << code.field, -1, np.int32)
        self.rank[fields] = [ranks[total] for total in totals]
        self.top, self.least = (np.zeros(1 << code.field, np.uint64) for _ in range(2))
        self.top[fields] = [1 << ((c[-1] - 1) * code.bits) for c in heard]
        self.least[fields] = [least[total] for total in totals]

    def split(self, keys: Array) -> list[Array]:
        """The fields of each value."""
        import numpy as np

        width, mask = self.code.field, np.uint64((1 << self.code.field) - 1)
        return [(keys >> np.uint64(v * width)) & mask for v in range(self.code.values)]

    def _ranks(self, fields: list[Array]) -> tuple[list[Array], Array]:
        import numpy as np

        ranks = [self.rank[field] for field in fields]
        best = ranks[0]
        for rank in ranks[1:]:
            best = np.maximum(best, rank)
        return ranks, best

    def decide(self, keys: Array) -> Array:
        """The winners of each state as a set of bits, bit v for value v (uint64); 0 when nothing was said."""
        import numpy as np

        ranks, best = self._ranks(self.split(keys))
        said = best >= 0
        winners = np.zeros(keys.shape, np.uint64)
        for value, rank in enumerate(ranks):
            winners |= ((rank == best) & said).astype(np.uint64) << np.uint64(value)
        return winners


class Machine:
    """A representation under a score, on coded states."""

    def __init__(self, weighing: Weighing, representation: str) -> None:
        assert representation in REPRESENTATIONS
        self.weighing = weighing
        self._winners_only = representation in ("COUNT", "MAX")
        self._table = {"MAX": weighing.top, "SCORES": weighing.least}.get(representation)

    def rewrite(self, keys: Array) -> Array:
        """What the accumulator keeps of each state."""
        import numpy as np

        weighing, width = self.weighing, self.weighing.code.field
        fields = weighing.split(keys)
        kept = [field if self._table is None else self._table[field] for field in fields]
        if self._winners_only:
            ranks, best = weighing._ranks(fields)
            kept = [np.where(rank == best, field, np.uint64(0)) for field, rank in zip(kept, ranks, strict=True)]
        out = kept[0]
        for value, field in enumerate(kept[1:], 1):
            out = out | (field << np.uint64(value * width))
        return out

    def cannot_fail(self) -> bool:
        """Whether no profile can fail, checked on the tables: see `docs/confluence.md`, "Certificates".

        True when losers are kept and each value's counters c and what is kept of them, g(c), have equal scores under
        every continuation d that still fits the branches: rank(c + d) = rank(g(c) + d). By induction over the merge
        tree every accumulator then has the n-ary scores.
        """
        import numpy as np

        weighing = self.weighing
        if self._winners_only:
            return False
        if self._table is None:
            return True
        kept = self._table[weighing.fields]
        for size in range(weighing.code.branches + 1):
            now = weighing.sizes == size
            more = weighing.fields[weighing.sizes <= weighing.code.branches - size]
            before = weighing.rank[weighing.fields[now][:, None] + more]
            if not np.array_equal(before, weighing.rank[kept[now][:, None] + more]):
                return False
        return True
