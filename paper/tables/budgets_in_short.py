"""Six arms at a small and a large budget, in words: the table of the first page."""

from __future__ import annotations

from collections.abc import Sequence

from experiment.tables import Column, Row
from paper import cells, rows
from paper.stage import Tables, TableStage

RUNS = "mergebench-budgets/runs"
SCORE, BUDGETS = "egalitarian", (400, 1200)
MEASURES = ("bridge", "unambiguous")
ARMS = {
    "best_single": "best single branch",
    "concat": "concatenation",
    "roundrobin": "round-robin (the fair concatenation)",
    "bm25": "BM25 (sees the question)",
    "heuristic": "merge, heuristic extraction",
    "oracle": "merge, perfect extraction (a ceiling)",
}


def build(tables: Tables) -> tuple[Sequence[Row], Sequence[Column]]:
    """A row an arm; for each budget the measures in per cent, and the tokens printed."""
    found = rows.where(tables[RUNS], score=SCORE)
    made: list[Row] = []
    for arm, name in ARMS.items():
        row: dict[str, object] = {"arm": name}
        for budget in BUDGETS:
            own = rows.one(found, arm=arm, budget=budget)
            row |= {f"{measure} @{budget}": own[measure] for measure in (*MEASURES, "tokens")}
        made.append(row)
    shown = [column for budget in BUDGETS for column in _columns(budget)]
    return made, [cells.text("arm"), *shown]


def _columns(budget: int) -> list[Column]:
    rates = [cells.rate(f"{measure} @{budget}", limits=False) for measure in MEASURES]
    return [*rates, cells.decimal(f"tokens @{budget}", digits=0)]


TABLE = TableStage(reads=(RUNS,), build=build)
