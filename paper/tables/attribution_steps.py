"""The shipped steps: do repeats agree, is the context predicted, and what follows."""

from __future__ import annotations

from collections.abc import Sequence

from experiment.tables import Column, Row
from paper import cells
from paper.stage import Tables, TableStage

STEPS = "attribution/steps"


def build(tables: Tables) -> tuple[Sequence[Row], Sequence[Column]]:
    """A row a step."""
    shown = [
        cells.text("step_id", "step"),
        cells.count("entries"),
        cells.count("n_ablations", "N"),
        cells.decimal("rho", "ρ"),
        cells.decimal("concordance", "Lin"),
        cells.decimal("rho_null", "null ρ", digits=3),
        cells.decimal("lds", "LDS"),
        cells.decimal("even_share", "even share"),
        cells.decimal("whole", "whole"),
        Column("LOO", lambda row: "agrees" if row["loo_top_agrees"] else "differs", left=True),
        cells.text("verdict"),
    ]
    return tables[STEPS], shown


TABLE = TableStage(reads=(STEPS,), build=build)
