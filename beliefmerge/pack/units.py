"""Additive units: what a whole line costs, such that costs of lines may be summed.

``chars4`` rounds once over the whole text, so it is not additive in tokens; in characters it is, and a budget of `b`
tokens is exactly one of ``4 * b`` characters. ``regex`` is additive over whole lines. ``o200k`` is not guaranteed to
be: its sums are an estimate, and `pack` recounts the whole (``measure=``).
"""

from __future__ import annotations

from dataclasses import dataclass

from beliefmerge.pack.item import Rendition
from beliefmerge.tokens import Counter, counter


@dataclass(frozen=True, slots=True)
class Unit:
    """`cost` of a text in this unit; `per_token` units make one token of the budget."""

    cost: Counter
    per_token: int = 1

    def capacity(self, tokens: int) -> int:
        """The greatest cost that fits a budget of `tokens`."""
        return tokens * self.per_token

    def tokens(self, cost: int) -> int:
        """How many tokens a text of this cost has."""
        return -(-cost // self.per_token)

    def rendition(self, text: str, quality: float = 1.0) -> Rendition:
        """The rendition printing `text` (whole lines, the final line break included)."""
        return Rendition(text, self.cost(text), quality)


def unit(name: str) -> Unit:
    """The additive unit of the token counter called `name`; raises UsageError for an unknown one."""
    return Unit(len, 4) if name == "chars4" else Unit(counter(name))
