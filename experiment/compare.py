"""Fresh results against published ones: exact where deterministic, intervals that overlap where models spoke."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from beliefmerge.errors import BeliefMergeError
from experiment.manifest import altered, read_manifest
from experiment.published import Kind, Published, run_id
from experiment.publishing import Made, facts
from experiment.tables import Row, read_parquet

RELATIVE = 1e-9
"""How far floating-point numbers of a deterministic result may be apart: sums are added in another order elsewhere."""
REPLAYED = 0.1
"""The same for numbers without an interval that follow from model calls."""
SHOWN = 5
"""Differences named for one table."""


def differences(published: Published, made: Made, directory: Path) -> list[str]:
    """What of the runs in `made` is not as published in `directory`, a line each; none where all is."""
    found = list(standing(published, directory))
    manifest, fresh = read_manifest(directory), facts(published, made)
    found += [
        f"manifest: {name} is not as made" for name in ("experiment", "kind") if manifest.get(name) != fresh[name]
    ]
    for key, run in fresh["runs"].items():
        was = manifest["runs"].get(key)
        if was is None:
            found.append(f"run {key} ({made.runs[key][1]}) is not published")
        elif wrong := [name for name in _OF_A_RUN if was.get(name) != run.get(name)]:
            found.append(f"manifest, run {key}: {', '.join(wrong)} not as made")
    for name, rows in made.tables.items():
        stored = [row for row in _read(directory / f"{name}.parquet") if row.get("run") in made.runs]
        found += _limited(name, list(_rows(published, stored, rows)))
    return [f"{published.name}: {line}" for line in found]


_OF_A_RUN = ("command", "config", "seed", "experiment")
"""What the manifest says of a run that does not change with the code."""


def standing(published: Published, directory: Path) -> Iterator[str]:
    """What is wrong with what is published as it stands, without making anything: files, runs, whose rows these are."""
    yield from altered(directory)
    planned = {run_id(part, arguments): part for part, arguments in published.planned()}
    said = read_manifest(directory)["runs"]
    yield from (f"run {key} is in the manifest and in no declaration" for key in sorted(said.keys() - planned.keys()))
    yield from (f"run {key} is declared and not published" for key in sorted(planned.keys() - said.keys()))
    for path in sorted(directory.glob("*.parquet")):
        runs = {row.get("run") for row in _read(path)}
        own = {key for key, part in planned.items() if part.rows == path.stem}
        yield from (
            f"{path.stem}: rows of run {run}, which is not declared" for run in sorted(map(str, runs - planned.keys()))
        )
        yield from (f"{path.stem}: no row of run {run}" for run in sorted(own - runs))
    names = {path.stem for path in directory.glob("*.parquet")}
    known = {name for part in published.parts for name in (part.rows, *part.tables)}
    yield from (f"{name}: a table that is not declared" for name in sorted(names - known))


def _read(path: Path) -> list[dict[str, Any]]:
    try:
        return read_parquet(path)
    except (OSError, ValueError) as error:
        raise BeliefMergeError(f"{path} cannot be read: {error}") from None


def _limited(place: str, said: Sequence[str]) -> list[str]:
    more = [f"{place}: {len(said) - SHOWN} more"] if len(said) > SHOWN else []
    return [f"{place}: {line}" for line in said[:SHOWN]] + more


def _rows(published: Published, stored: Sequence[Row], fresh: Sequence[Row]) -> Iterator[str]:
    if len(stored) != len(fresh):
        yield f"{len(stored)} rows are published, {len(fresh)} were made"
        return
    for number, (old, new) in enumerate(zip(stored, fresh, strict=True), 1):
        for name in dict.fromkeys([*old, *new]):
            if not same(published, name, old, new):
                yield f"run {old['run']}, row {number}, {name}: {old.get(name)!r} is published, {new.get(name)!r} made"


def same(published: Published, name: str, old: Row, new: Row) -> bool:
    """Whether column `name` of two rows agrees as far as it has to."""
    before, after = old.get(name), new.get(name)
    if published.kind is Kind.MEASURED:
        return name not in published.stable or before == after
    if published.kind is Kind.REPLAYED:
        if name.endswith(("_low", "_high")) and name.rpartition("_")[0] in old:
            return True
        if _limits(old, name) is not None and _limits(new, name) is not None:
            return _overlap(old, new, name)
        return _close(before, after, REPLAYED)
    return _close(before, after, RELATIVE)


def _limits(row: Row, name: str) -> tuple[float, float] | None:
    low, high = row.get(f"{name}_low"), row.get(f"{name}_high")
    return None if low is None or high is None else (low, high)


def _overlap(old: Row, new: Row, name: str) -> bool:
    (low, high), (other_low, other_high) = _limits(old, name) or (0, 0), _limits(new, name) or (0, 0)
    inside = low <= old[name] <= high and other_low <= new[name] <= other_high
    return inside and math.isfinite(high - low) and low <= other_high and other_low <= high


def _close(before: Any, after: Any, relative: float) -> bool:
    """Whether two cells agree. A whole number may have become a float beside another run's."""
    if not (_is_number(before) and _is_number(after)):
        return type(before) is type(after) and bool(before == after)
    if isinstance(before, int) and isinstance(after, int):
        return before == after
    if math.isnan(before) or math.isnan(after):
        return math.isnan(before) and math.isnan(after)
    return math.isclose(before, after, rel_tol=relative, abs_tol=1e-12)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
