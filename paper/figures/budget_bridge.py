"""What a budget buys: questions across branches, and conflicts that are resolved, arm by arm."""

from __future__ import annotations

from typing import Any

from paper import plots, rows, style
from paper.stage import Figure, Tables

RUNS = "mergebench-budgets/runs"
ARMS = ("best_single", "concat", "roundrobin", "bm25", "retrieve", "lastwrite", "heuristic", "oracle")
SCORE = "egalitarian"
TITLES = {"bridge": "questions that need two branches", "unambiguous": "keys with two values"}
LABELS = {"bridge": "bridge (share answered)", "unambiguous": "unambiguous (share of keys)"}
APART = 1.02
"""The factor by which the points of two arms at one budget are set apart on the logarithmic axis."""


def draw(tables: Tables) -> Any:
    """A panel a measure, a line an arm."""
    chosen = rows.where(tables[RUNS], score=SCORE)
    figure, panels = style.canvas(style.PAGE, 3.3, 1, len(TITLES), sharey=True)
    budgets = sorted(rows.distinct(chosen, "budget"))
    for axes, (measure, title) in zip(panels, TITLES.items(), strict=True):
        for place, arm in zip(plots.beside(len(ARMS), 1), ARMS, strict=True):
            look, label = style.ARMS[arm], style.arm_label(arm)
            plots.line(axes, rows.where(chosen, arm=arm), "budget", measure, look, label=label, factor=APART**place)
        axes.set(xscale="log", xlabel="budget (tokens)", ylabel=LABELS[measure], title=title, ylim=plots.SHARES)
        axes.set_xticks(budgets, [f"{budget:,}" for budget in budgets])
        axes.minorticks_off()
        axes.yaxis.set_tick_params(labelleft=True)
    plots.key(figure, panels[0], columns=3)
    return figure


FIGURE = Figure(reads=(RUNS,), draw=draw)
