"""What is measured beside a peer or a plain reference in the same run, and whether its bar holds."""

from __future__ import annotations

from collections.abc import Sequence

from experiment.tables import Column, Row
from paper import comparisons
from paper.stage import Tables, TableStage

RUNS = "benchmarks/runs"


def build(tables: Tables) -> tuple[Sequence[Row], Sequence[Column]]:
    """A row a value."""
    return tables[RUNS], comparisons.columns()


TABLE = TableStage(reads=(RUNS,), build=build)
