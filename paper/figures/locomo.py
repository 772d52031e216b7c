"""Real conversations: how much of the evidence for a question is kept at a budget."""

from __future__ import annotations

from typing import Any

from paper import plots, rows, style
from paper.stage import Figure, Tables

RUNS = "track-locomo/runs"
SETTING, PART = "pairs", "all"
SEEING = ("bm25", "retrieve", "turns", "heuristic", "oracle")
UNSEEING = ("concat", "roundrobin", "heuristic", "oracle")
MEASURES = {"recall": "evidence kept (share)", "all_kept": "all of it kept (share)"}
COLUMNS = ((SEEING, True, "sees the question"), (UNSEEING, False, "does not see the question"))
APART = 12.0
"""Tokens of budget by which the points of two arms are set apart."""


def draw(tables: Tables) -> Any:
    """Rows are measures; on the left the arms that see the question, on the right those that do not."""
    found = rows.where(tables[RUNS], setting=SETTING, part=PART)
    figure, panels = style.canvas(style.PAGE, 3.9, len(MEASURES), len(COLUMNS), sharex=True, sharey=True)
    for line, (measure, label) in zip(panels, MEASURES.items(), strict=True):
        for axes, (arms, seen, title) in zip(line, COLUMNS, strict=True):
            for shift, arm in zip(plots.beside(len(arms), APART), arms, strict=True):
                own = rows.where(found, arm=arm, question_seen=seen)
                look = style.ARMS[arm]
                plots.line(axes, own, "budget", measure, look, label=arm, shift=shift)
            axes.set(ylim=plots.SHARES, ylabel=label)
            if measure == next(iter(MEASURES)):
                axes.set_title(title)
    budgets = sorted(rows.distinct(found, "budget"))
    for axes in panels[-1]:
        axes.set_xlabel("budget (tokens)")
        axes.set_xticks(budgets, [f"{budget:,}" for budget in budgets])
    plots.key(figure, *panels[0], columns=len({*SEEING, *UNSEEING}))
    return figure


FIGURE = Figure(reads=(RUNS,), draw=draw)
