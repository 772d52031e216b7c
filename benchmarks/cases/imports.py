"""``import beliefmerge`` in a fresh interpreter, beside a fresh interpreter that imports nothing."""

from __future__ import annotations

import statistics
import subprocess
import sys
from collections.abc import Callable

from benchmarks.suite.benchmark import Benchmark
from benchmarks.suite.measure import in_turn
from benchmarks.suite.row import Row

MOST = 0.2
"""Seconds that the import may add."""


def _start(code: str) -> Callable[[], object]:
    return lambda: subprocess.run([sys.executable, "-c", code], check=True)


def run() -> list[Row]:
    """One row."""
    loaded, bare = in_turn(_start("import beliefmerge"), _start("pass"), rounds=7)
    more = statistics.median(loaded) - statistics.median(bare)
    peer = "an interpreter that imports nothing"
    return [Row("import beliefmerge", loaded, bare, peer, f"< {MOST} s more", more < MOST, f"+{more:.3f} s")]


BENCHMARK = Benchmark("Importing the library, beside an interpreter that imports nothing", run)
