"""How often an arm says the same of branches handed in otherwise, over all families."""

from __future__ import annotations

from collections.abc import Sequence

from experiment.tables import Column, Row
from paper import cells, rows
from paper.stage import Tables, TableStage

RUNS = "mergebench-panel/runs"
LAWS = {"law_permutation": "any order", "law_repetition": "a branch twice", "law_regrouping": "cut and joined"}
NOTHING = "none"
"""The arm that prints nothing, which keeps every law."""


def build(tables: Tables) -> tuple[Sequence[Row], Sequence[Column]]:
    """A row an arm; the share of scenarios of all families in per cent, with exact limits."""
    made = []
    for arm in rows.distinct(tables[RUNS], "arm"):
        if arm != NOTHING:
            own = rows.where(tables[RUNS], arm=arm)
            made.append({"arm": arm, **{key: value for law in LAWS for key, value in rows.pooled(own, law).items()}})
    shares = [cells.rate(law, f"{title} (%)", digits=1) for law, title in LAWS.items()]
    return made, [cells.text("arm"), cells.count("n", "scenarios"), *shares]


TABLE = TableStage(reads=(RUNS,), build=build)
