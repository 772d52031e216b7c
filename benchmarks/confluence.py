"""The confluence enumerator: the seed space beside its brute force, and the wide and huge spaces within their bars.

Everything is cold: each engine makes its tables anew, and nothing is read from a finished run.
"""

from __future__ import annotations

import resource
import statistics
import time

from benchmarks.measure import Row
from confluence.orbits import symmetric
from confluence.space import SPACES
from confluence.work import Task, Worker, plan

REPRESENTATIONS = ("JOIN", "COUNT", "MAX")
SCORES = ("egalitarian", "elitist")
LIMIT_GB = 4


def tasks(name: str) -> list[Task]:
    """The rows of a named space, spaces that share tables side by side."""
    spaces = sorted(SPACES[name].spaces, key=lambda s: (s.form, s.values, s.levels, s.branches))
    families = dict.fromkeys((s.form, s.values, s.levels) for s in spaces)
    return [
        Task(space, score, representation)
        for family in families
        for score in SCORES
        for representation in (*REPRESENTATIONS, "SCORES")
        for space in spaces
        if (space.form, space.values, space.levels) == family
    ]


def enumerate_(name: str, engine: str) -> tuple[float, dict[int, int]]:
    """Seconds taken, and the failures of each row."""
    rows = tasks(name)
    begun = time.perf_counter()
    worker, failures = Worker(rows, engine), dict.fromkeys(range(len(rows)), 0)
    for block in plan(rows, engine):
        for part in worker.do(block):
            failures[part["task"]] += int(part["failures"])
    return time.perf_counter() - begun, failures


def gigabytes() -> float:
    """The most memory this process has had."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6


def run() -> list[Row]:
    import numpy  # noqa: F401

    times = []
    for _ in range(5):
        symmetric.cache_clear()
        taken, found = enumerate_("seed", "orbits")
        times.append(taken)
    ours = statistics.median(times)
    reference, expected = enumerate_("seed", "reference")
    assert found == expected
    rows = [
        Row("confluence, seed", ours, reference, ">= 500x reference", reference / ours >= 500, "median of 5 cold runs")
    ]
    for name, bar in (("wide", 120), ("huge", 600)):
        taken, _ = enumerate_(name, "orbits")
        used = gigabytes()
        holds = taken < bar and used < LIMIT_GB
        rows.append(Row(f"confluence, {name}", taken, None, f"< {bar} s, < {LIMIT_GB} GB", holds, f"{used:.2f} GB"))
    return rows
