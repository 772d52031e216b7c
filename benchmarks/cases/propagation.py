"""Retraction and trust over 100,000 slots with 300,000 premises, beside iterating until nothing changes."""

from __future__ import annotations

import random
import statistics
from typing import cast

from beliefmerge.algebra.annotation import Premise
from beliefmerge.algebra.decision import Stance
from beliefmerge.algebra.derivation import Ground, Nodes, Stand, derive
from beliefmerge.algebra.evidence import Trust
from beliefmerge.algebra.semiring import Graph, grade
from benchmarks.suite.benchmark import Benchmark
from benchmarks.suite.measure import agree, in_turn
from benchmarks.suite.row import Row

YES = Stance("yes")
SLOTS, PREMISES = 100_000, 300_000
MOST = 1.0
"""Seconds for the fixpoint."""
PEER = "sweeping all slots until a sweep changes nothing"


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
                        reached, held = min(cast("list[Trust]", [ground.trust, *below])), trust[key]
                        if held is None or reached > held:
                            trust[key], changed = reached, True
    return trust


def run() -> list[Row]:
    """The fixpoint alone, and all of `derive`."""
    graph = stands(SLOTS, PREMISES)
    small = stands(SLOTS // 50, PREMISES // 50)
    agree({key: stand.trust[YES] for key, stand in derive(small).items()}, naive(small), "derivation")
    nodes = Nodes(graph)
    rules = Graph(nodes.size, nodes.rules)
    fixpoint, whole, reference = in_turn(lambda: grade(rules), lambda: derive(graph), lambda: naive(graph))
    size = f"{SLOTS:,} slots, {PREMISES:,} edges"
    holds = statistics.median(fixpoint) < MOST
    return [
        Row(f"propagation, {size}", fixpoint, reference, PEER, f"< {MOST} s", holds, "the fixpoint: status and trust"),
        Row(
            f"derivation, {size}",
            whole,
            reference,
            PEER,
            note="and building the graph, and a reason for every slot, which the reference does not",
        ),
    ]


BENCHMARK = Benchmark("Retraction and trust over a derivation graph, beside sweeping until nothing changes", run)
