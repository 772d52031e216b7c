"""Flat context after the worst compaction there is: a summary that keeps the premise and all that was concluded, and
drops the correction.
"""

from __future__ import annotations

from mergebench.trajectory import flat
from mergebench.trajectory.arm import Arm, Request, WorkingSet
from mergebench.trajectory.trajectory import Part, Trajectory


def work(trajectory: Trajectory, request: Request) -> WorkingSet:
    """Everything but corrections and chatter."""
    return flat.summary(trajectory.of(Part.PREMISE, Part.DERIVED, Part.SURPLUS, Part.FACT), request)


ARM = Arm(work, source="1, scripted")
