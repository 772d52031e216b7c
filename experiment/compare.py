"""Fresh results against published ones: exact where deterministic, intervals that overlap where models spoke."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from experiment.manifest import altered, read_manifest
from experiment.published import Kind, Published
from experiment.publishing import Made
from experiment.tables import Row, read_parquet

RELATIVE = 1e-9
"""How far floating-point numbers of a deterministic result may be apart: sums are added in another order elsewhere."""
REPLAYED = 0.1
"""The same for numbers without an interval that follow from model calls."""
SHOWN = 5
"""Differences named for one table."""


def differences(published: Published, made: Made, directory: Path) -> list[str]:
    """What of the runs in `made` is not as published in `directory`, a line each; none where all is."""
    found = [f"{published.name}: {line}" for line in altered(directory)]
    for key in made.runs.keys() - read_manifest(directory)["runs"].keys():
        found.append(f"{published.name}: run {key} ({made.runs[key][1]}) is not published")
    for name, rows in made.tables.items():
        path = directory / f"{name}.parquet"
        stored = [row for row in read_parquet(path) if row["run"] in made.runs] if path.is_file() else []
        found += _limited(f"{published.name}/{name}", list(_rows(published, stored, rows)))
    return found


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
        if name.endswith(("_low", "_high")):
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
    return low <= other_high and other_low <= high


def _close(before: Any, after: Any, relative: float) -> bool:
    if isinstance(before, float) or isinstance(after, float):
        if not (isinstance(before, int | float) and isinstance(after, int | float)):
            return bool(before == after)
        if math.isnan(before) or math.isnan(after):
            return math.isnan(before) and math.isnan(after)
        return math.isclose(before, after, rel_tol=relative, abs_tol=1e-12)
    return bool(before == after)
