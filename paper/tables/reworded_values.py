"""What rewording the correction does to the ledger."""

from __future__ import annotations

from collections.abc import Sequence

from experiment.tables import Column, Row
from paper import cells
from paper.stage import Tables, TableStage

ROWS = "trajectory/reworded"
TITLES = {
    "passed": "premise retracted",
    "exposure": "planted shown",
    "persistence": "planted answered",
    "right": "right answered",
}


def build(tables: Tables) -> tuple[Sequence[Row], Sequence[Column]]:
    """A row a share of reworded corrections, in per cent with exact limits."""
    shares = [cells.rate(name, f"{title} (%)") for name, title in TITLES.items()]
    return tables[ROWS], [cells.rate("paraphrase", "reworded (%)", limits=False), cells.count("n"), *shares]


TABLE = TableStage(reads=(ROWS,), build=build)
