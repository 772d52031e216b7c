"""The same counts where there are more than ten to the twelve profiles."""

from confluence.enumerate import EXPERIMENT
from experiment.published import Part, Published, Recorded

PUBLISHED = Published(
    "confluence-huge",
    "How many profiles fail among more than a million million",
    [Part(Recorded(EXPERIMENT), ["space=huge"], tables=("counterexamples",), sampled=lambda arguments: False)],
)
