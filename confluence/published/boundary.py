"""How much a summary must keep, and what each one confuses."""

from confluence.boundary import EXPERIMENT
from experiment.published import Part, Published, Recorded

PUBLISHED = Published(
    "confluence-boundary",
    "States that a confluent summary needs, what each summary confuses, overlapping sources, and what z3 proves",
    [
        Part(
            Recorded(EXPERIMENT),
            ["space=seed", "space=small smt.run=true smt.values=3 smt.branches=3 smt.seconds=60"],
            tables=("layers", "overlap", "idempotence", "smt"),
            sampled=lambda arguments: "space=seed" in arguments,
        )
    ],
)
