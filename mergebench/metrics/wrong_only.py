"""Keys asserted with two values where only a wrong one is presented: the reader is misled."""

from __future__ import annotations

from mergebench.metric import Column, Metric
from mergebench.metrics._decided import share

METRIC = Metric((Column("wrong_only"),), lambda case: {"wrong_only": share(case, False, True)})
