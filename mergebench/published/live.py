"""What the local model does as extractor and as summariser, with the calls that show it."""

from experiment.published import Calls, Kind, Part, Published, Recorded
from mergebench.command import EXPERIMENT

ARMS = ("concat", "roundrobin", "heuristic", "oracle", "summary", "live")
BUDGETS = (400, 1200)
SCENARIOS = ("bridge", "supersede", "tie", "derive")

PUBLISHED = Published(
    "mergebench-live",
    "Joint extraction and summaries by the local model, beside arms without one",
    [
        Part(
            Recorded(EXPERIMENT),
            [
                f"arm={arm} scenario={family} budget={budget} llm=local"
                for family in SCENARIOS
                for budget in BUDGETS
                for arm in ARMS
            ],
            tables=("cases",),
            sampled=lambda arguments: "scenario=bridge " in arguments,
        )
    ],
    kind=Kind.REPLAYED,
    calls=Calls("llm.cache", "llm.cache_dir", "calls.jsonl.zst"),
)
