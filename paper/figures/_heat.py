"""A table of shares as a heat map with every value printed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

_DARK = 0.6
"""From here on the colour is dark enough for white type."""


def draw(axes: Any, values: Sequence[Sequence[float | None]], down: Sequence[str], across: Sequence[str], *,
         colours: str, title: str) -> None:  # fmt: skip
    """`values` in per cent, one row a name in `down`; a value that is not there leaves its cell white."""
    shown = [[float("nan") if value is None else value for value in line] for line in values]
    axes.imshow(shown, cmap=colours, vmin=0, vmax=1, aspect="auto")
    for y, line in enumerate(values):
        for x, value in enumerate(line):
            text = "–" if value is None else f"{100 * value:.0f}"
            dark = value is not None and value >= _DARK
            axes.text(x, y, text, ha="center", va="center", fontsize=6, color="white" if dark else "black")
    axes.set_xticks(range(len(across)), list(across), rotation=55, ha="right",
                    rotation_mode="anchor")  # fmt: skip
    axes.set_yticks(range(len(down)), down)
    axes.tick_params(length=0)
    axes.set_title(title)
    for side in axes.spines.values():
        side.set_visible(False)
    axes.set_xticks([x - 0.5 for x in range(1, len(across))], minor=True)
    axes.set_yticks([y - 0.5 for y in range(1, len(down))], minor=True)
    axes.grid(which="minor", color="white", linewidth=0.8)
    axes.tick_params(which="minor", length=0)
