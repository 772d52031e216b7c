"""Attribution by the local model beside the package context-cite: needs an environment that has it."""

from benchmarks.published.benchmarks import PEER
from benchmarks.suite.publish import measured

PUBLISHED = measured(
    "attribution-peer",
    "Time, agreement and quality of measured edges beside the package context-cite, on the same weights",
    [PEER],
)
