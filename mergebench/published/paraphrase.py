"""What rewording costs: from tellings that differ in the value alone to tellings that share no wording."""

from experiment.published import Part, Published, Recorded
from mergebench.command import EXPERIMENT

SHARES = (0, 0.25, 0.5, 0.75, 1)
SIZE = "scenario=bridge scenario.seeds=40 seed=5000 budget=400"
"""Seeds whose misses nobody had read when the extractor was written."""

PUBLISHED = Published(
    "mergebench-paraphrase",
    "The arms against the share of facts that two branches word differently, family bridge",
    [
        Part(
            Recorded(EXPERIMENT),
            [f"arm=panel scenario.paraphrase={share} {SIZE}" for share in SHARES],
            sampled=lambda arguments: "paraphrase=1 " in arguments,
        )
    ],
)
