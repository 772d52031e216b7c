"""Flat context without a compaction: the newest messages that fit."""

from __future__ import annotations

from mergebench.trajectory import flat
from mergebench.trajectory.arm import Arm, Request, WorkingSet
from mergebench.trajectory.trajectory import Trajectory


def work(trajectory: Trajectory, request: Request) -> WorkingSet:
    """The transcript."""
    return flat.transcript(trajectory.events, request)


ARM = Arm(work, source="1")
