"""All branches one after the other, cut to the budget: what pasting does."""

from __future__ import annotations

from mergebench.arm import Arm, Output, Request
from mergebench.scenario import Scenario
from mergebench.transcript import transcript


def work(scenario: Scenario, request: Request) -> Output:
    """Every message of every channel, in order, until the budget is spent."""
    return Output(transcript(scenario.sessions, request.budget, request.count))


ARM = Arm(work)
