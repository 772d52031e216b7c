"""Points and lines with their intervals, drawn one way in every figure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from experiment.tables import Row
from paper import style
from paper.style import Look

HEAD = 0.045
"""Room beyond 0 and 1 on an axis of shares, so that a point there is drawn whole."""
SHARES = (-HEAD, 1 + HEAD)
_BARS = {"capsize": 1.8, "elinewidth": 0.7, "capthick": 0.7}


def line(
    axes: Any, rows: Sequence[Row], x: str, y: str, look: Look, *, label: str = "", shift: float = 0, factor: float = 1
) -> None:
    """A line of `rows` over ``x`` with the intervals of ``y``; `shift` and `factor` set it beside others."""
    ordered = sorted(rows, key=lambda row: row[x])
    axes.errorbar(
        [row[x] * factor + shift for row in ordered],
        [_number(row[y]) for row in ordered],
        yerr=style.limits(ordered, y),
        label=label,
        **look.line_options(),
        **_BARS,
    )


def dots(
    axes: Any, rows: Sequence[Row], column: str, places: Sequence[float], look: Look, *, label: str = "",
    hollow: bool = False,
) -> None:  # fmt: skip
    """A point a row at its height in `places`, with the interval of ``column`` across."""
    options = {**look.line_options(), "linestyle": "none", "markersize": 3.6}
    axes.errorbar(
        [_number(row[column]) for row in rows],
        list(places),
        xerr=style.limits(rows, column),
        label=label,
        markerfacecolor="white" if hollow else look.colour,
        **options,
        **_BARS,
    )


def names(axes: Any, labels: Sequence[str], *, rules: bool = True) -> None:
    """Name the heights 0, 1, … from the top down, with a faint line at each."""
    axes.set_yticks(range(len(labels)), labels)
    axes.set_ylim(len(labels) - 0.4, -0.6)
    axes.tick_params(axis="y", length=0)
    if rules:
        axes.set_axisbelow(True)
        axes.grid(axis="y")


def beside(count: int, apart: float) -> list[float]:
    """Shifts that set `count` things side by side, `apart` from each other, around 0."""
    return [(place - (count - 1) / 2) * apart for place in range(count)]


def key(figure: Any, *panels: Any, columns: int, loc: str = "outside lower center") -> None:
    """One legend for the figure, of what `panels` show, each label once and without its interval."""
    shown: dict[str, Any] = {}
    for axes in panels:
        for handle, label in zip(*axes.get_legend_handles_labels(), strict=True):
            shown.setdefault(label, handle[0] if isinstance(handle, tuple) and len(handle) == 3 else handle)
    figure.legend(shown.values(), shown, loc=loc, ncols=columns, columnspacing=1.2, handlelength=2.6)


def _number(value: float | None) -> float:
    return float("nan") if value is None else value
