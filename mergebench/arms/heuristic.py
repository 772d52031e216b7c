"""The merge as it works offline: deterministic extraction, then the whole pipeline."""

from __future__ import annotations

from mergebench.ablation import Reduced
from mergebench.arm import Arm, Output, Request
from mergebench.merging import OPTIONS, merged
from mergebench.scenario import Scenario


def work(scenario: Scenario, request: Request) -> Output:
    """Merge what the heuristic extractor finds; the options `alignment` and `chatter_filter` leave a part of it out."""
    aligned, filtered = request.options.get("alignment", True), request.options.get("chatter_filter", True)
    if aligned and filtered:
        return merged(scenario, request, "heuristic")
    return merged(scenario, request, Reduced(aligned=aligned, filtered=filtered))


ARM = Arm(work, options={**OPTIONS, "alignment": True, "chatter_filter": True})
