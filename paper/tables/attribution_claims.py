"""What an agent's claims rested on, beside what they declared."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from experiment.tables import Column, Row
from paper import cells
from paper.stage import Tables, TableStage

EDGES = "attribution-trajectory/edges"
CLAIM = "claim-"
"""What the name of a step holds at which the agent claimed something."""
PPM = 1_000_000


def build(tables: Tables) -> tuple[Sequence[Row], Sequence[Column]]:
    """A row an edge of the claims: declared or not, weight that holds, share that was measured, in per cent."""
    made = [_row(edge) for edge in tables[EDGES] if CLAIM in str(edge["step_id"])]
    shown = [
        cells.text("trajectory"),
        cells.text("claim"),
        cells.text("entry"),
        cells.text("declared"),
        cells.rate("measured", "measured (%)", digits=1),
        cells.rate("weight", "weight (%)", digits=1),
        cells.text("verdict"),
    ]
    return cells.once(made, "trajectory", "claim"), shown


def _row(edge: Row) -> dict[str, Any]:
    trajectory, _, claim = str(edge["claim_id"]).partition(":")
    missing = edge["verdict"] == "missing"
    return {
        "trajectory": str(int(trajectory)),
        "claim": _name(claim),
        "entry": _name(str(edge["entry_id"]).partition(":")[2]),
        "declared": "yes" if edge["declared"] else "no",
        "measured": edge["measured_ppm"] / PPM,
        "weight": None if missing else edge["weight_ppm"] / PPM,
        "verdict": edge["verdict"],
    }


def _name(entry: str) -> str:
    """What an entry is, without the digits that tell it from others of its kind elsewhere."""
    return entry.partition("-")[2].replace("-", " ")


TABLE = TableStage(reads=(EDGES,), build=build)
