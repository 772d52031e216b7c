"""The merge as it works with a model: one call extracts claims over all branches, every quote checked.

A scenario whose reply is of no use even when asked again is merged from heuristic claims, and counted as degraded.
"""

from __future__ import annotations

from mergebench.arm import Arm, Output, Request
from mergebench.merging import OPTIONS, merged
from mergebench.scenario import Scenario


def work(scenario: Scenario, request: Request) -> Output:
    """Merge what the model finds; with the option `adjudicate`, it is also offered the ties."""
    return merged(scenario, request, "joint", model=request.model, adjudicate=bool(request.options["adjudicate"]))


ARM = Arm(work, asks_model=True, options={**OPTIONS, "adjudicate": False})
