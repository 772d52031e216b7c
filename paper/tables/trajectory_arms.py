"""Every arm of the compaction experiment: what it answers and what is in its working set."""

from __future__ import annotations

from collections.abc import Sequence

from experiment.tables import Column, Row, named, number, percent
from paper.stage import Tables, TableStage

RUNS = "trajectory/runs"


def build(tables: Tables) -> tuple[Sequence[Row], Sequence[Column]]:
    """A row an arm; shares in per cent with exact intervals."""
    shares = [percent(name, f"{name} (%)") for name in ("persistence", "survival", "right", "kept")]
    return tables[RUNS], [named("arm"), number("n"), *shares, number("tokens")]


TABLE = TableStage(reads=(RUNS,), build=build)
