"""Two estimators on problems whose answer is known."""

from __future__ import annotations

from collections.abc import Sequence

from experiment.tables import Column, Row
from paper import cells
from paper.stage import Tables, TableStage

RUNS = "attribution-planted/runs"


def build(tables: Tables) -> tuple[Sequence[Row], Sequence[Column]]:
    """A row a setting, kind and estimator: means over problems; the intervals of LDS and of ρ."""
    made = [
        {**row, "setting": f"{row['entries']}, {row['ablations']}, {row['noise']:g}"} for row in tables[RUNS]
    ]  # fmt: skip
    shown = [
        cells.text("setting", "D, N, noise"),
        cells.text("kind"),
        cells.text("estimator"),
        cells.decimal("lds", "LDS", limits=True),
        cells.decimal("recall", "top-k"),
        cells.decimal("seeds", "ρ across seeds", limits=True),
        cells.decimal("concordance", "Lin"),
        cells.decimal("shapley", "ρ Shapley"),
        cells.decimal("coverage"),
    ]
    return cells.once(made, "setting", "kind"), shown


TABLE = TableStage(reads=(RUNS,), build=build)
