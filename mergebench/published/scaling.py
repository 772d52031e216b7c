"""How the time and memory of a merge grow with its input."""

from experiment.published import Kind, Part, Published, Recorded
from mergebench.scaling import EXPERIMENT

PUBLISHED = Published(
    "mergebench-scaling",
    "Processor time and memory of one merge, up to 64 branches and 10,000 topics",
    [Part(Recorded(EXPERIMENT), ["topics=10000"], sampled=lambda arguments: False)],
    kind=Kind.MEASURED,
    left_out=(),
    stable=("arm", "topics", "branches", "messages"),
)
