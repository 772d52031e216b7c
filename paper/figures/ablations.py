"""What each stage of the merge is worth, by the measures that a family is about."""

from __future__ import annotations

from typing import Any

from paper import plots, rows, style
from paper.stage import Figure, Tables

RUNS = "mergebench-ablations/runs"
STAGES = ("alignment", "derivation", "trust", "packing", "chatter_filter")
ELSEWHERE = "bridge"
"""The measure that every family has."""
ROOM = 0.08


def draw(tables: Tables) -> Any:
    """A panel a stage, a row a family and measure: the whole arm less the arm without the stage, paired.

    A dash stands where fewer than two scenarios have a value without the stage. Measures in which no stage is worth
    anything are left out.
    """
    found = [row for row in tables[RUNS] if row["measure"] != ELSEWHERE and any(row.get(stage) for stage in STAGES)]
    figure, panels = style.canvas(style.PAGE * 0.9, 1.1 + 0.165 * len(found), 1, len(STAGES), sharey=True, sharex=True)
    for axes, stage in zip(panels, STAGES, strict=True):
        axes.axvline(0, color=style.BLACK, linewidth=0.6)
        for place, row in enumerate(found):
            less = row["measure"] in rows.LESS_IS_BETTER
            look = style.OTHERS[1] if less else style.OTHERS[0]
            if row.get(f"{stage}_low") is None:
                axes.text(0, place, "–", ha="center", va="center", color=style.GREY, backgroundcolor="white")
            else:
                plots.dots(axes, [row], stage, [place], look, hollow=less)
        axes.set(title=rows.words(stage))
        plots.names(axes, [f"{row['scenario']}: {rows.words(row['measure'])}" for row in found])
    ends = [row.get(f"{stage}{end}") for row in found for stage in STAGES for end in ("_low", "_high")]
    known = [end for end in ends if end is not None]
    panels[0].set_xlim(min(known) - ROOM, max(known) + ROOM)
    for number, label in enumerate(("more is better", "less is better")):
        plots.dots(panels[0], [{"x": None}], "x", [0], style.OTHERS[number], label=label, hollow=bool(number))
    panels[len(STAGES) // 2].set_xlabel("share with all stages less share without this one")
    plots.key(figure, panels[0], columns=2)
    return figure


FIGURE = Figure(reads=(RUNS,), draw=draw)
