"""The merge as it works offline: deterministic extraction, then the whole pipeline."""

from __future__ import annotations

from mergebench.arm import Arm, Output, Request
from mergebench.merging import OPTIONS, merged
from mergebench.scenario import Scenario


def work(scenario: Scenario, request: Request) -> Output:
    """Merge what the heuristic extractor finds."""
    return merged(scenario, request, "heuristic")


ARM = Arm(work, options=OPTIONS)
