"""Visiting sequences in an order in which each begins as much as it can like the one before.

In lexicographic order every node of the sequences' prefix tree is entered once, so that a cache that is cut back to
the common prefix computes each shared prefix once: no order computes less.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence


def visits(sequences: Sequence[Sequence[int]]) -> Iterator[list[int]]:
    """Indices of `sequences` in lexicographic order; those of equal sequences come together."""
    order = sorted(range(len(sequences)), key=lambda i: (tuple(sequences[i]), i))
    group: list[int] = []
    for i in order:
        if group and tuple(sequences[group[0]]) != tuple(sequences[i]):
            yield group
            group = []
        group.append(i)
    if group:
        yield group


def common(first: Sequence[object], second: Sequence[object]) -> int:
    """Length of the longest common prefix."""
    length = min(len(first), len(second))
    return next((i for i in range(length) if first[i] != second[i]), length)
