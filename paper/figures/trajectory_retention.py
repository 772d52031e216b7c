"""Persistence of a planted premise against what a compaction keeps: a flat summary beside the ledger."""

from __future__ import annotations

from typing import Any

from paper import style
from paper.stage import Figure, Tables

CURVE = "trajectory/curve"
ARMS = ("flat_retention", "ledger_v2")
APART = 0.006
"""How far points at one q are set apart, so that intervals do not hide each other."""


def draw(tables: Tables) -> Any:
    """A line an arm over the retention probability q, with exact intervals."""
    figure, axes = style.canvas(style.PAGE * 0.75, 2.6)
    axes.plot([0, 1], [1, 0], color=style.GREY, linewidth=0.8, linestyle=":", label="1 − q", zorder=1)
    for place, arm in enumerate(ARMS):
        rows = sorted((row for row in tables[CURVE] if row["arm"] == arm), key=lambda row: row["retention"])
        axes.errorbar(
            [row["retention"] + APART * (place - 0.5) for row in rows],
            [row["persistence"] for row in rows],
            yerr=style.limits(rows, "persistence"),
            label=arm,
            **style.TRAJECTORY_ARMS[arm].line_options(),
        )
    axes.set(
        xlabel="probability q that the compaction keeps the correction",
        ylabel="persistence (share of answers)",
        xlim=(-0.03, 1.03),
        ylim=(-0.03, 1.03),
    )
    figure.legend(loc="outside right center")
    return figure


FIGURE = Figure(reads=(CURVE,), draw=draw)
