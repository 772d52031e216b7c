"""Published experiments: which runs make them up, and what of each is kept.

A published experiment is declared in one file, ``<package>/published/<file>.py``, as `PUBLISHED`; its results are small
tables in ``results/published/<name>`` with a manifest. A run is written as it is typed, so that whoever reads the
manifest can repeat it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any, Protocol

from beliefmerge.errors import BeliefMergeError
from beliefmerge.registry import Registry
from experiment.record import find_recorded, fingerprint, read_record
from experiment.run import RUNS, Experiment, carry_out, hash_of, plain, stored_tables
from experiment.tables import Column, Row

FOLDER = "published"
DIGITS = 12
"""Significant digits that are published. The last bits of a sum depend on the processor's vector units."""


class Kind(StrEnum):
    """What of a published result is the same when it is made again."""

    EXACT = "exact"
    """All of it."""
    REPLAYED = "replayed"
    """What follows from recorded model calls; made with new calls it may differ within its intervals."""
    MEASURED = "measured"
    """The settings and the verdicts, not the times."""


@dataclass(frozen=True)
class Run:
    """A run that has been made: its tables by name (rows of the experiment first, as `runs`) and what is on record."""

    tables: Mapping[str, Sequence[Row]]
    columns: Sequence[Column]
    config: Mapping[str, Any]
    config_hash: str
    code: str
    """The fingerprint of the sources that decided the rows."""
    facts: Mapping[str, Any] = field(default_factory=dict)
    directory: Path | None = None
    """Where it is on record."""


class Source(Protocol):
    """What makes runs: an experiment's command, or anything that is given arguments and gives rows."""

    @property
    def command(self) -> str:
        """What ``python -m`` is given."""

    def make(self, arguments: Sequence[str], results: Path, *, again: bool = False) -> Run:
        """Make the run, recorded in `results`; `again`: even where it is on record. Raises what the run raises."""

    def defaults(self) -> Mapping[str, Any]:
        """The configuration where nothing is given."""


@dataclass(frozen=True)
class Recorded:
    """An experiment with records: a run that is on record with the same configuration and code is not repeated."""

    experiment: Experiment

    @property
    def command(self) -> str:
        """What ``python -m`` is given."""
        return self.experiment.command

    def make(self, arguments: Sequence[str], results: Path, *, again: bool = False) -> Run:
        """The run of `arguments`, from its record in `results` if that is whole; else, or `again`, carried out now."""
        from experiment.entry import configured

        config = configured(self.experiment, [*arguments, f"results_dir={results}", "tracking=none"])
        key = hash_of(self.experiment, config)
        directory = None if again else find_recorded(results, self.experiment.name, key)
        stored = stored_tables(directory) if directory is not None else None
        if directory is None or stored is None:
            directory = carry_out(self.experiment, config, results)[0].path
            stored = stored_tables(directory)
        if stored is None:
            raise BeliefMergeError(f"{directory}: what was just recorded cannot be read")
        record = read_record(directory) or {}
        return Run(stored, self.experiment.columns(), plain(config), key, self._code(), record, directory)

    def defaults(self) -> Mapping[str, Any]:
        """The configuration where nothing is given."""
        from experiment.entry import configured

        return plain(configured(self.experiment, ["tracking=none"]))

    def _code(self) -> str:
        return fingerprint(*self.experiment.packages)


@dataclass(frozen=True)
class Part:
    """Runs of one source whose rows share a table."""

    source: Source
    runs: Sequence[str]
    """Arguments of each run, as typed."""
    rows: str = RUNS
    """The table that the runs' own rows go to."""
    tables: Sequence[str] = ()
    """Further tables of the runs that are kept."""
    files: Sequence[str] = ()
    """Other files of theirs that are kept, such as what another experiment takes up."""
    sampled: Callable[[str], bool] = lambda arguments: True
    """Which runs a short check repeats."""


@dataclass(frozen=True)
class Calls:
    """Recorded model calls: the settings that say what is done about them and where they are, and their file."""

    mode: str
    place: str
    pack: str

    def arguments(self, mode: str, directory: Path) -> list[str]:
        """What a run is given beside its own arguments."""
        return [f"{self.mode}={mode}", f"{self.place}={directory}"]


@dataclass(frozen=True)
class Published:
    """A published experiment."""

    name: str
    summary: str
    parts: Sequence[Part]
    kind: Kind = Kind.EXACT
    left_out: Sequence[str] = ("seconds", "peak_mb")
    """Columns that no two runs share."""
    stable: Sequence[str] = ()
    """Of a measured one: the columns that must be the same again."""
    calls: Calls | None = None
    after: str = ""
    """The published experiment whose files its runs read; it is made first."""
    needs: str = ""
    """A data file that is not the project's to publish; ``{data}`` in a run's arguments is where it is, and
    ``{published}`` where the published results are."""
    lacks: Callable[[], str] = lambda: ""
    """What else is missing here to make it, such as a program; empty where nothing is."""

    def planned(self, *, sample: bool = False) -> list[tuple[Part, str]]:
        """Every run with its part; of a sample, those that a short check repeats."""
        return [(part, run) for part in self.parts for run in part.runs if not sample or part.sampled(run)]


def run_id(part: Part, arguments: str) -> str:
    """8 hex digits that name a run in the tables: the same command has the same, whatever the code."""
    return hashlib.blake2b(f"{part.source.command} {arguments}".encode(), digest_size=4).hexdigest()


def find(root: Path) -> dict[str, Published]:
    """Every published experiment declared in the packages below `root`, by name. Raises for one declared twice."""
    found: dict[str, Published] = {}
    for home in sorted(path.parent for path in root.glob(f"*/{FOLDER}/__init__.py")):
        registry: Registry[Published] = Registry("published experiment", f"{home.parent.name}.{FOLDER}", "PUBLISHED")
        for published in (_declared(registry, name) for name in registry):
            if published.name in found:
                raise BeliefMergeError(f"published experiment {published.name!r} is declared twice")
            found[published.name] = published
    return found


def _declared(registry: Registry[Published], name: str) -> Published:
    try:
        return registry[name]
    except (ImportError, AttributeError, SyntaxError) as error:
        raise BeliefMergeError(f"{registry.package}.{name} declares no published experiment: {error}") from error


def kept(rows: Iterable[Row], left_out: Sequence[str]) -> list[dict[str, Any]]:
    """`rows` less the columns `left_out`, numbers to `DIGITS` significant digits."""
    return [{key: _rounded(value) for key, value in row.items() if key not in left_out} for row in rows]


def _rounded(value: Any) -> Any:
    return float(f"{value:.{DIGITS}g}") if isinstance(value, float) else value
