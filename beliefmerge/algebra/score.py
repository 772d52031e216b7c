"""What a score is: how the evidence levels of distinct witnesses add up to support."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol


class Score(Protocol):
    """Maps witnesses' evidence levels to a vector; vectors are subtracted component by component and compared in order.

    Laws (tests/laws): the vector's length does not depend on `levels`; no levels give zeros; the order of levels does
    not matter; one more witness never makes the vector smaller, nor does a stronger one.
    """

    name: str

    def total(self, levels: Sequence[int]) -> tuple[int, ...]:
        """Support of one value by witnesses of these evidence levels (1..4, any number)."""
        ...
