"""What the answers of two trajectories rested on: the premise, the conclusions from it, the corrections."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from experiment.tables import MISSING, Column, Row
from paper import cells, rows
from paper.stage import Tables, TableStage

EDGES, STEPS = "attribution-trajectory/edges", "attribution-trajectory/steps"
GROUPS = {"premise": "premise", "derived": "conclusions", "correction": "corrections"}
"""Kinds of entries, as their names have them, and how they are read."""
PPM = 1_000_000


def build(tables: Tables) -> tuple[Sequence[Row], Sequence[Column]]:
    """A row an answer: measured shares of f(all) − f(none), added up over a group's entries, in per cent."""
    answers = [claim for claim in rows.distinct(tables[EDGES], "claim_id") if "-" not in claim and "~" not in claim]
    made = [
        _row(rows.one(tables[STEPS], claim_id=claim), rows.where(tables[EDGES], claim_id=claim)) for claim in answers
    ]
    made.sort(key=lambda row: (row["arm"], row["trajectory"]))
    shares = [Column(f"{title} (%)", lambda row, title=title: row[title]) for title in GROUPS.values()]  # type: ignore[misc]
    shown = [cells.text("arm"), cells.text("trajectory"), *shares, cells.text("verdict")]
    return cells.once(made, "arm"), shown


def _row(step: Row, own: Sequence[Row]) -> dict[str, Any]:
    trajectory, _, arm = str(step["claim_id"]).partition(":")
    return {
        "arm": arm,
        "trajectory": str(int(trajectory)),
        "verdict": step["verdict"],
        **{title: _share(kind, own) for kind, title in GROUPS.items()},
    }


def _share(kind: str, own: Sequence[Row]) -> str:
    mine = [edge["measured_ppm"] for edge in own if kind in str(edge["entry_id"]).split("-")]
    return f"{100 * sum(mine) / PPM:.0f}" if mine else f"{MISSING} (not shown)"


TABLE = TableStage(reads=(EDGES, STEPS), build=build)
