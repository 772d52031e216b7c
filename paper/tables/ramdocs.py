"""Names that several things bear: right answers presented, with the passages' answers given and without."""

from __future__ import annotations

from collections.abc import Sequence

from experiment.tables import Column, Row
from paper import cells, rows
from paper.stage import Tables, TableStage

RUNS = "track-ramdocs/runs"
NOTHING = "none"


def build(tables: Tables) -> tuple[Sequence[Row], Sequence[Column]]:
    """A row a setting, budget and arm, in per cent with limits over questions."""
    found = [row for row in tables[RUNS] if row["arm"] != NOTHING]
    against = [row["against"] for row in found if row["against"] is not None]
    shown = [
        cells.text("setting"),
        Column("budget", lambda row: f"{row['budget']:,}" if row["budget"] else ""),
        cells.text("arm"),
        *(cells.rate(name, f"{rows.words(name)} (%)", digits=1) for name in ("recall", "all_kept", "exact")),
        cells.rate("exact_gain", f"exact against {against[0]} (points)", digits=1, signed=True),
    ]
    return cells.once(found, "setting", "budget"), shown


TABLE = TableStage(reads=(RUNS,), build=build)
