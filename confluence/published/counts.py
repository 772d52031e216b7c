"""Exact failure counts of summaries that collapse between merges."""

from confluence.enumerate import EXPERIMENT
from experiment.published import Part, Published, Recorded

PUBLISHED = Published(
    "confluence-counts",
    "How many profiles fail, exactly: folds over the seed and wide spaces, trees over the seed and small ones",
    [
        Part(
            Recorded(EXPERIMENT),
            ["space=seed", "space=seed shape=tree", "space=small", "space=small shape=tree", "space=wide"],
            tables=("counterexamples",),
        )
    ],
)
