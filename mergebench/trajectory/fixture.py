"""``python -m mergebench.trajectory.fixture``: measured edges for the first trajectories, as no model measured them.

The weights are drawn around what the generator knows: near one for a conclusion that repeats its parent's value, near
zero for the premise that a surplus claim declares and does not use. They stand in for a run of attribution, so that
``ledger_v2_measured`` can be shown without one; scorer and model are called ``fixture``.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from experiment.seeds import stream
from experiment.tables import write_parquet
from mergebench.trajectory.edges import FIXTURE
from mergebench.trajectory.trajectory import CONCLUDED, Part, generate, part_of

TRAJECTORIES = 200
_HALF_WIDTH = 30_000
_PPM = 1_000_000


def rows(count: int = TRAJECTORIES) -> list[dict[str, Any]]:
    """One row a declared edge, in the columns of an attribution run that the experiment reads."""
    found = []
    for number in range(count):
        for event in generate(number).of(*CONCLUDED):
            for parent in event.parents:
                rng = stream("trajectory fixture", event.name, parent)
                idle = event.part is Part.SURPLUS and part_of(parent) is Part.PREMISE
                weight = rng.randrange(0, 50_000) if idle else rng.randrange(930_000, _PPM)
                found.append(
                    {
                        "claim_id": event.name,
                        "entry_id": parent,
                        "declared": True,
                        "weight_ppm": weight,
                        "low_ppm": max(0, weight - _HALF_WIDTH),
                        "high_ppm": min(_PPM, weight + _HALF_WIDTH),
                        "measured_ppm": weight,
                        "agreement": 0.9,
                        "verdict": "measured",
                        "scorer": "fixture",
                        "model": "fixture",
                    }
                )
    return found


def main(arguments: list[str] | None = None) -> int:
    """Write the fixture; returns the exit code."""
    parser = argparse.ArgumentParser(prog="python -m mergebench.trajectory.fixture", description=__doc__)
    parser.add_argument("--into", type=Path, default=FIXTURE, metavar="FILE", help="where to (default: the package)")
    given = parser.parse_args(arguments)
    given.into.parent.mkdir(parents=True, exist_ok=True)
    write_parquet(given.into, rows())
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
