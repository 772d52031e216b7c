"""Real conversations, all pairs of sessions: evidence kept and touched, arm by arm and budget by budget."""

from __future__ import annotations

from collections.abc import Sequence

from experiment.tables import Column, Row
from paper import cells, rows
from paper.stage import Tables, TableStage

RUNS = "track-locomo/runs"
SETTING, PART = "pairs", "all"
NOTHING = "none"
TOUCHED = (400, 1200)
"""The budgets of which is said how much evidence is touched."""


def build(tables: Tables) -> tuple[Sequence[Row], Sequence[Column]]:
    """A row an arm, told the question or not; a column a budget: recall / all kept in per cent."""
    found = [row for row in rows.where(tables[RUNS], setting=SETTING, part=PART) if row["arm"] != NOTHING]
    budgets = sorted(rows.distinct(found, "budget"))
    made = []
    arms = rows.distinct(found, "arm")
    for arm, seen in sorted(rows.distinct(found, "arm", "question_seen"), key=lambda pair: arms.index(pair[0])):
        own = {row["budget"]: row for row in rows.where(found, arm=arm, question_seen=seen)}
        kept = {f"{budget:,}": _kept(own[budget]) for budget in budgets}
        touched = {_touched(budget): own[budget]["touched"] for budget in TOUCHED}
        made.append({"arm": arm, "seen": "yes" if seen else "no", **kept, **touched})
    shown = [cells.text("arm"), cells.text("seen", "sees the question"), *(_column(f"{each:,}") for each in budgets)]
    shown += [cells.rate(_touched(budget), limits=False) for budget in TOUCHED]
    return made, shown


def _kept(row: Row) -> str:
    return f"{100 * row['recall']:.0f} / {100 * row['all_kept']:.0f}"


def _touched(budget: int) -> str:
    return f"touched, {budget:,}"


def _column(title: str) -> Column:
    return Column(title, lambda row: str(row[title]))


TABLE = TableStage(reads=(RUNS,), build=build)
