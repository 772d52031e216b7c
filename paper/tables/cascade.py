"""Claims deleted and resurrected by a fold, graph by graph."""

from __future__ import annotations

from collections.abc import Sequence

from experiment.tables import Column, Row
from paper import cells
from paper.stage import Tables, TableStage

RUNS = "confluence-cascade/runs"
REPRESENTATIONS = ("COUNT", "MAX")
"""The summaries that fail; of the others the text says so."""


def build(tables: Tables) -> tuple[Sequence[Row], Sequence[Column]]:
    """A row a graph, number of branches, score and summary; counts of profiles."""
    found = [row for row in tables[RUNS] if row["representation"] in REPRESENTATIONS]
    made = cells.once([{**row, "of": row["total"]} for row in found], "graph", "branches", "score")
    shown = [
        cells.text("graph"),
        Column("n", lambda row: str(row["branches"])),
        cells.text("score"),
        cells.text("representation", "summary"),
        *(cells.count(name) for name in ("deleted", "resurrected", "mixed")),
        cells.part("failing", "total", "failing (%)"),
        cells.count("of"),
    ]
    return made, shown


TABLE = TableStage(reads=(RUNS,), build=build)
