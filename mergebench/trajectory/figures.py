"""Persistence against what a compaction keeps, and against each other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from experiment.figures import Files, drawn
from experiment.tables import Row
from mergebench.trajectory.registry import TRAJECTORY

_STYLES = {
    "flat": ("#e69f00", "v", (0, (1, 1))),
    "flat_scripted": ("#cc79a7", "X", "--"),
    "flat_retention": ("#d55e00", "s", "--"),
    "flat_measured": ("#000000", "P", "-."),
    "ledger_v1": ("#56b4e9", "^", ":"),
    "ledger_v2": ("#0072b2", "o", "-"),
    "ledger_v2_uncorroborated": ("#999999", "d", ":"),
    "ledger_v2_measured": ("#009e73", "*", "-."),
}
"""Okabe and Ito (2008): told apart by colour-blind readers, and by marker without colour."""
_OTHER = ("#666666", ".", "-")


def retention_curves(rows: Sequence[Row]) -> Files:
    """Persistence against q, a line an arm; none where q does not vary."""
    chosen = _known(rows)
    if len({row["retention"] for row in chosen}) < 2:
        return {}
    return drawn("persistence-retention", lambda: _curves(chosen), salt=TRAJECTORY)


def by_arm(rows: Sequence[Row]) -> Files:
    """Persistence, survival and exposure of every arm; none for a single arm."""
    chosen = _known(rows)
    if len(chosen) < 2:
        return {}
    return drawn("arms", lambda: _bars(chosen), salt=TRAJECTORY)


def _known(rows: Sequence[Row]) -> list[Row]:
    return [row for row in rows if row.get("scenario") == TRAJECTORY and row.get("persistence") is not None]


def _curves(rows: Sequence[Row]) -> Any:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(4.6, 3.0), layout="constrained")
    axes = figure.subplots()
    axes.plot([0, 1], [1, 0], color="#bbbbbb", linewidth=0.8, label="1 − q", zorder=1)
    arms = list(dict.fromkeys(row["arm"] for row in rows))
    for place, arm in enumerate(arms):
        colour, marker, line = _STYLES.get(arm, _OTHER)
        mine = sorted((row for row in rows if row["arm"] == arm), key=lambda row: row["retention"])
        # Set apart a little, so that intervals at one q do not hide each other.
        places = [row["retention"] + 0.006 * (place - (len(arms) - 1) / 2) for row in mine]
        axes.errorbar(
            places, [row["persistence"] for row in mine], yerr=_limits(mine, "persistence"),
            color=colour, marker=marker, linestyle=line, markersize=4, linewidth=1, capsize=2, label=arm,
        )  # fmt: skip
    axes.set_xlabel("probability q that compaction keeps the correction")
    axes.set_ylabel("persistence of the planted premise\n(share of answers)")
    axes.set_xlim(-0.03, 1.03)
    axes.set_ylim(-0.03, 1.03)
    n = sorted({row["n"] for row in rows})
    axes.legend(frameon=False, title=f"exact 95 % intervals, n = {', '.join(map(str, n))}")
    return figure


def _bars(rows: Sequence[Row]) -> Any:
    from matplotlib.figure import Figure

    names = ("persistence", "survival", "exposure")
    figure = Figure(figsize=(6.4, 0.28 * len(rows) + 0.9), layout="constrained")
    panels = figure.subplots(1, len(names), sharey=True)
    for axes, name in zip(panels, names, strict=True):
        for place, row in enumerate(rows):
            colour, marker, _ = _STYLES.get(row["arm"], _OTHER)
            axes.errorbar(
                [row[name]], [-place], xerr=_limits([row], name),
                color=colour, marker=marker, markersize=5, linewidth=1, capsize=2,
            )  # fmt: skip
        axes.set_xlim(-0.05, 1.05)
        axes.set_xticks([0, 0.5, 1])
        axes.set_title(name)
        axes.grid(axis="x", linewidth=0.3)
    figure.supxlabel("share of trajectories, exact 95 % intervals")
    panels[0].set_yticks([-place for place in range(len(rows))], [f"{row['arm']} (n = {row['n']})" for row in rows])
    return figure


def _limits(rows: Sequence[Row], name: str) -> list[list[float]]:
    return [
        [max(0.0, row[name] - row[f"{name}_low"]) for row in rows],
        [max(0.0, row[f"{name}_high"] - row[name]) for row in rows],
    ]
