"""Flat context after a compaction that keeps the correction with probability q (``scenario.retention``).

A trajectory draws one number, the same at every q: what is kept at one q is kept at every higher one.
"""

from __future__ import annotations

from experiment.seeds import stream
from mergebench.trajectory import flat
from mergebench.trajectory.arm import Arm, Request, WorkingSet
from mergebench.trajectory.trajectory import Part, Trajectory


def work(trajectory: Trajectory, request: Request) -> WorkingSet:
    """Everything but chatter, and the correction where it is kept."""
    kept = stream("retention", trajectory.number).random() < request.retention
    parts = [part for part in Part if part is not Part.CHATTER and (kept or part is not Part.CORRECTION)]
    return flat.summary(trajectory.of(*parts), request)


ARM = Arm(work)
