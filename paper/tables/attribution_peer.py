"""Measured edges beside the package context-cite, on the same weights and steps."""

from __future__ import annotations

from collections.abc import Sequence

from experiment.tables import Column, Row
from paper import comparisons
from paper.stage import Tables, TableStage

RUNS = "attribution-peer/runs"
SHOWN = ("what", "ours", "reference", "times less", "bar", "verdict")


def build(tables: Tables) -> tuple[Sequence[Row], Sequence[Column]]:
    """A row a value; the reference is the package throughout."""
    return tables[RUNS], [column for column in comparisons.columns() if column.title in SHOWN]


TABLE = TableStage(reads=(RUNS,), build=build)
