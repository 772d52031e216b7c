"""How often an arm says the same of the same branches handed in otherwise."""

from __future__ import annotations

from typing import Any

from paper import plots, rows, style
from paper.stage import Figure, Tables

RUNS = "mergebench-panel/runs"
LAWS = {
    "law_permutation": "in any order",
    "law_repetition": "a branch twice",
    "law_regrouping": "cut and joined",
}
NOTHING = "none"
"""The arm that prints nothing, which keeps every law."""


def draw(tables: Tables) -> Any:
    """A panel a law, a row an arm: the share of all families' scenarios, with exact limits."""
    found = [row for row in tables[RUNS] if row["arm"] != NOTHING]
    arms = rows.distinct(found, "arm")
    figure, panels = style.canvas(style.PAGE * 0.8, 0.8 + 0.17 * len(arms), 1, len(LAWS), sharex=True, sharey=True)
    for axes, (law, title) in zip(panels, LAWS.items(), strict=True):
        pooled = [rows.pooled(rows.where(found, arm=arm), law) for arm in arms]
        for place, (arm, row) in enumerate(zip(arms, pooled, strict=True)):
            plots.dots(axes, [row], law, [place], style.ARMS[arm])
        families = len(rows.distinct(found, "scenario"))
        axes.set(title=title, xlim=plots.SHARES)
        axes.set_xticks([0, 0.5, 1], ["0", "0.5", "1"])
        plots.names(axes, arms)
    panels[1].set_xlabel(f"share of {rows.span(pooled, 'n')} scenarios of {families} families that keep the law")
    return figure


FIGURE = Figure(reads=(RUNS,), draw=draw)
