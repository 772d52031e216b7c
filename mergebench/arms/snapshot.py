"""Session references: what users and the assistant said, without tools, reasoning or injected text."""

from __future__ import annotations

from mergebench.arm import Arm, Output, Request
from mergebench.scenario import Scenario
from mergebench.transcript import SPOKEN, transcript


def work(scenario: Scenario, request: Request) -> Output:
    """The spoken text of every branch, in order, until the budget is spent."""
    return Output(transcript(scenario.sessions, request.budget, request.count, SPOKEN))


ARM = Arm(work)
