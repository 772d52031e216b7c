"""Columns of the tables of trajectories."""

from __future__ import annotations

from experiment import tables
from experiment.tables import Column

RATES = ("persistence", "survival", "exposure", "right", "abstained", "carried", "kept", "passed", "twin_changed")
"""Columns that are shares of trajectories, with exact limits; see `mergebench.trajectory.measure`."""


def settings() -> list[Column]:
    """What tells rows apart, beyond what every scenario has."""
    return [tables.named("reader"), tables.number("retention", "q", digits=2)]


def rates() -> list[Column]:
    """What is measured, but for the tokens."""
    return [tables.percent(name) for name in ("persistence", "survival", "exposure", "right", "carried", "kept")]


def columns() -> list[Column]:
    """The table of one run."""
    about = [tables.named("arm"), tables.number("budget"), *settings(), tables.number("n")]
    return [*about, *rates(), tables.number("tokens")]
