"""Retraction and trust over 100,000 slots with 300,000 premises, beside iterating until nothing changes."""

from __future__ import annotations

import random

from beliefmerge.algebra.annotation import Premise
from beliefmerge.algebra.decision import Stance
from beliefmerge.algebra.derivation import Ground, Nodes, Stand, derive
from beliefmerge.algebra.evidence import Trust
from beliefmerge.algebra.semiring import Graph, grade
from benchmarks.measure import Row, seconds

YES = Stance("yes")


def stands(slots: int, premises: int) -> dict[str, Stand]:
    """A random acyclic graph: the first tenth are axioms, one in fifty of those without support."""
    rng = random.Random(0)
    keys = [f"slot {i}" for i in range(slots)]
    axioms = slots // 10
    each = premises // (slots - axioms)
    out = {}
    for i, key in enumerate(keys):
        trust = Trust(rng.randrange(3))
        routes: tuple[frozenset[Premise], ...] = ()
        if i >= axioms:
            cited = [Premise(keys[rng.randrange(i)], "yes") for _ in range(each)]
            routes = (frozenset(cited[:1]), frozenset(cited[1:]))
        holding = frozenset() if i < axioms and i % 50 == 0 else frozenset({YES})
        out[key] = Stand({YES: [Ground(trust, routes)]}, holding)
    return out


def naive(stands: dict[str, Stand]) -> dict[str, Trust | None]:
    """Reference: sweep all slots, worst order first, until a sweep changes nothing."""
    trust: dict[str, Trust | None] = dict.fromkeys(stands)
    changed = True
    while changed:
        changed = False
        for key, stand in reversed(stands.items()):
            for ground in stand.grounds[YES]:
                for route in ground.justifications or (frozenset(),):
                    below = [trust[p.key] if YES in stands[p.key].holding else None for p in route]
                    if None not in below:
                        reached = min([ground.trust, *below])
                        if trust[key] is None or reached > trust[key]:
                            trust[key], changed = reached, True
    return trust


def run() -> list[Row]:
    graph = stands(100_000, 300_000)
    small = stands(2_000, 6_000)
    assert {k: s.trust[YES] for k, s in derive(small).items()} == naive(small)
    nodes = Nodes(graph)
    rules = Graph(nodes.size, nodes.rules)
    reference = seconds(lambda: naive(graph), repeat=1)
    fixpoint, whole = seconds(lambda: grade(rules)), seconds(lambda: derive(graph))
    size = "100,000 slots, 300,000 edges"
    return [
        Row(f"propagation, {size}", fixpoint, reference, "< 1 s", fixpoint < 1, "the fixpoint: status and trust"),
        Row(f"derivation, {size}", whole, reference, "-", True, "and building the graph, and a reason for every slot"),
    ]
