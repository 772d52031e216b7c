"""What each stage of the merge is worth, family by family."""

from experiment.published import Part, Published, Recorded
from mergebench.ablate import EXPERIMENT
from mergebench.registries import SCENARIOS

PUBLISHED = Published(
    "mergebench-ablations",
    "What the merge loses without each of its stages, family by family",
    [
        Part(
            Recorded(EXPERIMENT),
            [f"family={family} seeds=20 seed=7000" for family in SCENARIOS],
            sampled=lambda arguments: "family=tie " in arguments,
        )
    ],
)
