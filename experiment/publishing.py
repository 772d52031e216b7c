"""Making a published experiment: its runs, its tables, its manifest."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from beliefmerge.errors import UsageError
from beliefmerge.files import write_atomically
from experiment import tables
from experiment.manifest import MANIFEST, write_manifest
from experiment.progress import Bar
from experiment.published import FOLDER, Part, Published, Run, kept, run_id
from experiment.record import code_version, machine, reported_versions
from experiment.results import checkout
from experiment.run import RUNS

REPLAY = "replay"


@dataclass(frozen=True)
class Work:
    """Where and how runs are made: records in `results`, recorded calls in `calls`, data files in `data`."""

    results: Path
    calls: Path
    mode: str = REPLAY
    """What is done about a model call: `replay` makes none, `auto` makes those that are not on record."""
    data: Path | None = None
    again: bool = False
    """Whether runs are made that are on record."""

    def lacks(self, published: Published) -> str:
        """What is missing to make it; empty where nothing is."""
        if published.needs and (self.data is None or not (self.data / published.needs).is_file()):
            return f"{published.needs} is not {f'in {self.data}' if self.data else 'here (--data DIR)'}"
        return published.lacks()


@dataclass
class Made:
    """What runs gave: rows by table, and the runs themselves by id."""

    tables: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    runs: dict[str, tuple[Part, str, Run]] = field(default_factory=dict)
    files: dict[str, bytes] = field(default_factory=dict)

    def add(self, published: Published, part: Part, arguments: str, run: Run) -> None:
        """Keep what is kept of a run, each row with the run's id first."""
        key = run_id(part, arguments)
        self.runs[key] = (part, arguments, run)
        wanted = {part.rows: RUNS, **{name: name for name in part.tables}}
        for name, own in wanted.items():
            rows = kept(run.tables.get(own, ()), published.left_out)
            self.tables.setdefault(name, []).extend({"run": key, **row} for row in rows)
        for path in (run.directory / name for name in part.files if run.directory is not None):
            if path.is_file():
                self.files[path.name] = path.read_bytes()


def place_of(published: str = "") -> Path:
    """``results/published/<name>`` of the checkout. Raises UsageError outside of one."""
    return sources() / "results" / FOLDER / published


def sources() -> Path:
    """The checkout. Raises UsageError where there is none."""
    root = checkout()
    if root is None:
        raise UsageError("published results belong to a checkout of the sources, and this is none")
    return root


def make(published: Published, planned: Sequence[tuple[Part, str]], work: Work) -> Made:
    """Carry out `planned` runs of `published`, one after the other."""
    made = Made()
    with Bar(len(planned), "run") as bar:
        for part, arguments in planned:
            given = _given(published, arguments, work)
            # A record's key does not know what is in the files that a run reads.
            again = work.again or bool(published.needs or published.after)
            made.add(published, part, arguments, part.source.make(given, work.results, again=again))
            bar.step()
    return made


def _given(published: Published, arguments: str, work: Work) -> list[str]:
    """A run's arguments, with where the data and the recorded calls are."""
    data = str(work.data and work.data / published.needs)
    words = [word.replace("{data}", data).replace("{published}", str(place_of())) for word in arguments.split()]
    return words + (published.calls.arguments(work.mode, work.calls) if published.calls else [])


def write(published: Published, made: Made, directory: Path, work: Work) -> None:
    """Write tables, the shown table and, last, the manifest into `directory`; files of an older version go."""
    directory.mkdir(parents=True, exist_ok=True)
    keep = {f"{name}.parquet" for name in made.tables} | {"table.md", MANIFEST} | made.files.keys()
    for name, rows in made.tables.items():
        tables.write_parquet(directory / f"{name}.parquet", rows)
    for name, content in made.files.items():
        write_atomically(directory / name, content)
    write_atomically(directory / "table.md", shown(published, made))
    if published.calls:
        keep.add(published.calls.pack)
        _pack(directory, work.calls, published.calls.pack)
    for path in directory.iterdir():
        if path.is_file() and path.name not in keep:
            path.unlink()
    write_manifest(directory, facts(published, made))


def shown(published: Published, made: Made) -> str:
    """The tables as a person reads them: one for each part's rows."""
    said = []
    for name in dict.fromkeys(part.rows for part in published.parts):
        columns = next(run.columns for part, _, run in made.runs.values() if part.rows == name)
        said.append(f"## {name}\n\n{tables.markdown(made.tables[name], columns)}")
    return f"# {published.name}\n\n{published.summary}.\n\n" + "\n".join(said)


def _pack(directory: Path, calls: Path, pack: str) -> None:
    """Put what is on record into one file. The same entries give the same bytes."""
    from beliefmerge.llm import cache

    cache.pack(calls, directory / pack)
    for single in directory.glob("[0-9a-f][0-9a-f]"):
        shutil.rmtree(single)


def facts(published: Published, made: Made) -> dict[str, Any]:
    """The manifest of what was made, but for its files."""
    defaults = {part.source.command: _plain(part.source.defaults()) for part in published.parts}
    (code,) = {run.code for _, _, run in made.runs.values()}
    return {
        "experiment": published.name,
        "summary": published.summary,
        "kind": published.kind.value,
        "command": f"python scripts/run_published.py --only {published.name}",
        "defaults": defaults,
        "runs": {key: _run(published, *run, defaults) for key, run in made.runs.items()},
        "code": code_version(code),
        "packages": reported_versions(),
        "machine": machine(),
    }


def _run(
    published: Published, part: Part, arguments: str, run: Run, defaults: Mapping[str, Mapping[str, Any]]
) -> dict[str, Any]:
    """A run for the manifest: the command, and in what its configuration differs from the defaults."""
    given = arguments.replace("{data}", published.needs).replace("{published}", f"results/{FOLDER}")
    if published.calls:
        given += f" {published.calls.mode}={REPLAY} {published.calls.place}=results/{FOLDER}/{published.name}"
    own, usual = _plain(run.config), defaults[part.source.command]
    data = {name: run.facts[name] for name in ("data_sha256",) if name in run.facts}
    return {
        "command": f"python -m {part.source.command} {given}".strip(),
        "experiment": part.source.command,
        "config": {key: value for key, value in own.items() if key not in usual or usual[key] != value},
        "seed": run.config.get("seed"),
        "config_hash": run.config_hash,
        **data,
    }


_OF_THE_PLACE = ("results_dir", "cache_dir", "data", "tracking", "resume")
"""Settings that say where things are, not what is computed."""


def _plain(config: Mapping[str, Any]) -> dict[str, Any]:
    return dict(_flat(config, ""))


def _flat(config: Mapping[str, Any], prefix: str) -> Iterable[tuple[str, Any]]:
    for key, value in config.items():
        if key in _OF_THE_PLACE:
            continue
        if isinstance(value, Mapping):
            yield from _flat(value, f"{prefix}{key}.")
        else:
            yield f"{prefix}{key}", value.replace(f"{sources()}/", "") if isinstance(value, str) else value
