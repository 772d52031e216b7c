"""Measured edges as an attribution run leaves them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from beliefmerge.errors import UsageError
from experiment.tables import read_parquet
from mergebench.trajectory.world import digest

FIXTURE = Path(__file__).parent / "data" / "edges.parquet"
_NEEDED = ("claim_id", "entry_id", "weight_ppm", "measured_ppm", "agreement", "verdict")


@dataclass(frozen=True)
class Edges:
    """Rows of an ``edges.parquet``, and the hash of the report that they were read from."""

    rows: tuple[Mapping[str, Any], ...]
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
    return Edges(tuple(rows), digest((report if report.is_file() else path).read_bytes()))
