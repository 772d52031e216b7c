"""What a wrong slot does to the claims that are derived from it."""

from confluence.cascade import EXPERIMENT
from experiment.published import Part, Published, Recorded

PUBLISHED = Published(
    "confluence-cascade",
    "Profiles in which a fold deletes or resurrects a claim of a derivation graph",
    [
        Part(
            Recorded(EXPERIMENT),
            ["branches=3", "graph=chain2 branches=4"],
            tables=("witnesses",),
            sampled=lambda arguments: arguments == "branches=3",
        )
    ],
)
