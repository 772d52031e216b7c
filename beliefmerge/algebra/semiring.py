"""Semiring provenance over a derivation hypergraph, by least fixpoint (Green, Karvounarakis & Tannen, 2007).

One `Graph`, several readings. `grade` serves every totally ordered semiring whose times is min (Boolean, trust): rules
fire once, in order of falling grade, which is Knuth's (1977) generalisation of Dijkstra's algorithm and, for two
grades, linear-time Horn inference (Dowling & Gallier, 1984). A cycle without outside support never fires: it is out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import NamedTuple, TypeAlias

OUT = -1
"""The grade of what has no derivation."""


class Rule(NamedTuple):
    """`body` together support `head`, at most at grade `ceiling` (>= 0). An empty body always holds."""

    head: int
    body: tuple[int, ...] = ()
    ceiling: int = 0


@dataclass(frozen=True, slots=True)
class Graph:
    """Nodes 0..size-1 and the rules among them."""

    size: int
    rules: Sequence[Rule]


def grade(graph: Graph) -> list[int]:
    """Per node, max over its rules of min(ceiling, grades of the body); OUT where no rule fires.

    Linear in nodes, rules and premises, but for sorting the grades there are (three, for trust). With all ceilings
    0 this is Boolean: 0 is IN, OUT is out.
    """
    rules = graph.rules
    waiting = [0] * len(rules)
    users: list[list[int] | None] = [None] * graph.size
    queues: dict[int, list[int]] = {}
    for r, (head, body, ceiling) in enumerate(rules):
        if not body:
            queues.setdefault(ceiling, []).append(head)
            continue
        distinct = body if len(body) == 1 or (len(body) == 2 and body[0] != body[1]) else set(body)
        waiting[r] = len(distinct)
        for node in distinct:
            using = users[node]
            if using is None:
                users[node] = [r]
            else:
                using.append(r)
        if ceiling not in queues:
            queues[ceiling] = []
    grades = [OUT] * graph.size
    for grade in sorted(queues, reverse=True):
        queue = queues[grade]
        while queue:
            node = queue.pop()
            if grades[node] != OUT:
                continue
            grades[node] = grade
            for r in users[node] or ():
                waiting[r] -= 1
                if not waiting[r]:
                    head, _, ceiling = rules[r]
                    if grades[head] == OUT:
                        queues[min(ceiling, grade)].append(head)
    return grades


Why: TypeAlias = frozenset[int]
"""A set of rules without a body that together derive a node."""


def why(graph: Graph, *, limit: int = 16) -> tuple[list[tuple[Why, ...]], bool]:
    """Why-provenance: per node its minimal sets of axiom rules (indices), smallest first, at most `limit` of them.

    The number of minimal sets can be exponential, so each step keeps the `limit` least; the flag says whether any were
    left out. The sets found only improve, in a finite order, so the iteration ends.
    """
    found: list[tuple[Why, ...]] = [()] * graph.size
    cut = False
    changed = True
    while changed:
        changed = False
        for r, rule in enumerate(graph.rules):
            new, shortened = (
                _combine([found[node] for node in rule.body], limit) if rule.body else ((frozenset({r}),), False)
            )
            kept, dropped = _least([*found[rule.head], *new], limit)
            cut = cut or dropped or shortened
            if kept != found[rule.head]:
                found[rule.head], changed = kept, True
    return found, cut


def _combine(bodies: Sequence[tuple[Why, ...]], limit: int) -> tuple[tuple[Why, ...], bool]:
    together: tuple[Why, ...] = (frozenset(),)
    cut = False
    for body in bodies:
        together, dropped = _least([a | b for a in together for b in body], limit)
        cut = cut or dropped
    return together, cut


def _least(sets: Sequence[Why], limit: int) -> tuple[tuple[Why, ...], bool]:
    minimal: list[Why] = []
    for candidate in sorted(set(sets), key=lambda s: (len(s), sorted(s))):
        if not any(smaller <= candidate for smaller in minimal):
            minimal.append(candidate)
    return tuple(minimal[:limit]), len(minimal) > limit


def routes(graph: Graph) -> list[int | None]:
    """Per node, its number of derivation trees; None in and behind cycles, where it may be infinite."""
    by_head: list[list[Rule]] = [[] for _ in range(graph.size)]
    users: list[list[int]] = [[] for _ in range(graph.size)]
    for rule in graph.rules:
        by_head[rule.head].append(rule)
        for node in rule.body:
            users[node].append(rule.head)
    waiting = [sum(len(rule.body) for rule in rules) for rules in by_head]
    ready = [node for node in range(graph.size) if not waiting[node]]
    counts: list[int | None] = [None] * graph.size
    while ready:
        node = ready.pop()
        counts[node] = sum(prod(counts[b] or 0 for b in rule.body) for rule in by_head[node])
        for user in users[node]:
            waiting[user] -= 1
            if not waiting[user]:
                ready.append(user)
    return counts
