"""Running benchmarks one after the other: none hides the others, and each says how busy the machine was."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from benchmarks.suite.benchmark import CASES
from benchmarks.suite.row import unfinished
from experiment.progress import Bar
from experiment.run import one_line


@dataclass
class Outcome:
    """What a run gave: plain rows, what went wrong and what was left out by benchmark, and its seconds."""

    rows: list[dict[str, Any]] = field(default_factory=list)
    failed: dict[str, str] = field(default_factory=dict)
    left_out: dict[str, str] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict)

    @property
    def broken(self) -> list[str]:
        """Names of the bars that do not hold."""
        return [f"{row['benchmark']}: {row['what']}" for row in self.rows if row["holds"] is False]


def measure(names: Sequence[str]) -> Outcome:
    """Run benchmarks in order, a line for each on standard error. Raises nothing that a benchmark raises."""
    outcome = Outcome()
    with Bar(len(names), "benchmark", delay=0) as bar:
        for name in names:
            bar.step(f"{name}: {_measure_one(name, outcome)}")
    return outcome


def _measure_one(name: str, outcome: Outcome) -> str:
    """Add what a benchmark gives to `outcome`; how it went, in words."""
    begun, load, count = time.perf_counter(), load_average(), len(outcome.rows)
    try:
        benchmark = CASES[name]
        if lacking := benchmark.lacks():
            outcome.left_out[name] = lacking
            return f"left out: {lacking}"
        outcome.rows += (row.plain(name) for row in benchmark.run())
    except Exception as error:
        outcome.failed[name] = f"{type(error).__name__}: {one_line(error)}"
        outcome.rows.append(unfinished(name, outcome.failed[name]))
    made, after = outcome.rows[count:], load_average()
    for row in made:
        row |= {"load_start": load, "load_end": after}
    outcome.seconds[name] = time.perf_counter() - begun
    return f"{'; '.join(_verdicts(name, made, outcome))}, {outcome.seconds[name]:.0f} s"


def _verdicts(name: str, rows: Sequence[dict[str, Any]], outcome: Outcome) -> Iterator[str]:
    if name in outcome.failed:
        yield outcome.failed[name]
    broken = sum(row["holds"] is False for row in rows)
    yield f"{len(rows)} row{'s' * (len(rows) != 1)}" + f", {broken} below the bar" * bool(broken)


def load_average() -> float | None:
    """Processes that wanted a core over the last minute, on average; None where the system does not say."""
    try:
        return os.getloadavg()[0]
    except (AttributeError, OSError):
        return None
