"""The second contract with stored tiers: what two origins vouch for is labelled like what nobody does."""

from __future__ import annotations

from mergebench.trajectory.arm import Arm, Request, WorkingSet
from mergebench.trajectory.ledgered import rendered
from mergebench.trajectory.trajectory import Trajectory


def work(trajectory: Trajectory, request: Request) -> WorkingSet:
    """The working set without corroboration."""
    return rendered(request.ledgers.story(trajectory).entries, request, corroboration=False)


ARM = Arm(work, source="2b")
