"""The same counts where there are more than a million million profiles."""

from __future__ import annotations

from collections.abc import Sequence

from experiment.tables import Column, Row
from paper import cells, rows
from paper.stage import Tables, TableStage

RUNS = "confluence-huge/runs"


def build(tables: Tables) -> tuple[Sequence[Row], Sequence[Column]]:
    """A row a summary, a column a score."""
    found = tables[RUNS]
    scores = rows.distinct(found, "score")
    made = []
    for name in rows.distinct(found, "representation"):
        own = {score: rows.one(found, representation=name, score=score) for score in scores}
        counts = {score: row["failures"] for score, row in own.items()}
        made.append({"summary": name, "total": rows.common(list(own.values()), "total"), **counts})
    shares = [cells.part(score, "total", f"{score} (%)") for score in scores]
    return made, [cells.text("summary"), *shares, cells.count("total", "of")]


TABLE = TableStage(reads=(RUNS,), build=build)
