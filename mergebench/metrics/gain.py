"""What merging adds: bridge questions answered beyond the best single branch's, paired over scenarios."""

from __future__ import annotations

from mergebench.metric import Case, Column, Metric
from mergebench.metrics.local import share
from mergebench.scenario import Kind


def measure(case: Case) -> dict[str, float | None]:
    """The best single branch's share, and how far the arm's is above it."""
    bridge, best = share(case, Kind.BRIDGE), case.best_single
    return {"best_single": best, "gain": None if bridge is None or best is None else bridge - best}


METRIC = Metric((Column("best_single", "best single"), Column("gain", "gain", signed=True)), measure)
