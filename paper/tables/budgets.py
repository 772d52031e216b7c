"""Every arm at every budget: questions across branches, and keys with two values."""

from __future__ import annotations

from collections.abc import Sequence

from experiment.tables import Column, Row
from paper import cells, rows
from paper.stage import Tables, TableStage

RUNS = "mergebench-budgets/runs"
MEASURES = ("bridge", "unambiguous")
USUAL = "egalitarian"
NOTHING = "none"


def build(tables: Tables) -> tuple[Sequence[Row], Sequence[Column]]:
    """A row an arm and score, a column a budget: bridge / unambiguous in per cent."""
    found = [row for row in tables[RUNS] if row["arm"] != NOTHING]
    budgets = sorted(rows.distinct(found, "budget"))
    made = []
    for arm, score in rows.distinct(found, "arm", "score"):
        own = {row["budget"]: row for row in rows.where(found, arm=arm, score=score)}
        name = arm if score == USUAL else f"{arm} ({score})"
        made.append({"arm": name, **{str(budget): _both(own[budget]) for budget in budgets}})
    return made, [cells.text("arm"), *(_column(budget) for budget in budgets)]


def _both(row: Row) -> str:
    return " / ".join(f"{100 * row[measure]:.0f}" for measure in MEASURES)


def _column(budget: int) -> Column:
    return Column(f"{budget:,}", lambda row: str(row[str(budget)]))


TABLE = TableStage(reads=(RUNS,), build=build)
