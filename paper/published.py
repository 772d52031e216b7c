"""What is in `results/published`, read and checked against each experiment's manifest."""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from beliefmerge.errors import UsageError, unknown
from experiment.manifest import MANIFEST, read_manifest
from experiment.results import checkout
from experiment.tables import Row, names_of, read_parquet

RUN = "run"
"""The column that says which run a row is of."""


@dataclass(frozen=True)
class Table:
    """One published table: ``experiment/name``, its rows in order, and the SHA-256 of its file."""

    experiment: str
    name: str
    rows: Sequence[Row]
    sha256: str

    @property
    def reference(self) -> str:
        """``experiment/name``, as a stage declares it."""
        return f"{self.experiment}/{self.name}"

    @property
    def file(self) -> str:
        """Its file, as it is called in the paper."""
        return f"results/published/{self.reference}.parquet"

    @functools.cached_property
    def columns(self) -> list[str]:
        """The names of its columns."""
        return names_of(self.rows)

    def runs(self, rows: Sequence[Row]) -> list[str]:
        """The runs that `rows` are of, in order, once each; none where the table does not say."""
        return list(dict.fromkeys(row[RUN] for row in rows if row.get(RUN) is not None))


class Published:
    """The published experiments in a directory, each file read once.

    A file that is not what its manifest says is refused, unless `allow_changed`; `changed` lists those that were read.
    """

    def __init__(self, directory: Path, *, allow_changed: bool = False) -> None:
        self.directory, self.allow_changed = directory, allow_changed
        self.changed: list[str] = []
        self._tables: dict[str, Table] = {}
        self._manifests: dict[str, Mapping[str, Any]] = {}

    def experiments(self) -> list[str]:
        """The names of the experiments that are published."""
        return sorted(path.parent.name for path in self.directory.glob(f"*/{MANIFEST}"))

    def manifest(self, experiment: str) -> Mapping[str, Any]:
        """The manifest of `experiment`. Raises UsageError when there is none or it cannot be read."""
        if experiment not in self._manifests:
            if experiment not in self.experiments():
                raise unknown("experiment", experiment, self.experiments())
            self._manifests[experiment] = read_manifest(self.directory / experiment)
        return self._manifests[experiment]

    def table(self, reference: str) -> Table:
        """The table ``experiment/name``. Raises UsageError when it is unknown or not what the manifest says."""
        if reference not in self._tables:
            self._tables[reference] = self._read(reference)
        return self._tables[reference]

    def _read(self, reference: str) -> Table:
        experiment, _, name = reference.partition("/")
        files = self.manifest(experiment).get("files", {})
        if f"{name}.parquet" not in files:
            known = [file.removesuffix(".parquet") for file in files if file.endswith(".parquet")]
            raise unknown(f"table of {experiment}", name, known)
        path = self.directory / experiment / f"{name}.parquet"
        try:
            sha256 = hashlib.sha256(path.read_bytes()).hexdigest()
            if sha256 != files[f"{name}.parquet"]:
                self._mismatch(f"results/published/{reference}.parquet")
            return Table(experiment, name, read_parquet(path), sha256)
        except (OSError, ValueError) as error:
            raise UsageError(f"results/published/{reference}.parquet: cannot be read: {error}") from error

    def _mismatch(self, file: str) -> None:
        if not self.allow_changed:
            raise UsageError(f"{file} is not what its manifest says (its SHA-256 differs); --allow-changed reads it")
        self.changed.append(file)


def root() -> Path:
    """The checkout's root. Raises UsageError outside of one: the paper's sources are not in the package."""
    found = checkout()
    if found is None:
        raise UsageError("the paper is built in a checkout of the sources, and this is none")
    return found


def default_directory() -> Path:
    """`results/published` of the checkout."""
    return root() / "results" / "published"
