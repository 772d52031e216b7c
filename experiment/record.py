"""A run's directory and its record: everything needed to know what was run, by what, and to run it again.

``<results_dir>/<run id>/`` holds the run's tables and, written last, `record.json`. A directory without a record is a
run that was cut short. The run id ends in the hash of configuration and code, so that a recorded run is found by name.
"""

from __future__ import annotations

import functools
import hashlib
import json
import os
import platform
import subprocess
import sys
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from experiment.files import write_json

RECORD = "record.json"
_PACKAGES = Path(__file__).resolve().parents[1]
_REPORTED = (
    "beliefmerge", "datasets", "hydra-core", "mlflow", "numpy", "omegaconf", "openai", "pandas", "pyarrow",
    "scikit-learn", "scipy",
)  # fmt: skip
_MADE = (":(top,exclude)results", ":(top,exclude)paper/built")
"""What runs make, for git."""


@functools.cache
def fingerprint(*packages: str) -> str:
    """12 hex digits over the files of `packages`, data among them: equal ones are equal code, committed or not."""
    digest = hashlib.blake2b(digest_size=6)
    for package in sorted(packages):
        files = (path for path in (_PACKAGES / package).rglob("*") if path.is_file() and path.suffix != ".pyc")
        for source in sorted(files):
            digest.update(str(source.relative_to(_PACKAGES)).encode() + b"\x1f" + source.read_bytes() + b"\x1e")
    return digest.hexdigest()


def config_hash(config: Mapping[str, Any], code: str) -> str:
    """12 hex digits over what decides a run's rows: its configuration (as plain data) and the code's fingerprint."""
    canonical = json.dumps([config, code], sort_keys=True, separators=(",", ":"))
    return hashlib.blake2b(canonical.encode(), digest_size=6).hexdigest()


@dataclass(frozen=True, slots=True)
class RunDirectory:
    """An open run: its directory, and when it began (seconds since the epoch)."""

    path: Path
    hash: str
    started: float

    @property
    def id(self) -> str:
        """The run's id, which is its directory's name."""
        return self.path.name


def open_run(results: Path, experiment: str, label: str, key: str) -> RunDirectory:
    """Make a new directory ``<time>-<experiment>-<label>-<key>[.n]``; runs that start together get one each."""
    started = time.time()
    name = f"{time.strftime('%Y%m%d-%H%M%S', time.localtime(started))}-{experiment}-{label}-{key}"
    for attempt in range(1, 10_000):
        path = results / (name if attempt == 1 else f"{name}.{attempt}")
        try:
            path.mkdir()
        except FileExistsError:
            continue
        return RunDirectory(path, key, started)
    raise FileExistsError(f"no free name for {name}")


def find_recorded(results: Path, experiment: str, key: str) -> Path | None:
    """The newest complete run with this configuration hash, or None."""
    for path in sorted(results.glob(f"*-{experiment}-*-{key}*"), reverse=True):
        record = read_record(path)
        if record is not None and record.get("status") == "complete" and record.get("config_hash") == key:
            return path
    return None


def read_record(run: Path) -> dict[str, Any] | None:
    """The record of a run's directory, or None where it has none that can be read."""
    try:
        record = json.loads((run / RECORD).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return record if isinstance(record, dict) else None


def write_record(run: RunDirectory, *, experiment: str, config: Mapping[str, Any], code: str, **more: Any) -> None:
    """Write `record.json`; `more` holds the status, the timings and what the experiment adds."""
    record = {
        "run_id": run.id,
        "experiment": experiment,
        "config": config,
        "config_hash": run.hash,
        "seed": config.get("seed"),
        "code": code_version(code),
        "packages": reported_versions(),
        "argv": sys.argv,
        "machine": machine(),
        "started": run.started,
        "finished": time.time(),
    }
    write_json(run.path / RECORD, record | more)


def code_version(code: str) -> dict[str, Any]:
    """Version, commit, whether the checkout differs from it, and the sources' fingerprint.

    What runs make is no difference; a new file among the sources, which git does not know yet, is one.
    """
    commit = _git("rev-parse", "HEAD")
    changed = _git("status", "--porcelain", "--untracked-files=no", "--", ":/", *_MADE)
    sources = sorted(path.parent.name for path in _PACKAGES.glob("*/__init__.py"))
    added = _git("ls-files", "--others", "--exclude-standard", "--", *sources, "conf")
    return {
        "version": versions(["beliefmerge"])["beliefmerge"],
        "commit": commit,
        "dirty": None if changed is None else bool(changed or added),
        "fingerprint": code,
    }


def _git(*arguments: str) -> str | None:
    if not (_PACKAGES / ".git").exists():
        return None
    try:
        done = subprocess.run(
            ["git", "-C", str(_PACKAGES), *arguments], capture_output=True, text=True, timeout=10, check=True
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout.strip()


def versions(packages: Iterable[str]) -> dict[str, str | None]:
    """Installed version of each package, None where it is missing."""
    import importlib.metadata

    found: dict[str, str | None] = {}
    for package in packages:
        try:
            found[package] = importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            found[package] = None
    return found


def reported_versions() -> dict[str, str | None]:
    """Installed versions of the packages that a record reports."""
    return versions(_REPORTED)


def machine() -> dict[str, Any]:
    """Interpreter, platform and processor count."""
    return {"python": platform.python_version(), "platform": platform.platform(), "cpus": os.cpu_count()}
