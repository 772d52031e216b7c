"""The arms that ask the local model, and two that do not, at both budgets."""

from __future__ import annotations

from collections.abc import Sequence

from experiment.tables import Column, Row
from paper import cells, rows
from paper.stage import Tables, TableStage

RUNS = "mergebench-live/runs"
ARMS = ("roundrobin", "summary", "live", "heuristic")
MEASURES = ("local", "bridge", "unambiguous")


def build(tables: Tables) -> tuple[Sequence[Row], Sequence[Column]]:
    """A row a budget and arm, a column a family: local / bridge / unambiguous in per cent."""
    found = tables[RUNS]
    families = rows.distinct(found, "scenario")
    made = []
    for budget in sorted(rows.distinct(found, "budget")):
        for arm in ARMS:
            own = {family: _all(rows.one(found, scenario=family, arm=arm, budget=budget)) for family in families}
            made.append({"budget": f"{budget:,}", "arm": arm, **own})
    return cells.once(made, "budget"), [cells.text("budget"), cells.text("arm"), *map(_column, families)]


def _all(row: Row) -> str:
    return " / ".join(f"{100 * row[measure]:.0f}" for measure in MEASURES)


def _column(family: str) -> Column:
    return Column(family, lambda row: str(row[family]))


TABLE = TableStage(reads=(RUNS,), build=build)
