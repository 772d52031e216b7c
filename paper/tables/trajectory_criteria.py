"""What had to be seen for a hypothesis to live, and what was."""

from __future__ import annotations

from collections.abc import Sequence

from experiment.tables import Column, Row
from paper import cells
from paper.stage import Tables, TableStage

CRITERIA = "trajectory/criteria"
SIGNS = {"at_least": "≥", "at_most": "≤"}


def build(tables: Tables) -> tuple[Sequence[Row], Sequence[Column]]:
    """A row a hypothesis and arm: threshold, figure with its exact interval, verdict."""
    shown = [
        cells.text("hypothesis"),
        cells.text("arm"),
        Column("threshold (%)", _threshold, left=True),
        cells.rate("figure", "figure (%)"),
        cells.text("verdict"),
    ]
    return cells.once(tables[CRITERIA], "hypothesis"), shown


def _threshold(row: Row) -> str:
    return f"{row['metric']} {SIGNS[row['direction']]} {100 * row['threshold']:.0f}"


TABLE = TableStage(reads=(CRITERIA,), build=build)
