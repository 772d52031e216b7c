"""How often a summary that collapses between merges ends in another decision, as branches are added."""

from __future__ import annotations

from typing import Any

from paper import plots, rows, style
from paper.stage import Figure, Tables

RUNS = "confluence-counts/runs"
SPACES = ((2, 4), (3, 2), (4, 1))
"""Values and levels of the columns; of these both forms are counted up to the same number of branches."""
FORMS = {"well_formed": "well-formed", "general": "general"}
SCORES = {"egalitarian": ("-", True), "elitist": ((0, (4, 2)), False)}
"""Line and whether the marker is filled, by score."""
APART = 0.04


def draw(tables: Tables) -> Any:
    """Rows are forms, columns sizes: exact shares of the profiles in which some fold fails."""
    found = rows.where(tables[RUNS], space="wide", shape="fold")
    shape = (len(FORMS), len(SPACES))
    figure, panels = style.canvas(style.PAGE, 4.0, *shape, sharex=True, sharey=True)
    for across, (values, levels) in enumerate(SPACES):
        for down, (form, title) in enumerate(FORMS.items()):
            own = rows.where(found, values=values, levels=levels, form=form)
            _panel(panels[down][across], own)
            panels[down][across].set_title(f"{title}, k = {values}, E = {levels}")
    for axes in panels[-1]:
        axes.set(xlabel="branches n", ylim=plots.SHARES)
        axes.set_xticks(sorted(rows.distinct(own, "branches")))
    for line in panels:
        line[0].set_ylabel("share of profiles that fail")
    plots.key(figure, panels[0][0], columns=4)
    return figure


def _panel(axes: Any, own: Any) -> None:
    shown = [(name, score) for name in style.REPRESENTATIONS for score in SCORES]
    for shift, (name, score) in zip(plots.beside(len(shown), APART), shown, strict=True):
        points = sorted(rows.where(own, representation=name, score=score), key=lambda row: row["branches"])
        look, (line, filled) = style.REPRESENTATIONS[name], SCORES[score]
        axes.plot(
            [row["branches"] + shift for row in points],
            [row["rate"] for row in points],
            label=f"{name}, {score}",
            **look.line_options() | {"linestyle": line, "markerfacecolor": look.colour if filled else "white"},
        )


FIGURE = Figure(reads=(RUNS,), draw=draw)
