"""The confluence enumerator beside its brute force: on the seed space, and on what is small enough of larger ones.

Everything is cold: each engine makes its tables anew, and nothing is read from a finished run. The brute force would
take days on the wide space and years on the huge one. The two are compared on the smallest spaces of the first, and on
the second with three branches; what ours takes for the whole stands beside it.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace

from benchmarks.suite.benchmark import Benchmark
from benchmarks.suite.measure import agree, peak_mib
from benchmarks.suite.row import Row, ratio_of
from confluence.orbits import symmetric
from confluence.space import SPACES, Space
from confluence.work import Task, Worker, plan

REPRESENTATIONS = ("JOIN", "COUNT", "MAX", "SCORES")
SCORES = ("egalitarian", "elitist")
LIMIT_GB = 4
PLAIN = "every profile in every order"
TIMES, COLD = 500, 5
"""The seed space's bar, and the cold runs of ours."""
SMALL = 20_000
"""Orders of profiles of a wide space that the brute force goes through, at most."""


def tasks(spaces: Sequence[Space]) -> list[Task]:
    """The rows of some spaces, spaces that share tables side by side."""
    ordered = sorted(spaces, key=lambda s: (s.form, s.values, s.levels, s.branches))
    families = dict.fromkeys((s.form, s.values, s.levels) for s in ordered)
    return [
        Task(space, score, representation)
        for family in families
        for score in SCORES
        for representation in REPRESENTATIONS
        for space in ordered
        if (space.form, space.values, space.levels) == family
    ]


def counted(spaces: Sequence[Space], engine: str) -> tuple[float, dict[int, int]]:
    """Seconds taken, and the failures of each row."""
    symmetric.cache_clear()
    rows = tasks(spaces)
    begun = time.perf_counter()
    worker, failures = Worker(rows, engine), dict.fromkeys(range(len(rows)), 0)
    for block in plan(rows, engine):
        for part in worker.do(block):
            failures[part["task"]] += int(part["failures"])
    return time.perf_counter() - begun, failures


def profiles(spaces: Sequence[Space]) -> int:
    """Profiles of some spaces, each once for every row."""
    return sum(space.total for space in spaces) * len(SCORES) * len(REPRESENTATIONS)


def run() -> Iterator[Row]:
    """The seed, the wide and the huge space."""
    import numpy  # noqa: F401

    seed, wide, huge = (SPACES[name].spaces for name in ("seed", "wide", "huge"))
    cold = [counted(seed, "orbits") for _ in range(COLD)]
    reference, expected = counted(seed, "reference")
    agree(cold[-1][1], expected, "confluence, seed")
    ours = tuple(taken for taken, _ in cold)
    holds, note = ratio_of(ours, (reference,)).value >= TIMES, f"{profiles(seed):,} profiles; {COLD} cold runs"
    yield Row("confluence, seed", ours, (reference,), PLAIN, f">= {TIMES}x reference", holds, note)
    few = [space for space in wide if space.total * math.factorial(space.branches) <= SMALL]
    yield _whole("wide", wide, few, f"its {len(few)} smallest spaces of {len(wide)}", 120)
    yield _whole("huge", huge, [replace(space, branches=3) for space in huge], "the same with three branches", 600)


def _whole(name: str, spaces: Sequence[Space], small: Sequence[Space], which: str, limit: float) -> Row:
    """A row for `spaces`, compared on `small` ones."""
    reference, expected = counted(small, "reference")
    cold = [counted(small, "orbits") for _ in range(COLD)]
    agree(cold[-1][1], expected, f"confluence, {name}, small")
    taken, _ = counted(spaces, "orbits")
    used = peak_mib() * 2**20 / 1e9
    note = f"{profiles(small):,} profiles, whole {profiles(spaces):,}; {used:.2f} GB"
    bar, holds = f"whole < {limit} s, < {LIMIT_GB} GB", taken < limit and used < LIMIT_GB
    ours, peer = tuple(each for each, _ in cold), f"{which}: {PLAIN}"
    return Row(f"confluence, {name}", ours, (reference,), peer, bar, holds, note, whole=(taken,))


BENCHMARK = Benchmark("Counting profiles that fail, beside the brute force", run)
