"""The look of all figures: sizes, type, and one colour and marker for each thing wherever it appears.

The palette is Okabe and Ito's (2008), which colour-blind readers tell apart; markers and lines tell the same things
apart without colour. Sizes are inches at which the figure is printed, so that 8 points are 8 points on the page.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any

from experiment.tables import Row

COLUMN = 3.2
"""Width of a figure that takes half the text's width."""
PAGE = 6.3
"""Width of a figure that takes the whole text's width."""

BLACK, ORANGE, SKY, GREEN = "#000000", "#e69f00", "#56b4e9", "#009e73"
YELLOW, BLUE, VERMILION, PURPLE, GREY = "#f0e442", "#0072b2", "#d55e00", "#cc79a7", "#777777"


@dataclass(frozen=True, slots=True)
class Look:
    """How one thing is drawn: colour, marker, line."""

    colour: str
    marker: str
    line: Any = "-"

    def line_options(self) -> dict[str, Any]:
        """Keywords for ``plot`` and ``errorbar``."""
        return {
            "color": self.colour, "marker": self.marker, "linestyle": self.line, "markersize": 4, "linewidth": 1.1,
        }  # fmt: skip


_DOTS, _DASH = (0, (1, 1)), (0, (4, 2))

ARMS = {
    "heuristic": Look(BLUE, "o"),
    "live": Look(GREEN, "*"),
    "oracle": Look(BLACK, "P", _DASH),
    "snapshot": Look(SKY, "^"),
    "fusion": Look(PURPLE, "D"),
    "concat": Look(ORANGE, "v", _DOTS),
    "roundrobin": Look(ORANGE, "s", _DASH),
    "bm25": Look(VERMILION, "X", _DASH),
    "retrieve": Look(VERMILION, "p", _DOTS),
    "summary": Look(PURPLE, "h", _DASH),
    "lastwrite": Look(GREEN, "<", _DOTS),
    "single": Look(GREY, "d", _DOTS),
    "best_single": Look(GREY, ">", _DASH),
    "none": Look(GREY, ".", ":"),
    "turns": Look(SKY, "s"),
    "entities": Look(SKY, "D", _DASH),
    "keep_all": Look(GREY, "P", _DASH),
}
"""The arms of MergeBench and of its tracks."""

SEES_QUESTION = ("bm25", "retrieve", "turns")
"""Arms that are told the question, and have the whole budget for each."""
USES_TRUTH = ("best_single", "oracle")
"""Arms that are told what is true: bounds, not systems."""


def arm_label(arm: str) -> str:
    """An arm's name as it is read, marked where it sees the question or uses the truth."""
    mark = " (sees the question)" if arm in SEES_QUESTION else " (uses the truth)" if arm in USES_TRUTH else ""
    return arm + mark


TRAJECTORY_ARMS = {
    "flat": Look(ORANGE, "v", _DOTS),
    "flat_scripted": Look(PURPLE, "X", "--"),
    "flat_retention": Look(VERMILION, "s", "--"),
    "flat_measured": Look(BLACK, "P", "-."),
    "ledger_v1": Look(SKY, "^", ":"),
    "ledger_v2": Look(BLUE, "o"),
    "ledger_v2_uncorroborated": Look(GREY, "d", ":"),
    "ledger_v2_measured": Look(GREEN, "*", "-."),
}
"""The arms of the compaction experiment."""

REPRESENTATIONS = {
    "JOIN": Look(BLUE, "o"),
    "COUNT": Look(VERMILION, "s", "--"),
    "MAX": Look(PURPLE, "^", ":"),
    "SCORES": Look(GREEN, "x", "-."),
}
"""The summaries of the confluence experiment."""

OTHERS = (
    Look(BLUE, "o"), Look(VERMILION, "s", "--"), Look(GREEN, "^", ":"), Look(PURPLE, "D", "-."), Look(ORANGE, "v"),
    Look(SKY, "P", "--"), Look(BLACK, "x", ":"), Look(GREY, "d", "-."),
)  # fmt: skip
"""For things that have no fixed look, in order."""


def looks(names: Iterable[str]) -> dict[str, Look]:
    """A look for each of `names` that have none of their own, in order of appearance. Raises ValueError above eight."""
    distinct = list(dict.fromkeys(names))
    if len(distinct) > len(OTHERS):
        raise ValueError(f"{len(distinct)} things in one figure cannot be told apart; split it")
    return dict(zip(distinct, OTHERS, strict=False))


def settings() -> AbstractContextManager[None]:
    """Matplotlib's settings for every figure."""
    import matplotlib

    settings: Any = {
        "font.family": "DejaVu Sans", "font.size": 8, "axes.titlesize": 8, "axes.labelsize": 8,
        "xtick.labelsize": 7, "ytick.labelsize": 7, "legend.fontsize": 7, "legend.title_fontsize": 7,
        "legend.frameon": False, "axes.spines.top": False, "axes.spines.right": False, "axes.linewidth": 0.6,
        "xtick.major.width": 0.6, "ytick.major.width": 0.6, "axes.grid": False, "grid.linewidth": 0.4,
        "grid.color": "#dddddd", "errorbar.capsize": 2, "pdf.fonttype": 42, "savefig.pad_inches": 0.02,
    }  # fmt: skip
    return matplotlib.rc_context(settings)


def canvas(width: float, height: float, rows: int = 1, columns: int = 1, **options: Any) -> tuple[Any, Any]:
    """A figure of `width` by `height` inches and its axes, laid out so that nothing overlaps."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout="constrained")
    return figure, figure.subplots(rows, columns, **options)


def limits(rows: Sequence[Row], column: str) -> list[list[float]]:
    """The distances from ``column`` down to ``<column>_low`` and up to ``<column>_high``, as ``errorbar`` takes them.

    A row without limits gets NaN, which draws none.
    """

    def distance(row: Row, limit: str, sign: int) -> float:
        return float("nan") if row.get(limit) is None else max(0.0, sign * (row[limit] - row[column]))

    return [
        [distance(row, f"{column}_low", -1) for row in rows],
        [distance(row, f"{column}_high", 1) for row in rows],
    ]
