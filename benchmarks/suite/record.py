"""A run of benchmarks on record, as any experiment's: tables, machine, load, code."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from benchmarks.suite.row import columns
from benchmarks.suite.run import Outcome, load_average, measure
from experiment import tables
from experiment.record import RunDirectory, config_hash, fingerprint, open_run, write_record
from experiment.run import RUNS

NAME = "benchmarks"
PACKAGES = ("attribution", "beliefmerge", "benchmarks", "confluence", "experiment")
"""Packages whose sources decide what is measured."""


def code() -> str:
    """The fingerprint of the sources."""
    return fingerprint(*PACKAGES)


def config_of(names: Sequence[str]) -> dict[str, Any]:
    """The configuration of a run: which benchmarks."""
    return {"benchmarks": " ".join(names)}


def carry_out(
    names: Sequence[str], results: Path, *, label: str, show: Callable[[Outcome], None] = lambda outcome: None
) -> tuple[RunDirectory, Outcome]:
    """Run benchmarks, `show` what they gave, and record it in a new directory of `results`.

    Nothing is taken from an older record: a time is of the machine as it is now.
    """
    config = config_of(names)
    run = open_run(results, NAME, label, config_hash(config, code()))
    load = load_average()
    outcome = measure(names)
    show(outcome)
    if outcome.rows:
        tables.write_all(run.path, outcome.rows, columns(), data=RUNS)
    write_record(
        run,
        experiment=NAME,
        config=config,
        code=code(),
        command=NAME,
        argv=[f"python -m {NAME}", *names],
        status="complete",
        rows=len(outcome.rows),
        timings=outcome.seconds,
        load={"start": load, "end": load_average()},
        failed=outcome.failed,
        left_out=outcome.left_out,
        broken=outcome.broken,
    )
    return run, outcome
