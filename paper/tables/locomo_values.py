"""Real conversations that nothing was chosen on: evidence kept, and against BM25."""

from __future__ import annotations

from collections.abc import Sequence

from experiment.tables import Column, Row
from paper import cells, rows
from paper.stage import Tables, TableStage

RUNS = "track-locomo/runs"
SETTING, PART = "pairs", "rest"
ARMS = ("concat", "roundrobin", "heuristic", "oracle", "bm25", "retrieve", "turns")


def build(tables: Tables) -> tuple[Sequence[Row], Sequence[Column]]:
    """A row a budget and arm, in per cent with limits over conversations."""
    found = rows.where(tables[RUNS], setting=SETTING, part=PART)
    made = [
        {**rows.one(found, budget=budget, arm=arm), "seen": "yes" if rows.one(found, budget=budget, arm=arm)
         ["question_seen"] else "no"}
        for budget in sorted(rows.distinct(found, "budget"))
        for arm in ARMS
    ]  # fmt: skip
    against = rows.common(found, "against")
    shown = [
        Column("budget", lambda row: f"{row['budget']:,}" if row["budget"] else ""),
        cells.text("arm"),
        cells.text("seen", "sees the question"),
        cells.rate("recall", "recall (%)", digits=1),
        cells.rate("all_kept", "all kept (%)", digits=1),
        cells.rate("recall_gain", f"recall against {against} (points)", digits=1, signed=True),
    ]
    return cells.once(made, "budget"), shown


TABLE = TableStage(reads=(RUNS,), build=build)
