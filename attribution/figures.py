"""Measured weights with their intervals, a panel a step."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from attribution.attribute import Attribution
from experiment.figures import Files, drawn

MOST = 12
"""Steps in one figure; of further ones the tables have the numbers."""
_DECLARED, _OTHER = "#0072b2", "#d55e00"
"""Okabe and Ito (2008): told apart by colour-blind readers."""


def weights(found: Sequence[Attribution]) -> Files:
    """Every entry's weight in the first `MOST` steps, with a 95 % interval where there is one."""
    shown = list(found[:MOST])
    return drawn("weights", lambda: _panels(shown), salt="attribution") if shown else {}


def _panels(found: Sequence[Attribution]) -> Any:
    from matplotlib.figure import Figure

    across = min(3, len(found))
    down = -(-len(found) // across)
    figure = Figure(figsize=(2.6 * across + 0.4, 1.7 * down + 0.6), layout="constrained")
    grid = figure.subplots(down, across, squeeze=False)
    for axes, one in zip(grid.flat, found, strict=False):
        _panel(axes, one)
    for axes in list(grid.flat)[len(found) :]:
        axes.set_axis_off()
    figure.supxlabel("entry, in its place in the context")
    figure.supylabel("weight, % of the whole context's effect")
    handles = {label: line for axes in grid.flat for line, label in zip(*axes.get_legend_handles_labels(), strict=True)}
    figure.legend(list(handles.values()), list(handles), loc="outside upper center", ncols=2, frameon=False)
    return figure


def _panel(axes: Any, one: Attribution) -> None:
    place = np.arange(len(one.step.entries))
    declared = np.array([entry.entry_id in one.step.declared for entry in one.step.entries])
    half = None if one.margin is None else 100.0 * one.margin
    for name, chosen, colour in (("declared", declared, _DECLARED), ("not declared", ~declared, _OTHER)):
        if chosen.any():
            axes.errorbar(place[chosen], 100.0 * one.weights[chosen], yerr=half, fmt="o", color=colour, label=name,
                          markersize=3, linewidth=1)  # fmt: skip
    axes.axhline(0.0, color="#888888", linewidth=0.5)
    axes.set_title(f"{one.step.step_id}: {one.verdict}", fontsize=7)
    axes.xaxis.get_major_locator().set_params(integer=True)
