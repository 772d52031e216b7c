"""The one branch that answers most questions, chosen with the answers in hand: no choice of a branch can do better."""

from __future__ import annotations

from mergebench.arm import Arm, Output, Request
from mergebench.arms.single import work as single
from mergebench.match import shown
from mergebench.scenario import Scenario


def work(scenario: Scenario, request: Request) -> Output:
    """The branch whose text, cut to the budget, answers most; the first of equals."""
    outputs = [single(scenario, request, branch) for branch in range(len(scenario.sessions))]
    return max(outputs, key=lambda output: answered(scenario, output.text))


def answered(scenario: Scenario, text: str) -> int:
    """How many questions `text` answers."""
    return sum(bool(q.expects) and len(shown(text, q.expects)) == len(q.expects) for q in scenario.questions)


ARM = Arm(work, sees_truth=True)
