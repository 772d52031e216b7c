"""The ledger's second contract: what fell is absent, what is corroborated stands first."""

from __future__ import annotations

from mergebench.trajectory.arm import Arm, Request, WorkingSet
from mergebench.trajectory.ledgered import rendered
from mergebench.trajectory.trajectory import Trajectory


def work(trajectory: Trajectory, request: Request) -> WorkingSet:
    """The working set."""
    return rendered(request.ledgers.story(trajectory).entries, request)


ARM = Arm(work, source="2")
