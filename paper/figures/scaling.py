"""How the time and the memory of one merge grow with its input."""

from __future__ import annotations

from typing import Any

from paper import plots, rows, style
from paper.stage import Figure, Tables

RUNS = "mergebench-scaling/runs"
COSTS = {"seconds": "processor time (s)", "peak_mb": "peak memory (MB)"}
TICK = 0.01
"""Seconds below which the clock of a process says nothing; what took less is drawn at it."""


def draw(tables: Tables) -> Any:
    """A panel a cost, a line an arm, both axes logarithmic, with a line of slope one below."""
    found = sorted(tables[RUNS], key=lambda row: row["messages"])
    figure, panels = style.canvas(style.PAGE, 2.7, 1, len(COSTS))
    for axes, (cost, label) in zip(panels, COSTS.items(), strict=True):
        floor = TICK if cost == "seconds" else 0.0
        for arm in rows.distinct(found, "arm"):
            own = rows.where(found, arm=arm)
            heights = [max(row[cost], floor) for row in own]
            axes.plot([row["messages"] for row in own], heights, label=arm, **style.ARMS[arm].line_options())
        top = max(found, key=lambda row: (row["messages"], row[cost]))
        ends = [found[0]["messages"], top["messages"]]
        slope = [top[cost] * end / top["messages"] for end in ends]
        axes.plot(ends, slope, color=style.GREY, linewidth=0.8, linestyle=":", label="slope 1", zorder=1)
        if cost == "seconds":
            axes.axhline(TICK, color=style.GREY, linewidth=0.8, linestyle="--", label="the clock's tick", zorder=1)
        axes.set(xscale="log", yscale="log", xlabel="messages", ylabel=label)
        axes.grid(axis="both", which="major")
    plots.key(figure, panels[0], columns=1, loc="outside right center")
    return figure


FIGURE = Figure(reads=(RUNS,), draw=draw)
