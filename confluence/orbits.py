"""Value-permutation symmetry, and the walk over the last layer that uses it.

A score sees levels and not values, so that renaming the values of a whole profile renames its decisions, and whether
it fails is the same for the whole orbit. Order templates such that orbits of templates are contiguous. In each profile
mark the first branch, by position, among those whose template is of the greatest class that occurs; rename so that it
holds the class's last template r. Then

    failures = sum over classes c of |c| * sum over multisets R of n - 1 templates of classes <= c, with R + r failing,
               of n! / (product of R's multiplicities' factorials) / (1 + number of elements of R in c),

where the last two factors count the arrangements of R and the marked r in which r precedes all others of its class.
Without symmetry every template is a class of its own, and the sum is the plain one over multisets.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass

from confluence.representation import State
from confluence.space import Space


@dataclass(frozen=True)
class Classes:
    """Templates in an order that has classes contiguous, and where each class begins and ends."""

    templates: Sequence[State]
    bounds: Sequence[tuple[int, int]]


@functools.cache
def trivial(space: Space) -> Classes:
    """Every template alone: no symmetry."""
    templates = space.templates()
    return Classes(templates, [(i, i + 1) for i in range(len(templates))])


@functools.cache
def symmetric(space: Space) -> Classes:
    """Templates up to a renaming of the values: one class for each multiset of levels."""
    templates = sorted(space.templates(), key=lambda t: (profile_of(t), t))
    bounds, begin = [], 0
    for end in range(1, len(templates) + 1):
        if end == len(templates) or profile_of(templates[end]) != profile_of(templates[begin]):
            bounds.append((begin, end))
            begin = end
    return Classes(templates, bounds)


def profile_of(template: State) -> tuple[int, ...]:
    """The levels of a template, ascending: what a renaming leaves as it is."""
    return tuple(sorted(level for _, level in template))
