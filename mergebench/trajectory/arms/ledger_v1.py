"""The ledger's first contract: tiers, beliefs, and a notice of what was retracted, given once, at the question."""

from __future__ import annotations

from mergebench.trajectory.arm import Arm, Request, WorkingSet
from mergebench.trajectory.ledgered import rendered
from mergebench.trajectory.trajectory import Trajectory


def work(trajectory: Trajectory, request: Request) -> WorkingSet:
    """The record."""
    return rendered(request.ledgers.story(trajectory).entries, request, contract="v1")


ARM = Arm(work, source="2v1")
