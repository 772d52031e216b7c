"""The first branch alone, cut to the budget."""

from __future__ import annotations

from mergebench.arm import Arm, Output, Request
from mergebench.scenario import Scenario
from mergebench.transcript import transcript


def work(scenario: Scenario, request: Request, branch: int = 0) -> Output:
    """The text of one branch."""
    return Output(transcript([scenario.sessions[branch]], request.budget, request.count))


ARM = Arm(work)
