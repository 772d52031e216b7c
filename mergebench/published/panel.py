"""What every arm does on every family, and the laws that it keeps."""

from experiment.published import Part, Published, Recorded
from mergebench.command import EXPERIMENT
from mergebench.registries import SCENARIOS

SIZE = "scenario.branches=3 scenario.topics=12 scenario.seeds=20 budget=400 seed=7000 reruns=true"
"""Seeds that were not used in writing the extractor."""
QUICK = ("bridge", "tie", "inject")

PUBLISHED = Published(
    "mergebench-panel",
    "Every arm on every family at 400 tokens, and the laws that it keeps",
    [
        Part(
            Recorded(EXPERIMENT),
            [f"arm=panel scenario={family} {SIZE}" for family in SCENARIOS],
            tables=("cases",),
            sampled=lambda arguments: any(f"scenario={family} " in arguments for family in QUICK),
        )
    ],
)
