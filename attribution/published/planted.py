"""The fold-over beside ContextCite's estimator on problems whose answer is known."""

from attribution.compare import EXPERIMENT
from experiment.published import Part, Published, Recorded

PUBLISHED = Published(
    "attribution-planted",
    "Two estimators on planted problems: without noise, with noise at twice the ablations, and beside exact values",
    [Part(Recorded(EXPERIMENT), ["noise=0", "ablations=128", "entries=12 ablations=64"], tables=("problems",))],
)
