"""Every arm of the compaction experiment: what it answers, and what its working set holds."""

from __future__ import annotations

from typing import Any

from paper import plots, rows, style
from paper.stage import Figure, Tables

RUNS = "trajectory/runs"
TITLES = {
    "persistence": "persistence:\nthe planted value\nis answered",
    "exposure": "exposure:\nthe planted value\nis shown",
    "survival": "survival:\nthe correction\nis shown",
    "kept": "kept: a claim that\ndid not rest on it\nis shown",
}


def draw(tables: Tables) -> Any:
    """A panel a measure, a row an arm, with exact limits; a dash where it was not measured."""
    found = tables[RUNS]
    figure, panels = style.canvas(style.PAGE, 1.0 + 0.18 * len(found), 1, len(TITLES), sharey=True, sharex=True)
    for axes, (measure, title) in zip(panels, TITLES.items(), strict=True):
        for place, row in enumerate(found):
            if row[measure] is None:
                axes.text(0.5, place, "not measured", ha="center", va="center", fontsize=6.5, color=style.GREY,
                          backgroundcolor="white")  # fmt: skip
            plots.dots(axes, [row], measure, [place], style.TRAJECTORY_ARMS[row["arm"]])
        axes.set_title(title)
        plots.names(axes, [row["arm"] for row in found])
    panels[0].set_xlim(*plots.SHARES)
    panels[0].set_xticks([0, 0.5, 1], ["0", "0.5", "1"])
    figure.supxlabel(f"share of {rows.span(found, 'n')} trajectories", fontsize=8)
    return figure


FIGURE = Figure(reads=(RUNS,), draw=draw)
