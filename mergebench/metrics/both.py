"""Keys per scenario where the right value and a wrong one are both presented: the reader has to decide."""

from __future__ import annotations

from mergebench.metric import Case, Column, Metric
from mergebench.metrics._decided import count


def measure(case: Case) -> dict[str, float | None]:
    """The number in this scenario."""
    return {"both": count(case, True, True)}


METRIC = Metric((Column("both", "both", rate=False),), measure)
