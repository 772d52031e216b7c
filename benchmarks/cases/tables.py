"""Time until a command's table is on the screen, beside an interpreter that imports what reads its configuration."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from statistics import median

from beliefmerge.errors import BeliefMergeError
from benchmarks.suite.benchmark import Benchmark
from benchmarks.suite.row import Row

ROUNDS = 5
PLAIN = "import hydra, omegaconf, numpy; print()"
TABLES = {
    ("mergebench",): 8.0,
    ("mergebench", "arm=concat", "budget=400"): 3.0,
    ("attribution.run",): 5.0,
    ("confluence.enumerate", "space=seed"): 5.0,
}
"""Commands, and how many times as long as the imports each may take."""


def first_word(*arguments: str) -> float:
    """Seconds until ``python <arguments>`` prints; its end is waited for and not counted.

    Raises BeliefMergeError where it prints nothing or fails.
    """
    begun = time.perf_counter()
    with subprocess.Popen([sys.executable, *arguments], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        first = process.stdout.read(1)
        taken = time.perf_counter() - begun
        process.stdout.read()
    if process.returncode or not first:
        raise BeliefMergeError(f"python {' '.join(arguments)} ended with code {process.returncode}")
    return taken


def run() -> list[Row]:
    """One row a command."""
    return [_row(command, most) for command, most in TABLES.items()]


def _row(command: tuple[str, ...], most: float) -> Row:
    with tempfile.TemporaryDirectory() as results:
        ours = ["-m", *command, "tracking=none", f"results_dir={results}"]
        rounds = [(first_word(*ours), first_word("-c", PLAIN)) for _ in range(ROUNDS)]
    shown, plain = zip(*rounds, strict=True)
    ratio = median(shown) / median(plain)
    what, peer = (
        f"python -m {' '.join(command)}, to its table",
        "importing hydra, omegaconf and numpy",
    )
    return Row(what, shown, plain, peer, f"< {most:g} times as long", ratio < most, f"{ratio:.1f} times as long")


BENCHMARK = Benchmark("The first table of a command, beside the imports it cannot do without", run)
