"""How many states a summary must tell apart, layer by layer, where the number of branches to come is known."""

from __future__ import annotations

from typing import Any

from paper import plots, rows, style
from paper.stage import Figure, Tables

LAYERS = "confluence-boundary/layers"
SPACES = (
    ("small", "well_formed", "well-formed", 3, 2, 4),
    ("seed", "general", "general", 3, 2, 3),
)
"""Space, form, how it is read, values, levels, branches: the longest horizon of each form with these values."""
SERIES = {
    "states": ("multisets (JOIN)", style.OTHERS[0]),
    "differences": ("vectors of differences", style.OTHERS[1]),
    "minimal": ("least, n − j to come", style.OTHERS[2]),
}


def draw(tables: Tables) -> Any:
    """Columns are a form and a score; three counts over the branches merged so far."""
    found = tables[LAYERS]
    scores = rows.distinct(found, "score")
    figure, panels = style.canvas(style.PAGE, 2.5, 1, len(SPACES) * len(scores), sharey=True)
    settings = [(space, score) for space in SPACES for score in scores]
    for axes, ((space, form, title, values, levels, branches), score) in zip(panels, settings, strict=True):
        own = rows.where(
            found, space=space, form=form, score=score, values=values, levels=levels, branches=branches
        )  # fmt: skip
        for column, (label, look) in SERIES.items():
            axes.plot([row["layer"] for row in own], [row[column] for row in own], label=label, **look.line_options())
        axes.set(yscale="log", xlabel="branches merged, j", title=f"{title}, {score}\nk = {values}, E = {levels}, "
                 f"n = {branches}")  # fmt: skip
        axes.set_xticks([row["layer"] for row in own])
        axes.grid(axis="y")
    panels[0].set_ylabel("states to tell apart")
    plots.key(figure, panels[0], columns=len(SERIES))
    return figure


FIGURE = Figure(reads=(LAYERS,), draw=draw)
