"""Memory an arm takes for one context, where the family measures it: most bytes held at once, in MB of 2^20."""

from __future__ import annotations

from mergebench.metric import Case, Column, Metric


def measure(case: Case) -> dict[str, float | None]:
    """The peak; None where it was not measured."""
    return {"peak_mb": None if case.peak is None else case.peak / 2**20}


METRIC = Metric((Column("peak_mb", "peak MB", rate=False, interval=False, families=("scale",)),), measure)
