"""Keys asserted with two values where the right one is presented and the wrong one is not.

Never read it without `bridge`: an arm that loses a branch loses the other side of its conflicts too, which looks
decisive and is data loss.
"""

from __future__ import annotations

from mergebench.metric import Column, Metric
from mergebench.metrics._decided import share

METRIC = Metric((Column("unambiguous", "unambiguous"),), lambda case: {"unambiguous": share(case, True, False)})
