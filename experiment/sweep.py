"""Sweeps: every job's status on record, failures beside successes, recorded jobs skipped, one table at the end.

Jobs may run in other processes (Hydra's joblib and submitit launchers), so what they report goes through files in the
sweep's directory, one a job; the table is made from them.
"""

from __future__ import annotations

import dataclasses
import json
import time
import traceback
from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import Any

from beliefmerge.errors import BeliefMergeError, UsageError
from beliefmerge.files import write_atomically
from experiment import tables
from experiment.files import write_json
from experiment.record import find_recorded, read_record
from experiment.reserve import reserved
from experiment.run import RUNS, Experiment, carry_out, hash_of, one_line, stored_tables
from experiment.tables import Column, Row

DONE, SKIPPED, FAILED, REFUSED = "done", "recorded", "failed", "refused"


@dataclasses.dataclass(frozen=True, slots=True)
class Job:
    """How one job of a sweep ended. `run` is its run's directory; `error` one line for a failed or refused one."""

    number: int
    overrides: tuple[str, ...]
    status: str
    seconds: float
    run: str | None = None
    error: str | None = None


def do_job(
    experiment: Experiment, make: Any, results: Path, directory: Path, number: int, overrides: Sequence[str]
) -> Job:
    """Carry out one job and write its status. `make` gives the checked configuration, or raises.

    Nothing a job raises leaves it, but for an interrupt: the jobs after it run all the same.
    """
    begun = time.perf_counter()
    status, run, error = DONE, None, None
    try:
        config = make()
        with reserved(results, hash_of(experiment, config)) if config.resume else nullcontext():
            stored = find_recorded(results, experiment.name, hash_of(experiment, config)) if config.resume else None
            if stored is not None and stored_tables(stored) is not None:
                status, run = SKIPPED, stored
            else:
                run = carry_out(experiment, config, results, given=overrides)[0].path
    except UsageError as refusal:
        status, error = REFUSED, one_line(refusal)
    except BeliefMergeError as failure:
        status, error = FAILED, one_line(failure)
    except Exception as failure:
        status, error = FAILED, f"{type(failure).__name__}: {one_line(failure)}"
        write_atomically(directory / f"job-{number:05d}.traceback.txt", traceback.format_exc())
    job = Job(number, tuple(overrides), status, time.perf_counter() - begun, str(run) if run else None, error)
    write_json(directory / f"job-{number:05d}.json", dataclasses.asdict(job))
    return job


def jobs_of(directory: Path) -> list[Job]:
    """Every job that has reported, by number."""
    return [read_job(path) for path in sorted(directory.glob("job-*.json"))]


def read_job(path: Path) -> Job:
    """A job from the file it left."""
    fields = json.loads(path.read_text(encoding="utf-8"))
    return Job(**{**fields, "overrides": tuple(fields["overrides"])})


def rows_of(jobs: Sequence[Job]) -> list[dict[str, Any]]:
    """The aggregated rows: each job's stored rows with its status, one row of its own for a job without any."""
    rows: list[dict[str, Any]] = []
    for job in jobs:
        if job.run is None:
            rows.append({"job": job.number, "status": job.status, **_settings(job), "error": job.error})
        else:
            stored = tables.read_parquet(Path(job.run) / f"{RUNS}.parquet")
            rows.extend({"job": job.number, "status": job.status, **row} for row in stored)
    return rows


def exit_code_of(job: Job) -> int:
    """What the job's run would have ended a command with."""
    record = read_record(Path(job.run)) if job.run else None
    return int(record.get("exit_code", 0)) if record else 0


def _settings(job: Job) -> dict[str, Any]:
    """A job's own overrides, so that its row can be told from others; numbers as numbers."""
    settings: dict[str, Any] = {}
    for override in job.overrides:
        key, _, value = override.partition("=")
        try:
            settings[key.lstrip("+")] = json.loads(value)
        except ValueError:
            settings[key.lstrip("+")] = value
    return {key: value for key, value in settings.items() if isinstance(value, str | int | float)}


def status_columns() -> list[Column]:
    """What an aggregated table shows of the jobs, before the experiment's own columns."""
    return [tables.named("job"), tables.named("status")]


def aggregate(experiment: Experiment, directory: Path) -> tuple[list[Job], list[Row], str]:
    """Jobs, rows and text of a sweep's table; writes `jobs.json`, `table.*` and `sweep.parquet` into its directory."""
    jobs = jobs_of(directory)
    rows: list[Row] = list(rows_of(jobs))
    columns = [*status_columns(), *experiment.columns()]
    text = tables.screen(rows, columns)
    counts = {status: sum(job.status == status for job in jobs) for status in (DONE, SKIPPED, FAILED, REFUSED)}
    said = ", ".join(f"{count} {status}" for status, count in counts.items() if count)
    return jobs, rows, f"{text}\n{len(jobs)} jobs: {said}"


def store(experiment: Experiment, directory: Path, jobs: Sequence[Job], rows: Sequence[Row]) -> None:
    """Write the aggregated table, its figures and `jobs.json` beside the jobs' own files."""
    tables.write_all(directory, _one_type_a_column(rows), [*status_columns(), *experiment.columns()], data="sweep")
    for name, make in experiment.figures([row for row in rows if row.get("status") in (DONE, SKIPPED)]).items():
        write_atomically(directory / name, make())
    write_json(directory / "jobs.json", [dataclasses.asdict(job) for job in jobs])


def _one_type_a_column(rows: Sequence[Row]) -> list[Row]:
    """Rows whose columns hold one type each: a refused job's setting may be a word where others have a number."""
    mixed = set()
    for name in tables.names_of(rows):
        kinds = {str if isinstance(row[name], str) else float for row in rows if row.get(name) is not None}
        if len(kinds) > 1:
            mixed.add(name)
    return [{name: str(v) if name in mixed and v is not None else v for name, v in row.items()} for row in rows]
