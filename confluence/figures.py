"""Figures, the same bytes each time: no dates, fixed identifiers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from experiment import figures
from experiment.figures import Files
from experiment.tables import Row

_COLOURS = {"JOIN": "#0072b2", "COUNT": "#d55e00", "MAX": "#cc79a7", "SCORES": "#009e73"}
"""Okabe and Ito (2008): told apart by colour-blind readers."""
_MARKERS = {"JOIN": "o", "COUNT": "s", "MAX": "^", "SCORES": "x"}
_LINES = ("-", "--", ":", "-.")


def drawn(name: str, draw: Callable[[], Any]) -> Files:
    """`name` as SVG and PDF. `draw` makes a Matplotlib figure."""
    return figures.drawn(name, draw, salt="confluence")


def failure_rates(rows: Sequence[Row]) -> Mapping[str, Callable[[], bytes]]:
    """Failure rate against the number of branches, a figure a form and shape; none where n does not vary."""
    files: dict[str, Callable[[], bytes]] = {}
    for form, shape in sorted({(row["form"], row["shape"]) for row in rows}):
        chosen = [row for row in rows if (row["form"], row["shape"]) == (form, shape)]
        if len({row["branches"] for row in chosen}) > 1:
            files |= drawn(f"failure-rate-{form}-{shape}".replace("_", "-"), lambda chosen=chosen: _panels(chosen))  # type: ignore[misc]
    return files


def _panels(rows: Sequence[Row]) -> Any:
    """A panel for each number of values and levels."""
    from matplotlib.figure import Figure

    values, levels = (sorted({row[name] for row in rows}) for name in ("values", "levels"))
    figure = Figure(figsize=(2.1 * len(levels) + 1.2, 1.8 * len(values) + 0.6), layout="constrained")
    grid = figure.subplots(len(values), len(levels), sharex=True, sharey=True, squeeze=False)
    for i, k in enumerate(values):
        for j, e in enumerate(levels):
            _lines(grid[i][j], [row for row in rows if row["values"] == k and row["levels"] == e])
            grid[i][j].set_title(f"k = {k}, E = {e}")
            if i == len(values) - 1:
                grid[i][j].set_xlabel("branches n")
            if j == 0:
                grid[i][j].set_ylabel("failure rate")
    handles = {label: line for axes in grid.flat for line, label in zip(*axes.get_legend_handles_labels(), strict=True)}
    figure.legend(list(handles.values()), list(handles), loc="outside right center", frameon=False)
    return figure


def _lines(axes: Any, rows: Sequence[Row]) -> None:
    from matplotlib.ticker import MaxNLocator

    scores = sorted({row["score"] for row in rows})
    for representation in _COLOURS:
        for number, score in enumerate(scores):
            line = sorted(
                (row["branches"], row["rate"])
                for row in rows
                if row["representation"] == representation and row["score"] == score
            )
            axes.plot(
                [n for n, _ in line], [rate for _, rate in line], _LINES[number % len(_LINES)],
                color=_COLOURS[representation], marker=_MARKERS[representation], markersize=3, linewidth=1,
                label=f"{representation} {score}",
            )  # fmt: skip
    axes.set_ylim(-0.03, 1.03)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))


_COUNTS = {
    "states": ("multisets of opinions", "#0072b2", "o", "-"),
    "differences": ("score differences (formula)", "#009e73", "s", "--"),
    "minimal": ("minimal on this horizon", "#d55e00", "^", ":"),
}


def state_counts(layers: Sequence[Row]) -> Mapping[str, Callable[[], bytes]]:
    """States against the number of branches read, a figure a form and score; of each k and E the longest horizon."""
    files: dict[str, Callable[[], bytes]] = {}
    for form, score in sorted({(row["form"], row["score"]) for row in layers}):
        chosen = [row for row in layers if (row["form"], row["score"]) == (form, score)]
        files |= drawn(f"state-counts-{form}-{score}".replace("_", "-"), lambda chosen=chosen: _horizons(chosen))  # type: ignore[misc]
    return files


def _horizons(layers: Sequence[Row]) -> Any:
    """A panel for each number of values and levels, four in a row."""
    from matplotlib.figure import Figure
    from matplotlib.ticker import MaxNLocator

    longest: dict[tuple[int, int], int] = {}
    for row in layers:
        about = (row["values"], row["levels"])
        longest[about] = max(row["branches"], longest.get(about, 0))
    across = min(4, len(longest))
    down = -(-len(longest) // across)
    figure = Figure(figsize=(1.9 * across + 0.6, 1.8 * down + 0.6), layout="constrained")
    grid = figure.subplots(down, across, squeeze=False)
    for axes, ((k, e), n) in zip(grid.flat, sorted(longest.items()), strict=False):
        mine = [row for row in layers if (row["values"], row["levels"], row["branches"]) == (k, e, n)]
        for name, (label, colour, marker, style) in _COUNTS.items():
            line = sorted((row["layer"], row[name]) for row in mine if row[name] is not None)
            axes.plot(
                [layer for layer, _ in line], [count for _, count in line], style,
                color=colour, marker=marker, markersize=3, linewidth=1, label=label,
            )  # fmt: skip
        axes.set_yscale("log")
        axes.set_title(f"k = {k}, E = {e}, n = {n}")
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    for axes in list(grid.flat)[len(longest) :]:
        axes.set_axis_off()
    for row in grid:
        row[0].set_ylabel("states")
    figure.supxlabel("branches read")
    handles, labels = grid.flat[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside upper center", ncols=3, frameon=False)
    return figure
