"""What each summary confuses: pairs of states that it takes for one and that a continuation tells apart."""

from __future__ import annotations

from collections.abc import Sequence

from experiment.tables import Column, Row
from paper import cells, rows
from paper.stage import Tables, TableStage

RUNS = "confluence-boundary/runs"
SUMMARIES = ("COUNT", "MAX", "SCORES")


def build(tables: Tables) -> tuple[Sequence[Row], Sequence[Column]]:
    """A row a space, form and score; wrongly identified of all that are, and which share of all pairs."""
    made = rows.where(tables[RUNS], space="seed")
    shown = [
        *(cells.count(name, title) for name, title in (("values", "k"), ("levels", "E"), ("branches", "n"))),
        cells.form(),
        cells.text("score"),
        cells.count("pairs"),
        *(column for name in SUMMARIES for column in _summary(name)),
    ]
    return made, shown


def _summary(name: str) -> tuple[Column, Column]:
    low = name.lower()
    identified = Column(name, lambda row: f"{row[f'{low}_wrong']:,} of {row[f'{low}_together']:,}")
    return identified, cells.rate(f"{low}_wrong_share", "%", digits=2)


TABLE = TableStage(reads=(RUNS,), build=build)
