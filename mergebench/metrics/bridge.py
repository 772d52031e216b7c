"""Bridge questions: the share all of whose expected values, from different branches, are shown."""

from __future__ import annotations

from mergebench.metric import Column, Metric
from mergebench.metrics.local import share
from mergebench.scenario import Kind

METRIC = Metric((Column("bridge", "bridge"),), lambda case: {"bridge": share(case, Kind.BRIDGE)})
