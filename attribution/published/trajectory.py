"""What the claims and the answers of two trajectories rested on, by the local model."""

from attribution.run import EXPERIMENT
from experiment.published import Calls, Kind, Part, Published, Recorded

STEPS = ("claims", "steps-flat_scripted", "steps-ledger_v2")

PUBLISHED = Published(
    "attribution-trajectory",
    "Measured edges of an agent's claims, and what its answers rested on, flat and from the ledger",
    [
        Part(
            Recorded(EXPERIMENT),
            [f"scorer=local steps={{published}}/trajectory/{name}.jsonl" for name in STEPS],
            rows="edges",
            tables=("steps", "shared"),
            sampled=lambda arguments: "claims" in arguments,
        )
    ],
    after="trajectory",
    kind=Kind.REPLAYED,
    calls=Calls("scorer.cache", "scorer.cache_dir", "scores.jsonl.zst"),
)
