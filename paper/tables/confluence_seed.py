"""The known table: exact counts of the profiles of three branches in which some fold fails."""

from __future__ import annotations

from collections.abc import Sequence

from experiment.tables import Column, Row
from paper import cells, rows
from paper.stage import Tables, TableStage

RUNS = "confluence-counts/runs"
SETTING = ("values", "levels", "form", "score")


def build(tables: Tables) -> tuple[Sequence[Row], Sequence[Column]]:
    """A row a space, form and score; a column a summary, with per cent where it is not 0."""
    found = rows.where(tables[RUNS], space="seed", shape="fold")
    made = []
    for values, levels, form, score in sorted(
        rows.distinct(found, *SETTING), key=lambda setting: (-setting[0], setting[2], setting[3])
    ):
        own = rows.where(found, values=values, levels=levels, form=form, score=score)
        counts = {row["representation"]: row["failures"] for row in own}
        total = rows.common(own, "total")
        made.append({"values": values, "levels": levels, "form": form, "score": score, "total": total, **counts})
    shown = [cells.count("values", "k"), cells.count("levels", "E"), cells.form(), cells.text("score")]
    summaries = [cells.count("JOIN"), *(cells.part(name, "total", f"{name} (%)") for name in ("COUNT", "MAX"))]
    return made, [*shown, *summaries, cells.count("SCORES"), cells.count("total", "of")]


TABLE = TableStage(reads=(RUNS,), build=build)
