"""Every value that some branch gives as a claim: nothing is decided, so nothing is lost and every wrong one is kept."""

from __future__ import annotations

from mergebench.arm import Arm, Output, Request
from mergebench.scenario import Scenario
from mergebench.transcript import cut


def work(scenario: Scenario, request: Request) -> Output:
    """Each value once, one a line, as far as the budget goes."""
    values = sorted({claim.value for session in scenario.sessions for claim in session.claims})
    return Output(cut("\n".join(values), request.budget, request.count))


ARM = Arm(work)
