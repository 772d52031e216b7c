"""``python -m mergebench.throughput``: jobs a second of a sweep against its workers. ``--help`` explains."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from experiment import intervals, tables
from experiment.entry import conf_dir, main
from experiment.groups import TRACKING, TrackingConfig
from experiment.launchers import check_launcher
from experiment.progress import Bar
from experiment.run import Experiment, Result
from experiment.schema import option
from experiment.sweep import DONE, SKIPPED
from experiment.tables import Column, Row

LAUNCHER = "cores"
_EVERY_COUNT_UP_TO = 4


@dataclass
class ThroughputConfig:
    """One measurement of throughput."""

    workers: int = option(0, "most workers; 0: twice the cores", least=0, most=1024)
    jobs: int = option(16, "jobs of the sweep, all of one size", least=2, most=10_000)
    seeds: int = option(20, "scenarios of a job: 20 take about a second", least=1, most=10_000)
    repeats: int = option(5, "times that each number of workers is measured", least=1, most=1000)
    results_dir: str = option("", "where runs are recorded")
    tracking: TrackingConfig = field(
        default_factory=lambda: TrackingConfig("mlflow"), metadata={"help": "index of runs, written after the table"}
    )
    resume: bool = option(True, "in a sweep, use the stored rows of jobs that are on record")


def cores() -> int:
    """Processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def counts(most: int, cpus: int) -> list[int]:
    """Numbers of workers to measure: each up to four, then doubling, and the cores and `most` themselves."""
    doubling = [2**i for i in range(most.bit_length())]
    return sorted({n for n in (*range(1, _EVERY_COUNT_UP_TO + 1), *doubling, cpus, most) if n <= most})


def run(config: ThroughputConfig) -> Result:
    """Every number of workers in every repeat, forwards and backwards in turn so that drift falls on all of them."""
    check_launcher(LAUNCHER, conf_dir())
    cpus = cores()
    order = counts(config.workers or 2 * cpus, cpus)
    seconds: dict[int, list[float]] = {count: [] for count in order}
    resumed: list[float] = []
    with Bar(config.repeats * (len(order) + 1), "sweep", delay=0) as bar:
        for repeat in range(config.repeats):
            for count in order if repeat % 2 == 0 else reversed(order):
                with tempfile.TemporaryDirectory(prefix="throughput-") as place:
                    seconds[count].append(swept(config, count, Path(place), DONE))
                    bar.step()
                    if count == order[-1]:
                        resumed.append(swept(config, count, Path(place), SKIPPED))
                        bar.step()
    rows = rows_of(config.jobs, cpus, seconds, resumed)
    return Result(rows, columns(), _notes(config))


def swept(config: ThroughputConfig, workers: int, results: Path, status: str) -> float:
    """Seconds of one sweep, from its command's start to its end. Raises RuntimeError unless all jobs are `status`."""
    jobs = ["arm=heuristic", f"scenario.seeds={config.seeds}", f"seed=range(0,{config.jobs})"]
    launched = [f"hydra/launcher={LAUNCHER}", f"hydra.launcher.n_jobs={workers}"]
    words = [sys.executable, "-m", "mergebench", "-m", *jobs, *launched, f"results_dir={results}", "tracking=none"]
    before = set(results.glob("sweeps/*"))
    begun = time.perf_counter()
    done = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    taken = time.perf_counter() - begun
    if done.returncode:
        raise RuntimeError(f"the sweep with {workers} workers ended with code {done.returncode}: {done.stderr.strip()}")
    (directory,) = set(results.glob("sweeps/*")) - before
    found = [job["status"] for job in json.loads((directory / "jobs.json").read_text(encoding="utf-8"))]
    if found != [status] * config.jobs:
        raise RuntimeError(f"of {config.jobs} jobs {found.count(status)} are {status}: did the code change meanwhile?")
    return taken


def rows_of(jobs: int, cpus: int, seconds: Mapping[int, Sequence[float]], resumed: Sequence[float]) -> list[Row]:
    """A row for each number of workers, and one for the sweep whose jobs are all on record.

    `seconds` and `resumed` hold one sweep a repeat. The speedup is over one worker, paired within the repeat.
    """
    rows = []
    for workers, each in seconds.items():
        speedup = intervals.t([one / many for one, many in zip(seconds[1], each, strict=True)])
        rows.append(_row(jobs, cpus, workers, each) | _limits("speedup", speedup) | {"ideal": min(workers, cpus)})
    again = _row(jobs, cpus, max(seconds), resumed) | _limits("speedup", None) | {"ideal": None}
    return [{**row, "resumed": row is again} for row in (*rows, again)]


def _row(jobs: int, cpus: int, workers: int, seconds: Sequence[float]) -> dict[str, float | None]:
    rate = intervals.t([jobs / each for each in seconds])
    about = {"workers": workers, "jobs": jobs, "repeats": len(seconds), "cpus": cpus}
    return {**about, **_limits("jobs_per_second", rate)}


def _limits(name: str, found: intervals.Interval | None) -> dict[str, float | None]:
    if found is None:
        return dict.fromkeys((name, f"{name}_low", f"{name}_high"))
    low = None if found.low is None else max(0.0, found.low)
    return {name: found.mean, f"{name}_low": low, f"{name}_high": found.high}


def columns() -> list[Column]:
    """The table."""
    return [
        *(tables.number(name) for name in ("workers", "jobs", "repeats", "cpus")),
        tables.number("jobs_per_second", "jobs/s", digits=2, limits=True),
        tables.number("speedup", digits=2, limits=True),
        tables.number("ideal"),
        tables.named("resumed"),
    ]


def _notes(config: ThroughputConfig) -> list[str]:
    return [
        f"one sweep of {config.jobs} equal jobs, from the start of its command to its end [95 % interval, Student's t "
        f"over {config.repeats} interleaved repeats]; speedup paired within the repeat",
        "one worker is the command itself; more are processes, whose start is counted; resumed: all jobs on record",
    ]


EXPERIMENT = Experiment(
    name="mergebench_throughput",
    schema=ThroughputConfig,
    run=run,
    columns=columns,
    packages=("beliefmerge", "experiment", "mergebench"),
    groups={"tracking": lambda: TRACKING},
    label=lambda config: f"{config.workers or 2 * cores()}x{config.jobs}",
    summary="Throughput: jobs a second of a sweep against its workers, and of one whose jobs are all on record.",
    examples=("", "workers=2 jobs=4 seeds=2 repeats=2 tracking=none"),
    module="mergebench.throughput",
    title="Sweep throughput",
    headline=lambda config: {"jobs": "jobs", "seeds": "seeds", "repeats": "repeats"},
)

if __name__ == "__main__":
    sys.exit(main(EXPERIMENT))
