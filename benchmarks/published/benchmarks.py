"""Every speed the library promises, beside a plain reference or a peer measured in the same run."""

from benchmarks.suite.benchmark import CASES
from benchmarks.suite.publish import measured

PEER = "attribution_peer"
"""Published on its own: it needs another environment."""

PUBLISHED = measured(
    "benchmarks",
    "Times, memory and quality beside a plain reference or a peer, measured in the same run, with the bars",
    [name for name in CASES.names() if name != PEER],
)
