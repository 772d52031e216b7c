"""An MLflow index over recorded runs. Parquet is the truth; this makes it browsable.

One writer at a time: parallel first use corrupts an SQLite store's schema for good (two processes migrate it at once),
so everything MLflow does happens under a file lock, in the process that ran the experiment, after its table is printed.
Each row of a run's `runs.parquet` becomes one MLflow run. A run that is indexed holds `mlflow.json`, so indexing twice
adds nothing.
"""

from __future__ import annotations

import contextlib
import logging
import os
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from experiment.files import write_json
from experiment.record import read_record
from experiment.run import RUNS
from experiment.tables import read_parquet

STORE = "mlflow.db"
INDEXED = "mlflow.json"
LOCK_SECONDS = 600
_BATCH = 100
"""MLflow takes at most 100 parameters or tags and 1,000 metrics a call."""


def store_uri(results: Path) -> str:
    """The tracking address of a results directory's store."""
    return f"sqlite:///{results / STORE}"


def index(results: Path, runs: Iterable[Path]) -> int:
    """Index those of `runs` that are complete and not indexed yet; returns how many that were.

    Raises `filelock.Timeout` when another writer keeps the store for ten minutes.
    """
    from filelock import FileLock

    with FileLock(results / f"{STORE}.lock", timeout=LOCK_SECONDS):
        waiting = [run for run in dict.fromkeys(runs) if not (run / INDEXED).exists() and _complete(run)]
        if not waiting:
            return 0
        with _quiet():
            client = _client(results)
            for run in waiting:
                _index_run(client, results, run)
    return len(waiting)


def _complete(run: Path) -> bool:
    record = read_record(run)
    return record is not None and record.get("status") == "complete"


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


def _client(results: Path) -> Any:
    from mlflow import MlflowClient

    return MlflowClient(tracking_uri=store_uri(results))


def _index_run(client: Any, results: Path, run: Path) -> None:
    record = read_record(run) or {}
    experiment = _experiment_id(client, results, str(record["experiment"]))
    rows = read_parquet(run / f"{RUNS}.parquet")
    indexed = [_index_row(client, experiment, record, run, row, one=len(rows) == 1) for row in rows]
    write_json(run / INDEXED, {"store": store_uri(results), "runs": indexed})


def _experiment_id(client: Any, results: Path, name: str) -> str:
    found = client.get_experiment_by_name(name)
    if found is not None:
        return str(found.experiment_id)
    return str(client.create_experiment(name, artifact_location=(results / "mlflow-artifacts").as_uri()))


def _index_row(
    client: Any, experiment: str, record: Mapping[str, Any], run: Path, row: Mapping[str, Any], *, one: bool
) -> str:
    from mlflow.entities import Metric, Param, RunTag

    started, finished = (int(1000 * float(record[key])) for key in ("started", "finished"))
    words = {key: value for key, value in row.items() if isinstance(value, str)}
    numbers = {key: float(value) for key, value in row.items() if isinstance(value, bool | int | float)}
    name = run.name if one else f"{run.name}:{next(iter(words.values()), '')}"
    created = client.create_run(experiment, start_time=started, run_name=name)
    tags = {
        "run_id": run.name,
        "directory": str(run),
        "config_hash": record["config_hash"],
        "commit": str(record["code"]["commit"]),
        "dirty": str(record["code"]["dirty"]),
    }
    parameters = {**_flat(record["config"]), **words}
    for part in _batches(list(parameters.items())):
        client.log_batch(created.info.run_id, params=[Param(key, str(value)[:6000]) for key, value in part])
    client.log_batch(
        created.info.run_id,
        metrics=[Metric(key, value, finished, 0) for key, value in numbers.items()],
        tags=[RunTag(key, value) for key, value in tags.items()],
    )
    client.set_terminated(created.info.run_id, end_time=finished)
    return str(created.info.run_id)


def _flat(config: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for key, value in config.items():
        if isinstance(value, Mapping):
            flat |= _flat(value, f"{prefix}{key}.")
        else:
            flat[f"{prefix}{key}"] = value
    return flat


def _batches(items: Sequence[tuple[str, Any]]) -> Iterator[Sequence[tuple[str, Any]]]:
    for start in range(0, len(items), _BATCH):
        yield items[start : start + _BATCH]
