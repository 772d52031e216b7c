"""Derivation: what stands, what falls with its premises, and on whose authority.

Nodes are (key, value) pairs. A premise holds when its slot is decided for that value and the value is itself IN; an
opinion gives one rule per justification, capped by its own trust. One least fixpoint over max-min trust answers both
questions: what has no grade is retracted, what has one has that effective trust.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from beliefmerge.algebra.annotation import Justification, Premise
from beliefmerge.algebra.collector import paused
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


class Standing(NamedTuple):
    """A slot after derivation."""

    status: Status
    trust: Mapping[Stance, Trust | None]
    """Effective trust of each stance; None where it is retracted."""
    route: tuple[Premise, ...] = ()
    """Premises of the best satisfied justification of a founded slot, sorted."""
    unmet: tuple[Premise, ...] = ()
    """Premises of a retracted slot that do not hold, sorted."""


def derive(stands: Mapping[str, Stand]) -> dict[str, Standing]:
    """Status, effective trust and the premises that matter, for every slot. Linear in slots plus premises."""
    with paused():
        nodes = _Nodes(stands)
        return nodes.standings(grade(Graph(nodes.size, nodes.rules)))


_FALSITY = 0
"""The node of a premise that no slot holds."""


class _Nodes:
    """A node for each stance of each slot, numbered in the order of the slots, and the rules over them.

    `justifications` runs parallel to `rules`. A premise that names no value gets a node of its own when it first
    occurs, which any value of its slot but "no" derives.
    """

    def __init__(self, stands: Mapping[str, Stand]) -> None:
        self.rules: list[Rule] = []
        self.justifications: list[Justification] = []
        self._stands = stands
        self._cited: dict[Premise, int] = {}
        head = _FALSITY
        for key, stand in stands.items():
            for stance in stand.grounds:
                head += 1
                if stance in stand.holding and not stance.denied:
                    self._cited[Premise(key, stance.value)] = head
        self.size = head + 1
        head = _FALSITY
        for stand in stands.values():
            for grounds in stand.grounds.values():
                head += 1
                for ground in grounds:
                    for justification in ground.justifications or _SIMPLY_SAID:
                        body = tuple([self._node(premise) for premise in justification])
                        self.rules.append(Rule(head, body, ground.trust))
                        self.justifications.append(justification)

    def _node(self, premise: Premise) -> int:
        node = self._cited.get(premise)
        if node is not None:
            return node
        stand = self._stands.get(premise.key)
        if stand is None or premise.value is not None:
            return _FALSITY
        node = self._cited[premise] = self.size
        self.size += 1
        for stance in stand.holding:
            if not stance.denied and stance.value != "no":
                self.rules.append(Rule(node, (self._cited[Premise(premise.key, stance.value)],), _TOP))
                self.justifications.append(frozenset())
        return node

    def standings(self, grades: Sequence[int]) -> dict[str, Standing]:
        """What the grades say of each slot."""
        routes: list[list[int]] = [[] for _ in range(self.size)]
        for r, (head, _, _) in enumerate(self.rules):
            routes[head].append(r)
        out = {}
        head = _FALSITY
        for key, stand in self._stands.items():
            heads = range(head + 1, head + 1 + len(stand.grounds))
            trust = {stance: _TRUST[grades[node]] for stance, node in zip(stand.grounds, heads, strict=True)}
            mine = routes[heads[0]] if len(heads) == 1 else [r for node in heads for r in routes[node]]
            out[key] = self._standing(mine, trust, grades)
            head += len(heads)
        return out

    def _standing(self, mine: list[int], trust: dict[Stance, Trust | None], grades: Sequence[int]) -> Standing:
        """One slot, by the rules of its stances."""
        if not mine:
            return Standing(Status.UNASSERTED, trust)
        reasoned = [r for r in mine if self.rules[r].body]
        if not reasoned:
            return Standing(Status.AXIOM, trust)
        reached = [min([grades[node] for node in self.rules[r].body]) for r in reasoned]
        best = max(reached)
        if best != OUT:
            best_routes = [self.justifications[r] for r, grade in zip(reasoned, reached, strict=True) if grade == best]
            route = _sorted(best_routes[0]) if len(best_routes) == 1 else min(map(_sorted, best_routes))
            return Standing(Status.FOUNDED, trust, route)
        if len(reasoned) < len(mine):
            return Standing(Status.FOUNDED, trust)
        unmet = {p for r in reasoned for p in self.justifications[r] if grades[self._node(p)] == OUT}
        return Standing(Status.RETRACTED, trust, unmet=_sorted(unmet))


def _sorted(premises: Iterable[Premise]) -> tuple[Premise, ...]:
    return tuple(sorted(premises, key=Premise.order))


_SIMPLY_SAID: tuple[Justification, ...] = (frozenset(),)
_TRUST: dict[int, Trust | None] = {OUT: None, **{int(trust): trust for trust in Trust}}
_TOP = int(max(Trust))
