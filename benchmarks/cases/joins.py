"""Annotation joins through the public API, beside joining by a plain dictionary of sets."""

from __future__ import annotations

import statistics
from typing import Any

from beliefmerge.algebra.annotation import Annotation, Assertion
from beliefmerge.algebra.evidence import Evidence, Trust
from beliefmerge.algebra.history import Chain
from benchmarks.suite.benchmark import Benchmark
from benchmarks.suite.measure import agree, in_turn
from benchmarks.suite.row import Row

BRANCHES, SLOTS, EACH = 8, 5_000, 10
PEER = "a dictionary of assertions by all that identifies them"


def branches() -> list[dict[str, Annotation]]:
    """Per branch, an annotation for each slot; half of each branch's assertions are copies of its neighbour's."""
    out = []
    chains = [Chain(f"m{b}.{i}" for i in range(EACH)) for b in range(BRANCHES)]
    own = [
        {
            f"slot {s}": frozenset(
                Assertion(f"v{i % 3}", Evidence.USER_STATED, Trust.EXTERNAL, "user", m, chain.before(m), i, s)
                for i, m in enumerate(chain.messages)
            )
            for s in range(SLOTS)
        }
        for chain in chains
    ]
    for b in range(BRANCHES):
        copied = own[b - 1]
        out.append({key: Annotation(said | frozenset(list(copied[key])[::2])) for key, said in own[b].items()})
    return out


def by_join(parts: list[dict[str, Annotation]]) -> dict[str, Annotation]:
    """The public API: join after join."""
    merged: dict[str, Annotation] = {}
    for part in parts:
        for key, annotation in part.items():
            merged[key] = merged[key].join(annotation) if key in merged else annotation
    return merged


def plainly(parts: list[dict[str, Annotation]]) -> dict[str, dict[tuple[Any, ...], Assertion]]:
    """Reference: a dictionary of assertions by all that identifies them, entry by entry."""
    merged: dict[str, dict[tuple[Any, ...], Assertion]] = {}
    for part in parts:
        for key, annotation in part.items():
            seen = merged.setdefault(key, {})
            for a in annotation:
                seen.setdefault((*a.identity, a.trust, a.speaker, a.history), a)
    return merged


def run() -> list[Row]:
    """One row."""
    parts = branches()
    count = sum(len(annotation) for part in parts for annotation in part.values())
    plain = {key: set(found.values()) for key, found in plainly(parts).items()}
    agree({key: set(found) for key, found in by_join(parts).items()}, plain, "joins")
    ours, reference = in_turn(lambda: by_join(parts), lambda: plainly(parts), rounds=5)
    rate = count / statistics.median(ours)
    note = f"{rate / 1e6:.1f} M/s"
    return [Row("annotation joins", ours, reference, PEER, ">= 1 M assertions/s", rate >= 1e6, note)]


BENCHMARK = Benchmark("Joining annotations, beside a dictionary of assertions", run)
