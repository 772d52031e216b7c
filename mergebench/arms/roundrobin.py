"""Messages taken from the branches in turn: the fair concatenation, in which a cut costs every branch the same."""

from __future__ import annotations

from mergebench.arm import Arm, Output, Request
from mergebench.scenario import Scenario
from mergebench.transcript import fair


def work(scenario: Scenario, request: Request) -> Output:
    """The first messages of each branch."""
    return Output(fair(scenario.sessions, request.budget, request.count))


ARM = Arm(work)
