"""Carrying out one configured run: directory, result, table on screen, files, record, tracking, in that order."""

from __future__ import annotations

import contextlib
import dataclasses
import os
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from beliefmerge.errors import BeliefMergeError, UsageError
from beliefmerge.files import write_atomically
from experiment import tables
from experiment.figures import Files
from experiment.record import RunDirectory, config_hash, fingerprint, open_run, read_record, write_record
from experiment.tables import Column, Row

RUNS = "runs"
NOT_HASHED = ("results_dir", "tracking", "resume")
"""Keys of a configuration that do not change a run's rows."""


@dataclass(frozen=True)
class Result:
    """What an experiment found: rows for `runs.parquet`, what of them is shown, further tables by file name."""

    rows: Sequence[Row]
    columns: Sequence[Column]
    notes: Sequence[str] = ()
    tables: Mapping[str, Sequence[Row]] = field(default_factory=dict)
    facts: Mapping[str, Any] = field(default_factory=dict)
    """Anything else that belongs into the record, such as timings."""
    files: Mapping[str, Callable[[], bytes]] = field(default_factory=dict)
    """What else is written beside the tables, such as figures: made only once the table has been shown."""
    exit_code: int = 0
    """What the command ends with once all is on record: not 0 where the result itself is to stop a script."""

    @property
    def text(self) -> str:
        """The table with its notes, as printed."""
        return "\n".join([tables.screen(self.rows, self.columns), *self.notes])


@dataclass(frozen=True)
class Experiment:
    """A command: its name (and configuration file ``conf/<name>.yaml``), schema, work and help."""

    name: str
    schema: type
    run: Callable[[Any], Result]
    columns: Callable[[], Sequence[Column]]
    """Columns of an aggregated table, the settings that tell its rows apart first."""
    packages: tuple[str, ...]
    """Packages whose sources decide the rows."""
    groups: Mapping[str, Callable[[], Sequence[str]]]
    """Configuration groups and the names their registries know."""
    label: Callable[[Any], str]
    """The part of a run id a person reads, of letters, digits and dashes."""
    summary: str
    examples: Sequence[str]
    module: str = ""
    """What ``python -m`` is given, where that is not the name."""
    title: str = ""
    """What people call it, in the index of runs; default: its name in words."""
    headline: Callable[[Mapping[str, Any]], Mapping[str, str]] = lambda config: {}
    """The keys (dotted) that the name of a run always shows, each with its unit, by the run's flat configuration."""
    reads: Callable[[Any], str] = lambda config: ""
    """By a configuration: the digest of the data files that decide its rows, empty where there are none."""
    figures: Callable[[Sequence[Row]], Files] = lambda rows: {}
    """Figures of a sweep, from all of its rows."""

    @property
    def command(self) -> str:
        """What ``python -m`` is given."""
        return self.module or self.name


def hash_of(experiment: Experiment, config: Any) -> str:
    """The configuration hash of a run: what it would compute, from which data, and by what code."""
    hashed = {key: value for key, value in plain(config).items() if key not in NOT_HASHED}
    if read := experiment.reads(config):
        hashed["(data)"] = read
    return config_hash(hashed, fingerprint(*experiment.packages))


def plain(config: Any) -> dict[str, Any]:
    """A configuration object as plain data."""
    return dataclasses.asdict(config)


def carry_out(
    experiment: Experiment,
    config: Any,
    results: Path,
    *,
    show: Callable[[Result], None] | None = None,
    given: Sequence[str] | None = None,
) -> tuple[RunDirectory, Result]:
    """Run, show (before anything is written) and record. Raises what the run raises, and NotRecorded.

    `given` are the run's own words where they are not the process's, as in a sweep. A run that fails leaves a record
    that says so; one that is refused (UsageError) leaves nothing.
    """
    run = open_run(results, experiment.name, experiment.label(config), hash_of(experiment, config))
    begun = time.perf_counter()
    code = fingerprint(*experiment.packages)
    about: dict[str, Any] = {"experiment": experiment.name, "config": plain(config), "code": code}
    words = sys.argv[1:] if given is None else given
    about |= {"command": experiment.command, "argv": [f"python -m {experiment.command}", *words]}
    try:
        result = experiment.run(config)
        computed = time.perf_counter()
        if show is not None:
            show(result)
        with _recording():
            _write(run, result)
    except UsageError:
        run.path.rmdir()
        raise
    except NotRecorded:
        raise
    except Exception as error:
        write_record(run, **about, status="failed", error=one_line(error))
        raise
    timings = {"compute": computed - begun, "write": time.perf_counter() - computed}
    more = {**result.facts, "exit_code": result.exit_code} if result.exit_code else result.facts
    sizes = {RUNS: len(result.rows), **{name: len(rows) for name, rows in result.tables.items()}}
    with _recording():
        write_record(run, **about, status="complete", timings=timings, rows=len(result.rows), tables=sizes, **more)
    return run, result


def _write(run: RunDirectory, result: Result) -> None:
    tables.write_all(run.path, result.rows, result.columns, data=RUNS)
    for name, rows in result.tables.items():
        tables.write_parquet(run.path / f"{name}.parquet", rows)
    for name, make in result.files.items():
        write_atomically(run.path / name, make())


def stored_tables(run: Path) -> dict[str, list[dict[str, Any]]] | None:
    """The tables of a recorded run, or None where one is missing, damaged or of another size than its record says."""
    sizes = (read_record(run) or {}).get("tables")
    try:
        stored = {path.stem: tables.read_parquet(path) for path in sorted(run.glob("*.parquet"))}
    except (OSError, ValueError):
        return None
    return stored if sizes == {name: len(rows) for name, rows in stored.items()} else None


class NotRecorded(BeliefMergeError):
    """The run was carried out, and its directory could not be written; what is in it has no record."""


@contextlib.contextmanager
def _recording() -> Iterator[None]:
    try:
        yield
    except UsageError as error:
        raise NotRecorded(str(error)) from error


def one_line(error: BaseException) -> str:
    """An error as one line: its message, or its class where it has none."""
    text = " ".join(str(error).split())
    return text or type(error).__name__


def say(text: str) -> None:
    """Print to standard output and make it visible at once. A reader that has gone away is no reason to stop."""
    if sys.stdout is None:  # closed by whoever started the command
        return
    try:
        sys.stdout.write(text + "\n")
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
