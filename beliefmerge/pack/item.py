"""What is packed: items with several renditions of different cost. Nothing here knows how they came to be text."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise

from beliefmerge.errors import UsageError


@dataclass(frozen=True, slots=True)
class Rendition:
    """One way to print an item."""

    text: str
    """Whole lines, the final line break included, so that renditions can be put one after another."""
    cost: int
    """In the caller's additive unit (see `beliefmerge.pack.units`)."""
    quality: float = 1.0
    """0..1: how complete it is; 1 leaves nothing out, 0 is the barest. Scaled by ``Weights.detail``."""

    def __post_init__(self) -> None:
        if self.cost < 0:
            raise UsageError(f"a rendition cannot cost {self.cost}")
        if not 0 <= self.quality <= 1:
            raise UsageError(f"the quality of a rendition lies in 0..1, not {self.quality}")


@dataclass(frozen=True, slots=True)
class Item:
    """Something that may be shown, the features its utility is computed from, and its renditions in any order."""

    id: str
    """Unique; ties of every kind are broken by it."""
    type: str
    renditions: tuple[Rendition, ...]
    evidence: int = 1
    """1..4."""
    witnesses: int = 1
    trust: int = 1
    """0..2, effective."""
    recency: float = 0.0
    """0..1, newest last."""
    salience: float = 1.0
    """0..1: how likely it is to be a claim at all; small talk is near 0."""
    retracted: bool = False
    contested: bool = False
    """Disputed: more likely to change than what is settled (see `beliefmerge.pack.layout`)."""
    since: int = 0
    """Sequence number since when it has stood as it is; what has stood longest is laid out first."""
    text: str = ""
    """What the query is matched with."""

    def __post_init__(self) -> None:
        if not self.renditions:
            raise UsageError(f"item {self.id!r} has no rendition")
        for name, least, most in (("evidence", 1, 4), ("trust", 0, 2), ("recency", 0, 1), ("salience", 0, 1)):
            value = getattr(self, name)
            if not least <= value <= most:
                raise UsageError(f"item {self.id!r}: {name} lies in {least}..{most}, not {value}")


@dataclass(frozen=True, slots=True)
class Choice:
    """An item that is shown, and how."""

    item: Item
    rendition: Rendition


def canonical(items: Iterable[Item]) -> tuple[Item, ...]:
    """The items by id; raises UsageError when two share one."""
    ordered = tuple(sorted(items, key=lambda item: item.id))
    for before, item in pairwise(ordered):
        if before.id == item.id:
            raise UsageError(f"two items to pack have the id {item.id!r}")
    return ordered
