"""What rewording costs: the same facts told by two branches in the same words, or in other ones."""

from __future__ import annotations

from typing import Any

from paper import plots, rows, style
from paper.stage import Figure, Tables

RUNS = "mergebench-paraphrase/runs"
ARMS = ("best_single", "roundrobin", "bm25", "lastwrite", "heuristic", "oracle")
TITLES = {"bridge": "questions that need two branches", "unambiguous": "keys with two values"}
LABELS = {"bridge": "bridge (share answered)", "unambiguous": "unambiguous (share of keys)"}
APART = 0.012
"""How far the points of two arms at one share are set apart."""


def draw(tables: Tables) -> Any:
    """A panel a measure, a line an arm, over the share of facts that are reworded."""
    found = tables[RUNS]
    figure, panels = style.canvas(style.PAGE, 2.8, 1, len(LABELS), sharey=True)
    for axes, (measure, label) in zip(panels, LABELS.items(), strict=True):
        for place, arm in zip(plots.beside(len(ARMS), APART), ARMS, strict=True):
            own = rows.where(found, arm=arm)
            plots.line(axes, own, "paraphrase", measure, style.ARMS[arm], label=style.arm_label(arm), shift=place)
        axes.set(title=TITLES[measure], xlabel="share of the facts that are reworded", ylabel=label)
        axes.set(ylim=plots.SHARES, xlim=(-0.06, 1.06))
        axes.set_xticks(sorted(rows.distinct(found, "paraphrase")))
        axes.yaxis.set_tick_params(labelleft=True)
    plots.key(figure, panels[0], columns=3)
    return figure


FIGURE = Figure(reads=(RUNS,), draw=draw)
