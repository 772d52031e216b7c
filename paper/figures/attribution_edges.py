"""What the shipped steps rest on: measured weights beside what was declared."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from experiment.tables import Row
from paper import plots, rows, style
from paper.stage import Figure, Tables

EDGES, STEPS = "attribution/edges", "attribution/steps"
PPM = 1_000_000
LOOKS = {True: ("declared", style.OTHERS[0]), False: ("not declared", style.OTHERS[1])}
Group = tuple[Row, Sequence[Row]]
"""A step and its edges."""
LINE = 0.145
"""Inches from one entry to the next."""


def draw(tables: Tables) -> Any:
    """A group a step under its verdict, a row an entry: the share of the context's effect, with its interval."""
    groups = [(step, _shares(rows.where(tables[EDGES], step_id=step["step_id"]))) for step in tables[STEPS]]
    sides = _halves(groups)
    lines = max(sum(1 + len(entries) for _, entries in side) for side in sides)
    figure, panels = style.canvas(style.PAGE, 0.75 + LINE * lines, 1, len(sides), sharex=True)
    for axes, side in zip(panels, sides, strict=True):
        _panel(axes, side, lines)
        axes.set(xlabel="measured share of f(all) − f(none)", xlim=plots.SHARES)
    plots.key(figure, *panels, columns=len(LOOKS))
    return figure


def _halves(groups: Sequence[Group]) -> list[list[Group]]:
    """The groups in order, cut in two where the columns come out most alike."""
    lines = [1 + len(entries) for _, entries in groups]
    cut = min(range(1, len(groups)), key=lambda place: abs(sum(lines[:place]) - sum(lines[place:])))
    return [list(groups[:cut]), list(groups[cut:])]


def _panel(axes: Any, side: Sequence[Group], lines: int) -> None:
    labels: list[str] = []
    for step, entries in side:
        axes.text(0, len(labels), f"{step['step_id']} ({step['verdict']})", va="center", weight="bold", fontsize=7)
        labels.append("")
        for declared, (label, look) in LOOKS.items():
            chosen = [(len(labels) + place, row) for place, row in enumerate(entries) if row["declared"] is declared]
            if chosen:
                heights, own = zip(*chosen, strict=True)
                plots.dots(axes, own, "share", heights, look, label=label, hollow=not declared)
        labels += [str(row["entry_id"]) for row in entries]
    places = [place for place, label in enumerate(labels) if label]
    axes.set_yticks(places, [label for label in labels if label])
    axes.set_ylim(lines - 0.4, -0.6)
    axes.tick_params(axis="y", length=0)
    axes.set_axisbelow(True)
    axes.grid(axis="y")


def _shares(edges: Sequence[Row]) -> Sequence[Row]:
    """The edges with their measured weights and limits as shares."""
    names = {"share": "measured_ppm", "share_low": "low_ppm", "share_high": "high_ppm"}
    return [
        {**edge, **{name: None if edge[ppm] is None else edge[ppm] / PPM for name, ppm in names.items()}}
        for edge in edges
    ]


FIGURE = Figure(reads=(EDGES, STEPS), draw=draw)
