"""Keys asserted with two values of which none is presented: lost, or withheld."""

from __future__ import annotations

from mergebench.metric import Column, Metric
from mergebench.metrics._decided import share

METRIC = Metric((Column("absent"),), lambda case: {"absent": share(case, False, False)})
