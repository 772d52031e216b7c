"""A cascade over ten thousand claims, beside a sweep over all of them in exact fractions. CPU seconds."""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Iterator, Mapping
from fractions import Fraction

from beliefmerge.ledger.core.cascade import Dependence
from beliefmerge.ledger.core.trust import ONE, PPM
from benchmarks.suite.benchmark import Benchmark
from benchmarks.suite.measure import agree, timed
from benchmarks.suite.row import Row

NODES, LAYERS = 10_000, 40
ROUNDS = 7
MOST = 0.025
"""CPU seconds."""
SEAL = 0

Edges = Mapping[int, Mapping[int, int]]
"""Weights in ppm by child and parent, children in the order of the log."""


def layered(weighted: bool) -> Edges:
    """``NODES`` inferences that rest on one seal through ``LAYERS`` layers."""
    draw, edges = random.Random(2), {}
    width = NODES // LAYERS
    for node in range(1, NODES + 1):
        layer = (node - 1) // width
        parents = [SEAL] if layer == 0 else [1 + (layer - 1) * width + draw.randrange(width) for _ in range(2)]
        edges[node] = {p: draw.randrange(PPM // 2, PPM + 1) if weighted else PPM for p in sorted(set(parents))}
    return edges


def graph_of(edges: Edges, weighted: bool) -> Dependence:
    """The edges as a state keeps them."""
    graph = Dependence()
    for node, parents in edges.items():
        graph.add(node, list(parents))
        for parent, weight in parents.items() if weighted else ():
            graph.weigh(node, parent, weight)
    return graph


def sweep(edges: Edges) -> dict[int, Fraction]:
    """The plain way to find how far a trigger at the seal reaches: the greatest product of weights, claim by claim."""
    path = {SEAL: Fraction(1)}
    for node, parents in edges.items():
        found = [path[parent] * Fraction(weight, PPM) for parent, weight in parents.items() if parent in path]
        if found:
            path[node] = max(found)
    return path


def bounded(graph: Dependence, exact: Mapping[int, Fraction]) -> bool:
    """Whether the bounds of every claim hold its exact value."""
    reach = {node: graph.reach(node)[SEAL] for node in exact}
    return all(low <= exact[node] * ONE <= high for node, (low, high) in reach.items())


def run() -> Iterator[Row]:
    """A cascade along declared edges, and along measured ones."""
    for weighted in (False, True):
        yield _row(weighted)


def _row(weighted: bool) -> Row:
    edges = layered(weighted)
    graph = graph_of(edges, weighted)
    ours, reference = [], []
    for _ in range(ROUNDS):
        ours.append(timed(lambda: graph.fall(SEAL), time.process_time)[0])
        taken, exact = timed(lambda: sweep(edges), time.process_time)
        reference.append(taken)
        agree(bounded(graph, exact), True, "cascade")
        graph.rise(SEAL)
    what, peer = f"ledger cascade, {'measured' if weighted else 'declared'}", "a sweep in exact fractions"
    bar, holds = f"<= {1e3 * MOST:.0f} ms CPU", statistics.median(ours) <= MOST
    return Row(what, tuple(ours), tuple(reference), peer, bar, holds, f"{NODES:,} nodes, {LAYERS} layers")


BENCHMARK = Benchmark("A cascade over ten thousand claims, beside a sweep in exact fractions", run)
