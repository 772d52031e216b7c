"""What rewording the correction does to the ledger: retraction, exposure, persistence."""

from __future__ import annotations

from typing import Any

from paper import plots, rows, style
from paper.stage import Figure, Tables

ROWS = "trajectory/reworded"
LABELS = {
    "persistence": "planted value answered (persistence)",
    "exposure": "planted value in the working set (exposure)",
    "survival": "correction in the working set (survival)",
    "passed": "premise retracted",
}
APART = 0.012


def draw(tables: Tables) -> Any:
    """A line a measure over the share of corrections that are reworded, with exact limits."""
    found = tables[ROWS]
    figure, axes = style.canvas(style.PAGE * 0.9, 2.5)
    for shift, (measure, label), look in zip(
        plots.beside(len(LABELS), APART), LABELS.items(), style.OTHERS, strict=False
    ):
        plots.line(axes, found, "paraphrase", measure, look, label=label, shift=shift)
    axes.set(
        xlabel="share of the corrections that are reworded",
        ylabel=f"share of {rows.span(found, 'n')} trajectories",
        xlim=(-0.06, 1.06),
        ylim=plots.SHARES,
    )
    axes.set_xticks(sorted(rows.distinct(found, "paraphrase")))
    plots.key(figure, axes, columns=1, loc="outside right center")
    return figure


FIGURE = Figure(reads=(ROWS,), draw=draw)
