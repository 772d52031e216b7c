"""A folded-over two-level Hadamard design: every mask is tried together with its complement (Box and Wilson, 1951).

The base is a Sylvester matrix of order M = N/2: entry e has column c(e), and row r keeps it where the bits that r and
c(e) share are even in number (or odd, by a drawn sign). Folding makes every main effect orthogonal to the intercept, to
every other main effect and to all interactions of an even number of entries.

Columns are nested: the first 2^j entries have columns in one subgroup of order 2^j, so that the masks restricted to
them take few values and contexts share long prefixes. Within that order columns are drawn, and the last ones from the
whole group, so that together they generate it and no mask comes twice.
"""

from __future__ import annotations

import numpy as np

from attribution.arrays import Floats
from attribution.design import Design
from beliefmerge.errors import UsageError


def draw(entries: int, ablations: int, rng: np.random.Generator) -> Design:
    """A design of `ablations` rows. Raises UsageError unless N/2 is a power of two and N >= 2 D."""
    order = ablations // 2
    if ablations < 2 or ablations % 2 or order & (order - 1) or order < entries:
        raise UsageError(
            f"a fold-over of {entries} entries needs N >= {2 * entries} ablations with N/2 a power of two: "
            f"{ablations} is not, {max(4, 1 << (2 * entries - 1).bit_length())} is"
        )
    used = columns(entries, order.bit_length() - 1, rng)
    idle = [c for c in range(order) if c not in set(used)]
    signs = rng.choice(np.array([-1.0, 1.0]), size=entries)
    base = sylvester(order, used) * signs
    return Design(
        "foldover",
        np.vstack([base, -base]) > 0,
        np.vstack([sylvester(order, idle), -sylvester(order, idle)]),
        paired=True,
    )


def sylvester(order: int, columns: list[int]) -> Floats:
    """[order, len(columns)]: the named columns of the Sylvester matrix, entries -1 and 1."""
    shared = np.bitwise_and(np.arange(order)[:, None], np.array(columns, dtype=np.int64)[None, :])
    return 1.0 - 2.0 * (np.bitwise_count(shared) % 2)


def columns(entries: int, bits: int, rng: np.random.Generator) -> list[int]:
    """Distinct column numbers below 2^bits, nested for as many of the first entries as leaves room to span them all."""
    nested = _nested(entries, bits)
    first = [0] if entries else []
    for j in range(nested):
        first += [int(c) for c in rng.permutation(np.arange(1 << j, 1 << (j + 1)))]
    rest = entries - len(first)
    free = np.arange(len(first), 1 << bits)
    for _ in range(200):
        chosen = first + [int(c) for c in rng.permutation(free)[:rest]]
        if rank(chosen) == min(bits, max(entries - 1, 0)):
            return chosen
    return chosen  # fewer distinct masks than rows: equal ones are scored once


def _nested(entries: int, bits: int) -> int:
    """The most j such that, 2^j entries in the subgroup of order 2^j, the others are enough for the bits above it."""
    return max((j for j in range(bits + 1) if (1 << j) <= entries and entries - (1 << j) >= bits - j), default=0)


def rank(vectors: list[int]) -> int:
    """The rank of bit vectors over the field of two elements."""
    basis: list[int] = []
    for vector in vectors:
        for b in basis:
            vector = min(vector, vector ^ b)
        if vector:
            basis.append(vector)
    return len(basis)


DESIGN = draw
