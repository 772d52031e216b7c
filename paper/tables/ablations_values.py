"""What each stage of the merge is worth, family by family."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from experiment.tables import Column, Row
from paper import cells, rows
from paper.stage import Tables, TableStage

RUNS = "mergebench-ablations/runs"
STAGES = ("alignment", "derivation", "trust", "packing", "chatter_filter")
ELSEWHERE = "bridge"
"""The measure that every family has, and that no stage is meant for."""


def build(tables: Tables) -> tuple[Sequence[Row], Sequence[Column]]:
    """A row a family and measure: the whole arm in per cent, then what it loses without each stage, in points.

    Measures in which no stage is worth anything are left out.
    """
    found = [row for row in tables[RUNS] if row["measure"] != ELSEWHERE and any(row.get(stage) for stage in STAGES)]
    made = [{**_paired(row), "measure": _named(row["measure"])} for row in found]
    shown = [cells.text("scenario", "family"), cells.text("measure"), cells.rate("whole", limits=False)]
    return cells.once(made, "scenario"), [*shown, *(cells.rate(stage, signed=True) for stage in STAGES)]


def _paired(row: Row) -> dict[str, Any]:
    """The row without differences that have no limits, which are of a single scenario."""
    return {**row, **{stage: None for stage in STAGES if row.get(f"{stage}_low") is None}}


def _named(measure: str) -> str:
    return f"{rows.words(measure)}{' ↓' if measure in rows.LESS_IS_BETTER else ''}"


TABLE = TableStage(reads=(RUNS,), build=build)
