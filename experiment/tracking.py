"""An MLflow index over recorded runs. Parquet is the truth; this makes it browsable.

One writer at a time: parallel first use corrupts an SQLite store's schema for good (two processes migrate it at once),
so everything MLflow does happens under a file lock, in the process that ran the experiment, after its table is printed.
A recorded run becomes one MLflow run with its files as artifacts, and one child for each of its rows where it has
several. `mlflow.json` marks a run as indexed; whether it is, the store decides: indexing twice adds nothing,
and a mark that outlives its store is worth nothing.
"""

from __future__ import annotations

import contextlib
import logging
import os
import shutil
import sqlite3
import time
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from typing import Any

from experiment.entries import INDEXED, CutShort, Entry, Family, NotIndexed, is_complete, of_published, of_run
from experiment.files import write_json
from experiment.progress import Bar

STORE = "mlflow.db"
ARTIFACTS = "mlflow-artifacts"
LOCK_SECONDS = 600
_PARAMS, _METRICS = 100, 900
"""MLflow takes at most 100 parameters a call, and 1,000 of all kinds."""
_KIND = {"mlflow.experimentKind": "custom_model_development"}
"""Which of its two faces MLflow shows: the one with runs, parameters and metrics."""
_UNFINISHED = f".{STORE}.new-"
_SIDECARS = ("-journal", "-wal", "-shm")


def store_uri(store: Path) -> str:
    """The tracking address of a store's file."""
    return f"sqlite:///{store}"


@contextlib.contextmanager
def alone(results: Path, seconds: float = LOCK_SECONDS) -> Iterator[None]:
    """Hold the right to write the store of `results`. Raises `filelock.Timeout` when another keeps it for `seconds`."""
    from filelock import FileLock

    with FileLock(results / f"{STORE}.lock", timeout=seconds):
        yield


def index(results: Path, runs: Iterable[Path]) -> int:
    """Index those of `runs` that are complete and not indexed yet; returns how many that were.

    Raises `filelock.Timeout` when another writer keeps the store for ten minutes.
    """
    with alone(results):
        waiting = [run for run in dict.fromkeys(runs) if is_complete(run)]
        if not waiting:
            return 0
        _make_store(results)
        with _opened(results, results / STORE) as store, Bar(len(waiting), "run") as bar:
            added = 0
            for run in waiting:
                added += _index_run(store, run)
                bar.step()
    return added


@dataclass
class Rebuilt:
    """How much a rebuilt index holds, and how many runs were left out, by why."""

    runs: int = 0
    rows: int = 0
    failed: int = 0
    cut_short: int = 0
    unreadable: int = 0

    def count(self, family: Family | None) -> None:
        """Count a family that is in, or a run that failed."""
        self.failed += family is None
        self.runs += family is not None
        self.rows += max(1, len(family.children)) if family is not None else 0

    def leave_out(self, error: NotIndexed) -> None:
        """Count a run that is not in."""
        self.cut_short += isinstance(error, CutShort)
        self.unreadable += not isinstance(error, CutShort)


def rebuild(results: Path, runs: Sequence[Path], published: Sequence[Path] = ()) -> Rebuilt:
    """Index `runs` and `published` in a new store and put it in the place of the old one. The caller holds the lock.

    Until the new store is whole the old one stays as it is, whatever is wrong with it and wherever this is stopped.
    What is left out is said on standard error.
    """
    unfinished = _unfinished(results)
    rebuilt = Rebuilt()
    written: dict[Path, list[str]] = {}
    with _opened(results, unfinished, durable=False) as store, Bar(len(runs) + len(published), "run") as bar:
        for directory, read in [*((run, of_run) for run in runs), *((path, of_published) for path in published)]:
            try:
                family = read(directory)
                if family is not None:
                    written[directory] = store.write(family)
                rebuilt.count(family)
                bar.step()
            except NotIndexed as error:
                rebuilt.leave_out(error)
                bar.step(f"left out: {error}")
    _swap(unfinished, results / STORE)
    for run in runs:
        if run in written:
            _mark(run, results, written[run])
    _forget_artifacts(results / ARTIFACTS, {key for keys in written.values() for key in keys})
    return rebuilt


def _unfinished(results: Path) -> Path:
    """A name for a store that is being made; what was left of earlier ones is removed."""
    for left in results.glob(f"{_UNFINISHED}*"):
        left.unlink()
    # MLflow remembers the stores it has opened by name: a name is used once.
    return results / f"{_UNFINISHED}{os.getpid()}-{time.monotonic_ns()}"


def _make_store(results: Path) -> None:
    """Make an empty store where there is none, whole or not at all: MLflow cannot go on with half of its tables."""
    if not (results / STORE).exists():
        unfinished = _unfinished(results)
        with _opened(results, unfinished, durable=False):
            pass
        _swap(unfinished, results / STORE)


def _swap(new: Path, old: Path) -> None:
    """Put `new` in the place of `old`. What a killed writer of the old one left must not be taken for the new one's."""
    with contextlib.suppress(sqlite3.Error), contextlib.closing(sqlite3.connect(old)) as connection:
        connection.execute("BEGIN IMMEDIATE")
        connection.rollback()
    for suffix in _SIDECARS:
        old.with_name(old.name + suffix).unlink(missing_ok=True)
    with new.open("rb") as file:
        os.fsync(file.fileno())
    new.replace(old)


def _forget_artifacts(directory: Path, known: set[str]) -> None:
    """Remove the files of runs that no store knows any more."""
    if directory.is_dir():
        for path in directory.iterdir():
            if path.name not in known:
                shutil.rmtree(path, ignore_errors=True)


def _index_run(store: _Store, run: Path) -> bool:
    """Index a complete run unless the store has it, and mark it; whether it was added."""
    found = store.find(run.name)
    family = of_run(run) if found is None else None
    if family is not None:
        _mark(run, store.results, store.write(family))
    elif found is not None and not (run / INDEXED).exists():
        _mark(run, store.results, [found])
    return family is not None


def _mark(run: Path, results: Path, keys: Sequence[str]) -> None:
    write_json(run / INDEXED, {"store": store_uri(results / STORE), "runs": list(keys)})


@contextlib.contextmanager
def _opened(results: Path, path: Path, *, durable: bool = True) -> Iterator[_Store]:
    """The store at `path`, made where there is none; its connections are closed at the end.

    One that is not `durable` is not flushed to the disk at every step, which is most of the time it takes.
    """
    with _quiet():
        from mlflow import MlflowClient

        client = MlflowClient(tracking_uri=store_uri(path))
        engine = client._tracking_client.store.engine
        if not durable:
            _hurry(engine)
        try:
            yield _Store(client, results)
        finally:
            engine.dispose()


def _hurry(engine: Any) -> None:
    from sqlalchemy import event

    def connected(connection: sqlite3.Connection, _: Any) -> None:
        connection.execute("PRAGMA synchronous=OFF")
        connection.execute("PRAGMA journal_mode=MEMORY")

    engine.dispose()
    event.listen(engine, "connect", connected)


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """No telemetry, and none of the migration chatter on standard error."""
    os.environ.setdefault("MLFLOW_DISABLE_TELEMETRY", "true")
    os.environ.setdefault("DO_NOT_TRACK", "true")
    os.environ.setdefault("MLFLOW_LOGGING_LEVEL", "ERROR")
    before = logging.root.manager.disable
    logging.disable(logging.WARNING)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        logging.disable(before)


class _Store:
    """MLflow's store of a results directory, written to in whole families."""

    def __init__(self, client: Any, results: Path) -> None:
        self._client = client
        self.results = results
        self._experiments: dict[str, str] = {}

    def find(self, run_id: str) -> str | None:
        """The MLflow run of a recorded run, or None. One that a killed writer left unfinished is taken out."""
        ids = [each.experiment_id for each in self._client.search_experiments()]
        found = self._client.search_runs(ids, f"tags.run_id = '{run_id}' and tags.level = 'run'") if ids else []
        whole = [run for run in found if run.info.status == "FINISHED"]
        if whole:
            return str(whole[0].info.run_id)
        if found:
            for run in self._client.search_runs(ids, f"tags.run_id = '{run_id}'"):
                self._client.delete_run(run.info.run_id)
        return None

    def write(self, family: Family) -> list[str]:
        """Write a family; its parent is finished last. Returns the MLflow runs, the parent first.

        Raises NotIndexed for what MLflow refuses to hold; then nothing of the family is listed.
        """
        from mlflow.exceptions import MlflowException

        keys: list[str] = []
        try:
            for number, entry in enumerate((family.parent, *family.children)):
                more = {"mlflow.parentRunId": keys[0]} if keys else {}
                # MLflow lists the latest first: this keeps a family together, in the order of its rows.
                keys.append(self._start(family, entry, more, int(1000 * family.started) - number))
            self._keep(keys[0], family.files)
        except MlflowException as error:
            for key in keys:
                self._client.delete_run(key)
            if error.error_code != "INVALID_PARAMETER_VALUE":
                raise
            raise NotIndexed(f"{family.directory.name}: {' '.join(str(error).split())}") from error
        for key in reversed(keys):
            self._client.set_terminated(key, end_time=int(1000 * family.finished))
        return keys

    def _experiment(self, title: str) -> str:
        if title not in self._experiments:
            found = self._client.get_experiment_by_name(title)
            place = (self.results / ARTIFACTS).as_uri()
            made = found.experiment_id if found else self._client.create_experiment(title, place, _KIND)
            self._experiments[title] = str(made)
            self._hide_default()
        return self._experiments[title]

    def _hide_default(self) -> None:
        """MLflow makes an experiment of its own that stays empty."""
        default = self._client.get_experiment_by_name("Default")
        if default is not None and default.lifecycle_stage == "active":
            self._client.delete_experiment(default.experiment_id)

    def _start(self, family: Family, entry: Entry, more: Mapping[str, str], started: int) -> str:
        from mlflow.entities import Metric, Param

        tags = {key: value for key, value in {**entry.tags, **_mlflow_tags(entry.tags), **more}.items() if value}
        experiment = self._experiment(family.title)
        run = self._client.create_run(experiment, start_time=started, run_name=entry.name, tags=tags)
        run_id, when = str(run.info.run_id), int(1000 * family.finished)
        params = [Param(key, value) for key, value in entry.params.items()]
        metrics = [Metric(key, value, when, 0) for key, value in entry.metrics.items()]
        for words, numbers in zip_longest(_batches(params, _PARAMS), _batches(metrics, _METRICS), fillvalue=()):
            self._client.log_batch(run_id, params=words, metrics=numbers)
        return run_id

    def _keep(self, key: str, files: Sequence[Path]) -> None:
        """Put files into the run's artifacts, by a second name of the same file where the file system can."""
        directory = self.results / ARTIFACTS / key / "artifacts"
        directory.mkdir(parents=True)
        for path in files:
            try:
                os.link(path, directory / path.name)
            except OSError:
                shutil.copy2(path, directory / path.name)


def _batches(items: Sequence[Any], size: int) -> Iterator[Sequence[Any]]:
    for start in range(0, len(items), size):
        yield items[start : start + size]


def _mlflow_tags(tags: Mapping[str, str]) -> dict[str, str]:
    """What MLflow's own columns Source and Version show."""
    commit = tags.get("commit", "")
    return {
        "mlflow.source.name": tags.get("command", ""),
        "mlflow.source.type": "LOCAL",
        "mlflow.source.git.commit": commit if commit != "None" else "",
    }
