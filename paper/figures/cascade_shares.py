"""What a wrong slot does to the claims derived from it: deleted, resurrected, or both in one profile."""

from __future__ import annotations

from typing import Any

from experiment.tables import Row
from paper import plots, rows, style
from paper.stage import Figure, Tables

RUNS = "confluence-cascade/runs"
REPRESENTATIONS = ("COUNT", "MAX")
PARTS = {"only deleted": (style.SKY, ""), "both": (style.BLACK, ""), "only resurrected": (style.ORANGE, "////")}
"""Colour and hatching of what a bar is made of."""


def draw(tables: Tables) -> Any:
    """A panel a score, a bar a graph and representation: exact shares, which add up to all profiles that fail."""
    found = [row for row in tables[RUNS] if row["representation"] in REPRESENTATIONS]
    graphs = rows.distinct(found, "graph", "branches")
    scores = rows.distinct(found, "score")
    figure, panels = style.canvas(style.PAGE, 0.95 + 0.17 * len(graphs) * 2, 1, len(scores), sharey=True, sharex=True)
    for axes, score in zip(panels, scores, strict=True):
        bars = [
            rows.one(found, score=score, graph=graph, branches=branches, representation=name)
            for graph, branches in graphs
            for name in REPRESENTATIONS
        ]
        _bars(axes, bars)
        plots.names(axes, [_name(row) for row in bars], rules=False)
        axes.set(title=score, xlabel="share of profiles", xlim=(0, None))
        for place in range(len(REPRESENTATIONS), len(bars), len(REPRESENTATIONS)):
            axes.axhline(place - 0.5, color="#dddddd", linewidth=0.6)
    plots.key(figure, panels[0], columns=len(PARTS))
    return figure


def _bars(axes: Any, bars: list[Row]) -> None:
    lefts = [0.0] * len(bars)
    for label, (colour, hatch) in PARTS.items():
        widths = [_part(row, label) / row["total"] for row in bars]
        axes.barh(range(len(bars)), widths, left=lefts, height=0.7, color=colour, hatch=hatch, label=label,
                  edgecolor="white", linewidth=0)  # fmt: skip
        lefts = [left + width for left, width in zip(lefts, widths, strict=True)]


def _part(row: Row, label: str) -> int:
    if label == "both":
        return int(row["mixed"])
    return int(row["deleted" if label == "only deleted" else "resurrected"]) - int(row["mixed"])


def _name(row: Row) -> str:
    graph = f"{row['graph']}, n = {row['branches']}  " if row["representation"] == REPRESENTATIONS[0] else ""
    return f"{graph}{row['representation']}"


FIGURE = Figure(reads=(RUNS,), draw=draw)
