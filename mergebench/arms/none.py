"""Nothing at all: what a reader without any context is given."""

from __future__ import annotations

from mergebench.arm import Arm, Output, Request
from mergebench.scenario import Scenario


def work(scenario: Scenario, request: Request) -> Output:
    """The empty text."""
    return Output("")


ARM = Arm(work)
