"""How much of a budget an arm spends: the merge stops when nothing is left to say."""

from __future__ import annotations

from typing import Any

from paper import plots, rows, style
from paper.stage import Figure, Tables

RUNS = "mergebench-budgets/runs"
ARMS = ("best_single", "concat", "snapshot", "bm25", "lastwrite", "heuristic", "oracle")
SCORE = "egalitarian"
APART = 7.0
"""Tokens of budget by which the points of two arms are set apart."""


def draw(tables: Tables) -> Any:
    """Tokens printed over the budget, with the line on which all of it is spent."""
    chosen = rows.where(tables[RUNS], score=SCORE)
    figure, axes = style.canvas(style.PAGE * 0.8, 2.7)
    budgets = sorted(rows.distinct(chosen, "budget"))
    axes.plot(
        [0, budgets[-1]], [0, budgets[-1]], color=style.GREY, linewidth=0.8, linestyle=":", label="all of it spent"
    )
    for place, arm in zip(plots.beside(len(ARMS), APART), ARMS, strict=True):
        look, label = style.ARMS[arm], style.arm_label(arm)
        plots.line(axes, rows.where(chosen, arm=arm), "budget", "tokens", look, label=label, shift=place)
    most = max(row["tokens_high"] or row["tokens"] for row in chosen)
    axes.set(xlabel="budget (tokens)", ylabel="printed (tokens)", xlim=(0, None), ylim=(0, 1.1 * most))
    axes.set_xticks(budgets)
    axes.tick_params(axis="x", labelrotation=45)
    plots.key(figure, axes, columns=1, loc="outside right center")
    return figure


FIGURE = Figure(reads=(RUNS,), draw=draw)
