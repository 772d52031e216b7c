"""What of a recorded run, or of a published experiment, goes into the index: names, settings, numbers, files.

Nothing here knows of MLflow's store; `experiment.tracking` writes what this reads.
"""

from __future__ import annotations

import math
import re
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from beliefmerge.errors import BeliefMergeError
from experiment import naming
from experiment.manifest import MANIFEST, read_manifest
from experiment.record import RECORD, read_record
from experiment.run import RUNS
from experiment.tables import Row, read_parquet

INDEXED = "mlflow.json"
"""The file that marks a run's directory as indexed."""
PUBLISHED_TITLE = "Published results"
_RUN_ID = re.compile(r"\d{8}-\d{6}-.")
_MOST_NOTE = 8_000
"""Characters of a description; MLflow refuses longer tags."""


class NotIndexed(BeliefMergeError):
    """A directory that cannot be put into the index; the message says which and why."""


class CutShort(NotIndexed):
    """A run without a record: it is running still, or was killed."""


@dataclass(frozen=True)
class Entry:
    """One run of the index."""

    name: str
    params: Mapping[str, str]
    metrics: Mapping[str, float]
    tags: Mapping[str, str]


@dataclass(frozen=True)
class Family:
    """What is indexed of one directory: a parent, a child for each row where there are several, and the files."""

    directory: Path
    title: str
    parent: Entry
    children: Sequence[Entry]
    files: Sequence[Path]
    started: float
    finished: float
    """Seconds since the epoch."""


@dataclass
class _Numbers:
    """A row's numbers, those that are none (NaN, infinite) apart."""

    finite: dict[str, float] = field(default_factory=dict)
    other: dict[str, float] = field(default_factory=dict)

    def add(self, key: str, value: float) -> None:
        number = float(value)
        (self.finite if math.isfinite(number) else self.other)[_key(key)] = number

    @property
    def tags(self) -> dict[str, str]:
        return {"not_finite": ", ".join(f"{key}={value}" for key, value in self.other.items())} if self.other else {}


def runs_in(results: Path) -> list[Path]:
    """Every run's directory in `results`, by name, which is by time."""
    return sorted(path for path in results.iterdir() if path.is_dir() and _RUN_ID.match(path.name))


def published_in(directory: Path) -> list[Path]:
    """Every published experiment below `directory`."""
    return sorted(path.parent for path in directory.glob(f"*/{MANIFEST}"))


def is_complete(run: Path) -> bool:
    """Whether the run is on record as complete; a failed one has no rows."""
    record = read_record(run)
    return record is not None and record.get("status") == "complete"


def of_run(run: Path) -> Family | None:
    """A recorded run; None for one that failed. Raises CutShort or NotIndexed."""
    if not (run / RECORD).exists():
        raise CutShort(f"{run.name}: no {RECORD}, so it was cut short or is running")
    record = read_record(run)
    if record is None:
        raise NotIndexed(f"{run.name}: {RECORD} cannot be read")
    if record.get("status") != "complete":
        return None
    try:
        return _of_record(run, record, _rows(run))
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise NotIndexed(f"{run.name}: {RECORD} lacks or garbles {error}") from error


def _rows(directory: Path) -> list[dict[str, Any]]:
    try:
        return read_parquet(directory / f"{RUNS}.parquet")
    except (OSError, ValueError) as error:
        cause = " ".join(str(error).split())
        raise NotIndexed(f"{directory.name}: {RUNS}.parquet cannot be read: {cause}") from error


def _of_record(run: Path, record: Mapping[str, Any], rows: Sequence[Row]) -> Family:
    name, config, code = str(record["experiment"]), record["config"], record["code"]
    command = str(record.get("command") or name.replace("_", "."))
    experiment = naming.experiment_of(command)
    called = naming.settings_of(config, experiment)
    fallback = run.name[16:].removesuffix(f"-{record['config_hash']}")
    words = [str(word) for word in record["argv"][1:]]
    tags = {
        "run_id": run.name,
        "directory": str(run),
        "config_hash": str(record["config_hash"]),
        "commit": str(code["commit"]),
        "dirty": str(code["dirty"]),
        "fingerprint": str(code["fingerprint"]),
        "command": f"python -m {command} {shlex.join(words)}".strip(),
    }
    params = {_key(key): _text(value) for key, value in naming.decisive(config).items()}
    parent_name = naming.joined([setting.shown for setting in called]) or fallback
    children = _row_entries(rows, called or [naming.Setting("", fallback)], params, tags)
    timings = {f"timings.{key}": float(value) for key, value in record.get("timings", {}).items() if _is_number(value)}
    about = {"rows": float(len(rows)), **timings}
    return Family(
        directory=run,
        title=naming.title_of(name, experiment),
        parent=_parent(parent_name, params, about, {**tags, **_note(run)}, children),
        children=children if len(children) > 1 else [],
        files=_files(run),
        started=float(record["started"]),
        finished=float(record["finished"]),
    )


def _parent(
    name: str, params: Mapping[str, str], about: Mapping[str, float], tags: Mapping[str, str], rows: Sequence[Entry]
) -> Entry:
    """The run itself. One row alone needs no child: its numbers are the run's."""
    if len(rows) != 1:
        return Entry(name, params, about, {**tags, "level": "run"})
    (row,) = rows
    return Entry(row.name, row.params, {**row.metrics, **about}, {**row.tags, **tags, "level": "run"})


def _row_entries(
    rows: Sequence[Row], called: Sequence[naming.Setting], params: Mapping[str, str], tags: Mapping[str, str]
) -> list[Entry]:
    fixed = _settings_in(rows, params)
    entries = []
    for name, row in zip(naming.row_names(rows, called), rows, strict=True):
        numbers, own = _Numbers(), dict(params)
        for key, value in row.items():
            if isinstance(value, str) or key in fixed:
                own[_key(key)] = _text(value)
            elif _is_number(value):
                numbers.add(key, value)
        entries.append(Entry(name, own, numbers.finite, {**tags, **numbers.tags, "level": "row"}))
    return entries


def _settings_in(rows: Sequence[Row], params: Mapping[str, str]) -> set[str]:
    """Columns that repeat a setting of the run in every row: they are parameters, not results."""
    by_word = {key.rsplit(".", 1)[-1]: value for key, value in params.items()}
    return {
        name
        for name in (rows[0] if rows else {})
        if name in by_word and all(row.get(name) is not None and _text(row[name]) == by_word[name] for row in rows)
    }


def of_published(directory: Path) -> Family:
    """A published experiment, from its manifest. Raises NotIndexed."""
    try:
        manifest = read_manifest(directory)
        table = directory / f"{RUNS}.parquet"
        rows = _rows(directory) if table.is_file() else []
        return _of_manifest(directory, manifest, rows)
    except NotIndexed:
        raise
    except BeliefMergeError as error:
        raise NotIndexed(f"{directory.name}: {error}") from error
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise NotIndexed(f"{directory.name}: {MANIFEST} lacks or garbles {error}") from error


def _of_manifest(directory: Path, manifest: Mapping[str, Any], rows: Sequence[Row]) -> Family:
    code = manifest.get("code") or {}
    tags = {
        "run_id": f"published/{directory.name}",
        "directory": str(directory),
        "command": str(manifest.get("command", "")),
        "kind": str(manifest.get("kind", "")),
        **{key: str(code[key]) for key in ("commit", "dirty", "fingerprint") if key in code},
        **_note(directory),
    }
    children = []
    for key, run in manifest.get("runs", {}).items():
        own = [{name: value for name, value in row.items() if name != "run"} for row in rows if row.get("run") == key]
        children += _published_rows(manifest, key, run, own, tags)
    written = (directory / MANIFEST).stat().st_mtime
    about = {"rows": float(len(rows)), "runs": float(len(manifest.get("runs", {})))}
    return Family(
        directory=directory,
        title=PUBLISHED_TITLE,
        parent=Entry(directory.name, {}, about, {**tags, "level": "run"}),
        children=children,
        files=_files(directory),
        started=written,
        finished=written,
    )


def _published_rows(
    manifest: Mapping[str, Any], key: str, run: Mapping[str, Any], rows: Sequence[Row], tags: Mapping[str, str]
) -> list[Entry]:
    command = str(run["experiment"])
    experiment = naming.experiment_of(command)
    config = {**manifest.get("defaults", {}).get(command, {}), **run["config"]}
    called = naming.settings_of(config, experiment) or [naming.Setting("", key)]
    params = {_key(name): _text(value) for name, value in naming.decisive(config).items()}
    own = {"run": key, "command": str(run["command"]), "config_hash": str(run["config_hash"])}
    shared = {name: value for name, value in tags.items() if name != "mlflow.note.content"}
    return _row_entries(rows, called, params, {**shared, **own})


def _files(directory: Path) -> list[Path]:
    return sorted(path for path in directory.iterdir() if path.is_file() and _is_artifact(path.name))


def _is_artifact(name: str) -> bool:
    return name != INDEXED and not name.startswith(".")


def _note(directory: Path) -> dict[str, str]:
    """The run's table as the description that MLflow shows, where it is short enough."""
    try:
        text = (directory / "table.md").read_text(encoding="utf-8")
    except (OSError, ValueError):
        return {}
    return {"mlflow.note.content": text} if 0 < len(text) < _MOST_NOTE else {}


def _key(name: str) -> str:
    """A name that MLflow accepts for a parameter or a metric."""
    return re.sub(r"[^\w\-.: ]", "_", name).strip(". ")[:250] or "_"


def _is_number(value: Any) -> bool:
    return isinstance(value, bool | int | float)


def _text(value: Any) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)[:6_000]
