"""A model as the reader of four working sets: what it answers."""

from __future__ import annotations

from collections.abc import Sequence

from experiment.tables import Column, Row
from paper import cells
from paper.stage import Tables, TableStage

READ = "trajectory/read"
TITLES = {
    "persistence": "planted value",
    "right": "right value",
    "twin_changed": "changed without premise",
    "exposure": "planted value shown",
}


def build(tables: Tables) -> tuple[Sequence[Row], Sequence[Column]]:
    """A row an arm, in per cent with exact limits."""
    shares = [cells.rate(name, f"{title} (%)") for name, title in TITLES.items()]
    return tables[READ], [cells.text("arm"), cells.count("n"), *shares]


TABLE = TableStage(reads=(READ,), build=build)
