"""LoCoMo: real conversations, aggregates only. The data is not the project's to publish."""

from experiment.published import Part, Published, Recorded
from mergebench.command import EXPERIMENT

BUDGETS = (200, 400, 800, 1200)
TRACK = "track=locomo data={data} tokens=regex"
TOLD = ("heuristic", "oracle")

PUBLISHED = Published(
    "track-locomo",
    "LoCoMo: evidence turns kept; all pairs of sessions, those of conversations nothing was chosen on, five sessions",
    [
        Part(
            Recorded(EXPERIMENT),
            [
                *(f"{TRACK} arm=panel budget={budget}" for budget in BUDGETS),
                *(f"{TRACK} arm={arm} track.question=seen budget={budget}" for arm in TOLD for budget in BUDGETS),
                *(f"{TRACK} arm=panel track.part=rest budget={budget}" for budget in BUDGETS),
                *(
                    f"{TRACK} arm={arm} track.setting=k budget={budget}"
                    for arm in ("bm25", "retrieve")
                    for budget in (400, 1200)
                ),
            ],
            sampled=lambda arguments: arguments.endswith("arm=heuristic track.question=seen budget=400"),
        )
    ],
    needs="locomo/locomo10.json",
)
