"""Seconds an arm takes for one scenario, all its contexts together."""

from __future__ import annotations

from mergebench.metric import Column, Metric

COLUMN = Column("seconds", "seconds", rate=False, interval=False, families=("scale",))
METRIC = Metric((COLUMN,), lambda case: {"seconds": case.seconds})
