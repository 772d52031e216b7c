"""What the shipped steps rest on by the local model, with the record of log-probabilities that shows it."""

from attribution.run import EXPERIMENT
from experiment.published import Calls, Kind, Part, Published, Recorded

PUBLISHED = Published(
    "attribution",
    "Measured edges of the shipped steps by the local model",
    [Part(Recorded(EXPERIMENT), ["scorer=local steps=shipped"], rows="edges", tables=("steps", "shared"))],
    kind=Kind.REPLAYED,
    calls=Calls("scorer.cache", "scorer.cache_dir", "scores.jsonl.zst"),
)
