"""The second contract over measured edges: a declared dependency that was measured near zero passes nothing on.

Weights come from the ``edges.parquet`` of an attribution run (`arm.options.edges`), by default from the fixture that
``python -m mergebench.trajectory.fixture`` writes.
"""

from __future__ import annotations

from mergebench.trajectory.arm import Arm, Request, WorkingSet
from mergebench.trajectory.edges import edges_of
from mergebench.trajectory.ledgered import rendered
from mergebench.trajectory.trajectory import Trajectory


def work(trajectory: Trajectory, request: Request) -> WorkingSet:
    """The working set once the edges are in. Raises UsageError for a file that holds none."""
    found = edges_of(str(request.options["edges"]))
    return rendered(request.ledgers.measured(trajectory, found.measured, found.report), request)


ARM = Arm(work, source="3", options={"edges": ""})
