"""Every arm of the compaction experiment, by every measure of it."""

from __future__ import annotations

from collections.abc import Sequence

from experiment.tables import Column, Row, named, number, percent
from paper.stage import Tables, TableStage

RUNS = "trajectory/runs"
MEASURES = ("persistence", "survival", "exposure", "right", "carried", "kept")


def build(tables: Tables) -> tuple[Sequence[Row], Sequence[Column]]:
    """A row an arm; shares in per cent with exact intervals."""
    return tables[RUNS], [named("arm"), number("n"), *(percent(name) for name in MEASURES), number("tokens")]


TABLE = TableStage(reads=(RUNS,), build=build)
