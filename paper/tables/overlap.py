"""What a summary does when sources overlap: disjoint, with a shared trunk, delivered once more."""

from __future__ import annotations

from collections.abc import Sequence

from experiment.tables import Column, Row
from paper import cells, rows
from paper.stage import Tables, TableStage

OVERLAP = "confluence-boundary/overlap"


def build(tables: Tables) -> tuple[Sequence[Row], Sequence[Column]]:
    """A row a space, form, score and kind of overlap; failing profiles of each summary."""
    found = [
        {**row, "size": f"{row['values']}, {row['levels']}, {row['branches']}"}
        for row in rows.where(tables[OVERLAP], space="seed")
    ]
    made = cells.once(found, "size", "form", "score")
    summaries = [
        cells.count("JOIN"),
        *(cells.part(name, "total", f"{name} (%)") for name in ("COUNT", "MAX", "SCORES")),
    ]
    settings = [cells.text("size", "k, E, n"), cells.form(), cells.text("score"), cells.text("sources")]
    return made, [*settings, *summaries, cells.count("total", "of")]


TABLE = TableStage(reads=(OVERLAP,), build=build)
