"""The three families of the benchmark. A member is one file; `register` adds one at run time.

To add one, write ``mergebench/arms/<name>.py`` defining `ARM` (an `Arm`), ``mergebench/scenarios/<name>.py`` defining
`FAMILY` (a `Family`), or ``mergebench/metrics/<name>.py`` defining `METRIC` (a `Metric`). It is then on the command
line, in the panel, in the tables and in the conformance tests.
"""

from __future__ import annotations

from beliefmerge.registry import Registry
from mergebench.arm import Arm
from mergebench.metric import Metric
from mergebench.scenario import Family

ARMS: Registry[Arm] = Registry("arm", "mergebench.arms", "ARM")
SCENARIOS: Registry[Family] = Registry("scenario", "mergebench.scenarios", "FAMILY")
METRICS: Registry[Metric] = Registry("metric", "mergebench.metrics", "METRIC")
