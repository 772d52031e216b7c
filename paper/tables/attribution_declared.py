"""The declared edges of the shipped steps: what was measured, and what holds."""

from __future__ import annotations

from collections.abc import Sequence

from experiment.tables import Column, Row
from paper import cells, rows
from paper.stage import Tables, TableStage

EDGES = "attribution/edges"
PPM = 1_000_000


def build(tables: Tables) -> tuple[Sequence[Row], Sequence[Column]]:
    """A row a step and declared entry, the strongest first: shares of the whole effect in per cent with 95 % limits."""
    found = rows.where(tables[EDGES], declared=True)
    made: list[Row] = []
    for step in rows.distinct(found, "step_id"):
        own = sorted(rows.where(found, step_id=step), key=lambda row: -row["measured_ppm"])
        made += [{**row, **_shares(row)} for row in own]
    shown = [
        cells.text("step_id", "step"),
        cells.text("verdict"),
        cells.text("entry_id", "entry"),
        cells.rate("measured", "measured (%)", digits=1),
        cells.rate("weight", "weight (%)", digits=1, limits=False),
    ]
    return cells.once(made, "step_id", "verdict"), shown


def _shares(row: Row) -> dict[str, float | None]:
    names = {"measured": "measured", "measured_low": "low", "measured_high": "high", "weight": "weight"}
    ppm = {name: row[f"{source}_ppm"] for name, source in names.items()}
    return {name: None if value is None else value / PPM for name, value in ppm.items()}


TABLE = TableStage(reads=(EDGES,), build=build)
