"""Every arm on every family: questions that need two branches, and keys with two values."""

from __future__ import annotations

from typing import Any

from paper import rows, style
from paper.figures import _heat
from paper.stage import Figure, Tables

RUNS = "mergebench-panel/runs"
NOTHING = "none"
"""The arm that prints nothing, which is 0 throughout."""
TITLES = {"bridge": "bridge: answered (%)", "unambiguous": "unambiguous: right value alone (%)"}


def draw(tables: Tables) -> Any:
    """A panel a measure, a row a family, a column an arm."""
    found = tables[RUNS]
    families = rows.distinct(found, "scenario")
    arms = [arm for arm in rows.distinct(found, "arm") if arm != NOTHING]
    figure, panels = style.canvas(style.PAGE, 3.1, 1, len(TITLES), sharey=True)
    for axes, (measure, title) in zip(panels, TITLES.items(), strict=True):
        values = [[rows.one(found, scenario=family, arm=arm)[measure] for arm in arms] for family in families]
        _heat.draw(axes, values, families, arms, colours="Blues", title=title)
    return figure


FIGURE = Figure(reads=(RUNS,), draw=draw)
