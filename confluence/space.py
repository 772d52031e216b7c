"""Spaces of profiles: how many values, evidence levels and branches, in which form, merged in which shape.

A template is what one branch may say of the slot. A profile is an ordered choice of one template per branch; branch i
is source i.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import product

from beliefmerge.errors import UsageError
from beliefmerge.registry import Registry
from confluence.representation import State

MOST_LEVELS = 4
"""Scores are defined for evidence levels 1..4."""


class Form(StrEnum):
    """What a branch may hold: at most one level for each value, or at most one opinion in all."""

    GENERAL = "general"
    WELL_FORMED = "well_formed"


class Shape(StrEnum):
    """How branches are merged: one after the other in any order, or by any binary tree over any order."""

    FOLD = "fold"
    TREE = "tree"


@dataclass(frozen=True, slots=True, order=True)
class Space:
    """`values` k >= 1, `levels` E in 1..4, `branches` n >= 2. Raises UsageError for anything else."""

    values: int
    levels: int
    branches: int
    form: Form
    shape: Shape = Shape.FOLD

    def __post_init__(self) -> None:
        if self.values < 1:
            raise UsageError(f"a space of {self.values} values is none: it must have at least 1")
        if not 1 <= self.levels <= MOST_LEVELS:
            raise UsageError(f"a space has 1 to {MOST_LEVELS} evidence levels, not {self.levels}")
        if self.branches < 2:
            raise UsageError(f"a profile of {self.branches} branches has nothing to merge: it must have at least 2")

    @property
    def width(self) -> int:
        """The number of templates: (E+1)^k, or 1 + kE in the well-formed case."""
        if self.form is Form.GENERAL:
            return int((self.levels + 1) ** self.values)
        return 1 + self.values * self.levels

    @property
    def total(self) -> int:
        """The number of profiles."""
        return int(self.width**self.branches)

    @property
    def multisets(self) -> int:
        """The number of profiles up to the order of their branches."""
        return math.comb(self.width + self.branches - 1, self.branches)

    def templates(self) -> list[State]:
        """Every template, ordered by its assertions; the silent one is first."""
        if self.form is Form.WELL_FORMED:
            single: list[State] = [((v, e),) for v in range(self.values) for e in range(1, self.levels + 1)]
            return [(), *single]
        choices = product(range(self.levels + 1), repeat=self.values)
        return sorted(tuple((v, e) for v, e in enumerate(levels) if e) for levels in choices)


@dataclass(frozen=True, slots=True)
class NamedSpace:
    """A list of spaces under one name, and the scores it is run with (none named: every registered one)."""

    spaces: Sequence[Space]
    scores: Sequence[str] = ("egalitarian", "elitist")
    shapes: Sequence[Shape] = (Shape.FOLD,)
    """Shapes it may be asked for; the spaces themselves are given as folds."""


SPACES: Registry[NamedSpace] = Registry("space", "confluence.spaces", "SPACE")
"""Named spaces, one file each: `SPACE`, a `NamedSpace`."""
