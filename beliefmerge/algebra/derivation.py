"""Derivation: what stands, what falls with its premises, and on whose authority.

Nodes are (key, value) pairs. A premise holds when its slot is decided for that value and the value is itself IN; an
opinion gives one rule per justification, capped by its own trust. One least fixpoint over max-min trust answers both
questions: what has no grade is retracted, what has one has that effective trust.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from beliefmerge.algebra.annotation import Justification, Premise
from beliefmerge.algebra.decision import Stance
from beliefmerge.algebra.evidence import Trust
from beliefmerge.algebra.semiring import OUT, Graph, Rule, grade


class Status(StrEnum):
    """Where a slot stands in the derivation graph."""

    AXIOM = "axiom"
    FOUNDED = "founded"
    RETRACTED = "retracted"
    UNASSERTED = "unasserted"


@dataclass(frozen=True, slots=True)
class Ground:
    """One opinion's contribution to a stance: its own trust and the alternatives it rests on (none: simply said)."""

    trust: Trust
    justifications: tuple[Justification, ...] = ()


@dataclass(frozen=True, slots=True)
class Stand:
    """A slot before derivation: the stances shown with their grounds, and which of them a premise may cite."""

    grounds: Mapping[Stance, Sequence[Ground]]
    holding: frozenset[Stance] = frozenset()


@dataclass(frozen=True, slots=True)
class Standing:
    """A slot after derivation."""

    status: Status
    trust: Mapping[Stance, Trust | None]
    """Effective trust of each stance; None where it is retracted."""
    route: tuple[Premise, ...] = ()
    """Premises of the best satisfied justification of a founded slot, sorted."""
    unmet: tuple[Premise, ...] = ()
    """Premises of a retracted slot that do not hold, sorted."""


_Node: TypeAlias = tuple[str, Stance | None]
"""A stance of a slot, or (key, None): the slot is resolved to anything but "no"."""


def derive(stands: Mapping[str, Stand]) -> dict[str, Standing]:
    """Status, effective trust and the premises that matter, for every slot. Linear in slots plus premises."""
    nodes = _Nodes(stands)
    graph = Graph(len(nodes.number), list(nodes.rules()))
    grades = grade(graph)
    return {key: _standing(key, stand, nodes, grades) for key, stand in stands.items()}


class _Nodes:
    """Numbers for nodes, and the rules over them. Node 0 is falsity: a premise that no slot holds."""

    def __init__(self, stands: Mapping[str, Stand]) -> None:
        self._stands = stands
        self.number: dict[_Node, int] = {("", None): 0}
        for key, stand in stands.items():
            for stance in stand.grounds:
                self.number[key, stance] = len(self.number)
            self.number[key, None] = len(self.number)

    def of(self, premise: Premise) -> int:
        stand = self._stands.get(premise.key)
        if stand is None:
            return 0
        if premise.value is None:
            return self.number[premise.key, None]
        stance = Stance(premise.value)
        return self.number[premise.key, stance] if stance in stand.holding else 0

    def rules(self) -> Iterable[Rule]:
        for key, stand in self._stands.items():
            any_value = self.number[key, None]
            for stance, grounds in stand.grounds.items():
                head = self.number[key, stance]
                for ground in grounds:
                    for justification in ground.justifications or (frozenset(),):
                        yield Rule(head, tuple(self.of(p) for p in justification), int(ground.trust))
                if stance in stand.holding and not stance.denied and stance.value != "no":
                    yield Rule(any_value, (head,), int(max(Trust)))


def _standing(key: str, stand: Stand, nodes: _Nodes, grades: Sequence[int]) -> Standing:
    trust = {stance: _trust(grades[nodes.number[key, stance]]) for stance in stand.grounds}
    justifications = sorted(
        {j for grounds in stand.grounds.values() for g in grounds for j in g.justifications}, key=sorted
    )
    if not stand.grounds:
        return Standing(Status.UNASSERTED, {})
    simply_said = any(
        not g.justifications or frozenset() in g.justifications for gs in stand.grounds.values() for g in gs
    )
    if not any(justifications):
        return Standing(Status.AXIOM, trust)

    def reached(justification: Justification) -> int:
        return min((grades[nodes.of(p)] for p in justification), default=int(max(Trust)))

    satisfied = [j for j in justifications if j and reached(j) != OUT]
    if not satisfied and not simply_said:
        unmet = {p for j in justifications for p in j if grades[nodes.of(p)] == OUT}
        return Standing(Status.RETRACTED, trust, unmet=tuple(sorted(unmet)))
    best = max(satisfied, key=reached, default=frozenset())
    return Standing(Status.FOUNDED, trust, route=tuple(sorted(best)))


def _trust(grade: int) -> Trust | None:
    return None if grade == OUT else Trust(grade)
