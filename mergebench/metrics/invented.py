"""Invented values: vocabulary values a context shows although no branch asserts them, per scenario."""

from __future__ import annotations

from statistics import fmean

from mergebench.match import shown
from mergebench.metric import Case, Column, Metric


def measure(case: Case) -> dict[str, float | None]:
    """Their number; for an arm that sees the question, the mean over its contexts."""
    return {"invented": fmean(len(shown(reading.text, case.scenario.decoys)) for reading in case.distinct)}


METRIC = Metric((Column("invented", "invented", rate=False),), measure)
