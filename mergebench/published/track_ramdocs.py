"""RAMDocs: passages about names that several things bear, aggregates only."""

from experiment.published import Part, Published, Recorded
from mergebench.command import EXPERIMENT

SETTINGS, BUDGETS = ("labels", "text"), (400, 1200)
TRACK = "track=ramdocs data={data} tokens=regex arm=panel"

PUBLISHED = Published(
    "track-ramdocs",
    "RAMDocs: right answers presented, with the passages' answers given and without",
    [
        Part(
            Recorded(EXPERIMENT),
            [f"{TRACK} track.setting={setting} budget={budget}" for setting in SETTINGS for budget in BUDGETS],
            sampled=lambda arguments: arguments.endswith("labels budget=400"),
        )
    ],
    needs="ramdocs/RAMDocs_test.jsonl",
)
