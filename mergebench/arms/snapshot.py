"""Session references: what users and the assistant said, without tools, reasoning or injected text."""

from __future__ import annotations

from mergebench.arm import Arm, Output, Request
from mergebench.scenario import Scenario
from mergebench.transcript import SPOKEN, cut, session_lines


def work(scenario: Scenario, request: Request) -> Output:
    """The spoken text of every branch, in order, until the budget is spent."""
    lines = [line for session in scenario.sessions for line in session_lines(session, SPOKEN)]
    return Output(cut("\n".join(lines), request.budget, request.count))


ARM = Arm(work)
