"""How many jobs a second a sweep does with how many workers on one machine."""

from experiment.published import Kind, Part, Published, Recorded
from mergebench.throughput import EXPERIMENT

PUBLISHED = Published(
    "throughput",
    "Jobs a second of a sweep against its workers, and of one whose jobs are all on record",
    [Part(Recorded(EXPERIMENT), ["jobs=16 repeats=5"], sampled=lambda arguments: False)],
    kind=Kind.MEASURED,
    left_out=(),
    stable=("workers", "jobs", "repeats", "resumed"),
)
