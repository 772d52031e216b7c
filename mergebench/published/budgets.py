"""What a budget buys: every arm at budgets from 200 to 1,200 tokens, the merges under both scores."""

from experiment.published import Part, Published, Recorded
from mergebench.command import EXPERIMENT

BUDGETS = (200, 300, 400, 600, 800, 1200)
MERGES = ("heuristic", "oracle")
SIZE = "scenario=bridge scenario.seeds=20 seed=8000"

PUBLISHED = Published(
    "mergebench-budgets",
    "Every arm against the budget, family bridge; the merges under both scores",
    [
        Part(
            Recorded(EXPERIMENT),
            [
                *(f"arm=panel budget={budget} {SIZE}" for budget in BUDGETS),
                *(f"arm={arm} score=elitist budget={budget} {SIZE}" for arm in MERGES for budget in BUDGETS),
            ],
            sampled=lambda arguments: "budget=400 " in arguments,
        )
    ],
)
