"""Small derivation graphs: which claims rest on which, and what is IN once the slots are decided."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from beliefmerge.algebra.semiring import OUT, Graph, Rule, grade

Premises = tuple[tuple[int, ...], ...]
"""Alternative justifications, each a set of claims that support together. None: an axiom."""

_AXIOM: Premises = ((),)


@dataclass(frozen=True, slots=True)
class Derivation:
    """Claims c0, c1, … and what each rests on."""

    premises: tuple[Premises, ...]

    @property
    def claims(self) -> int:
        """The number of claims."""
        return len(self.premises)

    def inside(self, asserted: Collection[int]) -> frozenset[int]:
        """Which claims are IN: asserted, and an axiom or with all premises of some justification IN."""
        rules = [Rule(claim, body) for claim in asserted for body in self.premises[claim] or _AXIOM]
        grades = grade(Graph(self.claims, rules))
        return frozenset(claim for claim in range(self.claims) if grades[claim] != OUT)


DERIVATIONS: Mapping[str, Derivation] = {
    "chain 2": Derivation(((), ((0,),))),
    "chain 3": Derivation(((), ((0,),), ((1,),))),
    "two-route": Derivation(((), (), ((0,), (1,)))),
    "diamond": Derivation(((), ((0,),), ((0,),), ((1, 2),))),
}
"""two-route: c2 from c0 or from c1. diamond: c1 and c2 from c0, c3 from both together."""
