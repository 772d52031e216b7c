"""Scenarios in which an arm fell back to something lesser than it is named after."""

from __future__ import annotations

from mergebench.metric import Case, Column, Metric


def measure(case: Case) -> dict[str, float | None]:
    """1 when any of its contexts is degraded."""
    return {"degraded": float(any(reading.output.degraded for reading in case.distinct))}


METRIC = Metric((Column("degraded", "fell back", rate=False, total=True, interval=False),), measure)
