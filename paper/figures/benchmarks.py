"""What is measured beside a peer or a plain reference, as a ratio: how many times less time or memory it takes."""

from __future__ import annotations

from typing import Any

from paper import plots, style
from paper.stage import Figure, Tables

RUNS = "benchmarks/runs"
LOOKS = {
    True: ("its bar holds", style.OTHERS[0]),
    False: ("its bar fails", style.OTHERS[1]),
    None: ("no bar", style.OTHERS[7]),
}


def draw(tables: Tables) -> Any:
    """A row a cost, with the range over rounds, on a logarithmic axis; right of the line ours takes less."""
    found = [row for row in tables[RUNS] if row["ratio"] is not None]
    figure, axes = style.canvas(style.PAGE, 0.8 + 0.155 * len(found))
    axes.axvline(1, color=style.BLACK, linewidth=0.7)
    for holds, (label, look) in LOOKS.items():
        places = [place for place, row in enumerate(found) if row["holds"] is holds]
        if places:
            chosen = [found[place] for place in places]
            plots.dots(axes, chosen, "ratio", places, look, label=label, hollow=holds is False)
    axes.set(xscale="log", xlabel="times less than what it is measured beside")
    plots.names(axes, [row["what"] for row in found])
    plots.key(figure, axes, columns=len(LOOKS))
    return figure


FIGURE = Figure(reads=(RUNS,), draw=draw)
