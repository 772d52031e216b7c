"""Measured edges as an attribution run leaves them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import msgspec

from beliefmerge.errors import UsageError
from beliefmerge.ledger.wire import Edge
from experiment.tables import read_parquet
from mergebench.trajectory.world import digest

FIXTURE = Path(__file__).parent / "data" / "edges.parquet"
_NEEDED = ("claim_id", "entry_id", "weight_ppm", "measured_ppm", "agreement", "verdict")


@dataclass(frozen=True)
class Edges:
    """Rows of an ``edges.parquet``, and the hash of the report that they were read from.

    `measured` are those that passed the gate, between events by their names.
    """

    rows: tuple[Mapping[str, Any], ...]
    measured: tuple[Edge, ...]
    report: str


@lru_cache(maxsize=4)
def edges_of(given: str) -> Edges:
    """The edges in a file, or in a run's directory; the fixture's where none is given. Raises UsageError."""
    path = Path(given).expanduser() if given else FIXTURE
    path = path / "edges.parquet" if path.is_dir() else path
    if not path.is_file():
        raise UsageError(f"{path}: no such file of measured edges")
    try:
        rows = read_parquet(path)
    except (OSError, ValueError) as error:
        raise UsageError(f"{path}: measured edges cannot be read: {' '.join(str(error).split())}") from None
    missing = [name for name in _NEEDED if not rows or name not in rows[0]]
    if missing:
        raise UsageError(
            f"arm.options.edges: {path}: no column {missing[0]!r}; is it an attribution run's edges.parquet?"
        )
    report = path.with_name("stability.md")
    measured = [_edge(row, f"{path}: row {place}") for place, row in enumerate(rows) if row["verdict"] == "measured"]
    return Edges(tuple(rows), tuple(measured), digest((report if report.is_file() else path).read_bytes()))


def _edge(row: Mapping[str, Any], where: str) -> Edge:
    """A row as the ledger takes it. Raises UsageError."""
    named = {"child": row["claim_id"], "parent": row["entry_id"]}
    known = {name: row[name] for name in ("weight_ppm", "low_ppm", "high_ppm") if row.get(name) is not None}
    try:
        rho = round(1_000_000 * msgspec.convert(row["agreement"], float))
        return msgspec.convert({**named, **known, "rho_ppm": rho}, Edge)
    except (msgspec.ValidationError, ValueError, OverflowError) as error:
        raise UsageError(f"{where}: no measured edge: {error}") from None
