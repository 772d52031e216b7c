"""What the local model does as extractor and as summariser, beside arms without one."""

from __future__ import annotations

from collections.abc import Sequence

from experiment.tables import Column, Row
from paper import cells, rows
from paper.stage import Tables, TableStage

RUNS = "mergebench-live/runs"
ARMS = ("roundrobin", "summary", "live", "heuristic")
BUDGET = 400


def build(tables: Tables) -> tuple[Sequence[Row], Sequence[Column]]:
    """A row a family and arm, in per cent, and in how many scenarios the arm fell back."""
    found = rows.where(tables[RUNS], budget=BUDGET)
    made = [
        rows.one(found, scenario=family, arm=arm) for family in rows.distinct(found, "scenario") for arm in ARMS
    ]  # fmt: skip
    shares = [cells.rate(name) for name in ("local", "bridge", "unambiguous", "traced")]
    back = Column("fell back", lambda row: f"{row['degraded']:.0f} of {row['n']}")
    return cells.once(made, "scenario"), [cells.text("scenario", "family"), cells.text("arm"), cells.units(), *shares,
                                          back]  # fmt: skip


TABLE = TableStage(reads=(RUNS,), build=build)
