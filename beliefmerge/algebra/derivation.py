"""Derivation: what stands, what falls with its premises, and on whose authority.

Nodes are (key, value) pairs. A premise holds when its slot is decided for that value and the value is itself IN; an
opinion gives one rule per justification, capped by its own trust. One least fixpoint over max-min trust answers both
questions: what has no grade is retracted, what has one has that effective trust.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from operator import itemgetter
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


class Ground(NamedTuple):
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
        nodes = Nodes(stands)
        return nodes.standings(grade(Graph(nodes.size, nodes.rules)))


_FALSITY = 0
"""The node of a premise that no slot holds."""


class Nodes:
    """A node for each stance of each slot, numbered in the order of the slots, and the rules over them.

    `rules` come in the order of their heads, `justifications` runs parallel to them, and the rules of a slot are
    ``rules[ends[i - 1]:ends[i]]``. A premise that names no value gets a node of its own when it first occurs, which any
    value of its slot but "no" derives; its rules come last.
    """

    def __init__(self, stands: Mapping[str, Stand]) -> None:
        self.rules: list[Rule] = []
        self.justifications: list[Justification] = []
        self.ends: list[int] = []
        self._stands = stands
        self._cited: dict[Premise, int] = {}
        self._unnamed: list[Rule] = []
        head = _FALSITY
        for key, stand in stands.items():
            for stance in stand.grounds:
                head += 1
                if not stance.denied and stance in stand.holding:
                    self._cited[Premise(key, stance.value)] = head
        self.size = head + 1
        self._add_rules()

    def _add_rules(self) -> None:
        rules, justifications, node, cited = self.rules, self.justifications, self._node, self._cited.get
        head = _FALSITY
        for stand in self._stands.values():
            for grounds in stand.grounds.values():
                head += 1
                for trust, alternatives in grounds:
                    for justification in alternatives or _SIMPLY_SAID:
                        body = tuple([cited(premise) or node(premise) for premise in justification])
                        rules.append(Rule(head, body, trust))
                        justifications.append(justification)
            self.ends.append(len(rules))
        rules += self._unnamed

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
                self._unnamed.append(Rule(node, (self._cited[Premise(premise.key, stance.value)],), _TOP))
        return node

    def standings(self, grades: Sequence[int]) -> dict[str, Standing]:
        """What the grades say of each slot."""
        out = {}
        head, start = _FALSITY, 0
        for (key, stand), end in zip(self._stands.items(), self.ends, strict=True):
            trust: dict[Stance, Trust | None] = {}
            for stance in stand.grounds:
                head += 1
                trust[stance] = _TRUST[grades[head]]
            out[key] = self._standing(start, end, trust, grades)
            start = end
        return out

    def _standing(self, start: int, end: int, trust: dict[Stance, Trust | None], grades: Sequence[int]) -> Standing:
        """One slot, by its rules ``rules[start:end]``."""
        best, routes, said, told = OUT, [], False, start < end
        for r in range(start, end):
            body = self.rules[r][1]
            if not body:
                said = True
                continue
            told = False
            reached = grades[body[0]] if len(body) == 1 else min([grades[node] for node in body])
            if reached > best:
                best, routes = reached, [self.justifications[r]]
            elif reached == best != OUT:
                routes.append(self.justifications[r])
        if not trust or start == end:
            return Standing(Status.UNASSERTED, trust)
        if told:
            return Standing(Status.AXIOM, trust)
        if routes:
            route = _sorted(routes[0]) if len(routes) == 1 else min(map(_sorted, routes))
            return Standing(Status.FOUNDED, trust, route)
        if said:
            return Standing(Status.FOUNDED, trust)
        unmet = {p for j in self.justifications[start:end] for p in j if grades[self._node(p)] == OUT}
        return Standing(Status.RETRACTED, trust, unmet=_sorted(unmet))


def _sorted(premises: Collection[Premise]) -> tuple[Premise, ...]:
    """By `Premise.order`; by the key alone, which is quicker, where no two premises share one."""
    if len(premises) > 1 and len({premise.key for premise in premises}) < len(premises):
        return tuple(sorted(premises, key=Premise.order))
    return tuple(sorted(premises, key=_KEY))


_KEY = itemgetter(0)
_SIMPLY_SAID: tuple[Justification, ...] = (frozenset(),)
_TRUST: dict[int, Trust | None] = {OUT: None, **{int(trust): trust for trust in Trust}}
_TOP = int(max(Trust))
