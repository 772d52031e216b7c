"""Seconds an arm takes for one scenario, all its contexts together."""

from __future__ import annotations

from mergebench.metric import Column, Metric

METRIC = Metric((Column("seconds", rate=False, interval=False),), lambda case: {"seconds": case.seconds})
