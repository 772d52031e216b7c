"""Small derivation graphs: which claims rest on which."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

Premises = tuple[tuple[int, ...], ...]
"""Alternative justifications, each a set of claims that support together. None: an axiom."""


@dataclass(frozen=True, slots=True)
class Derivation:
    """Claims c0, c1, … and what each rests on: earlier claims alone. Raises ValueError for anything else."""

    premises: tuple[Premises, ...]

    def __post_init__(self) -> None:
        for claim, premises in enumerate(self.premises):
            if any(not 0 <= premise < claim for body in premises for premise in body):
                raise ValueError(f"c{claim} rests on a claim that does not come before it")

    @property
    def claims(self) -> int:
        """The number of claims."""
        return len(self.premises)

    def needed_after(self, claim: int) -> frozenset[int]:
        """Claims up to `claim` that some later one rests on."""
        later = self.premises[claim + 1 :]
        return frozenset(p for premises in later for body in premises for p in body if p <= claim)


DERIVATIONS: Mapping[str, Derivation] = {
    "chain 2": Derivation(((), ((0,),))),
    "chain 3": Derivation(((), ((0,),), ((1,),))),
    "two-route": Derivation(((), (), ((0,), (1,)))),
    "diamond": Derivation(((), ((0,),), ((0,),), ((1, 2),))),
}
"""two-route: c2 from c0 or from c1. diamond: c1 and c2 from c0, c3 from both together."""
