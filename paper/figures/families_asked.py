"""What each family is about: ties, retractions, planted text, credentials, dead ends."""

from __future__ import annotations

from typing import Any

from paper import rows, style
from paper.figures import _heat
from paper.stage import Figure, Tables

RUNS, ASKED = "mergebench-panel/runs", "mergebench-ablations/runs"
"""The second says which measures a family is read by."""
ELSEWHERE = ("bridge", "unambiguous")
"""Measures that the figure `families` shows."""
PANELS = ((False, "Blues", "more is better (%)"), (True, "Oranges", "less is better (%)"))


def draw(tables: Tables) -> Any:
    """Measures of which a good arm has much above those of which it has little; a column an arm."""
    found = tables[RUNS]
    asked = [pair for pair in rows.distinct(tables[ASKED], "scenario", "measure") if pair[1] not in ELSEWHERE]
    arms = rows.distinct(found, "arm")
    halves = [[pair for pair in asked if (pair[1] in rows.LESS_IS_BETTER) is less] for less, _, _ in PANELS]
    heights = [max(1, len(half)) for half in halves]
    figure, panels = style.canvas(
        style.PAGE, 1.3 + 0.17 * sum(heights), 2, 1, sharex=True, gridspec_kw={"height_ratios": heights}
    )
    for axes, half, (_, colours, title) in zip(panels, halves, PANELS, strict=True):
        values = [[rows.one(found, scenario=family, arm=arm)[measure] for arm in arms] for family, measure in half]
        names = [f"{family}: {rows.words(measure)}" for family, measure in half]
        _heat.draw(axes, values, names, arms, colours=colours, title=title)
    panels[0].tick_params(axis="x", labelbottom=False)
    return figure


FIGURE = Figure(reads=(RUNS, ASKED), draw=draw)
