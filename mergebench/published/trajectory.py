"""Flat contexts against the ledger's: a planted premise, a correction, a compaction, a question."""

from experiment.published import Calls, Kind, Part, Published, Recorded
from mergebench.command import EXPERIMENT

PANEL = "scenario=trajectory arm=panel llm=local"
STEPS = 10
"""Of the curve over the retention probability: 0, 0.1, …, 1."""
READ = ("flat", "flat_scripted", "ledger_v1", "ledger_v2")
"""The arms whose answers by the local model are on record."""
RESTED = ("flat_scripted", "ledger_v2")
"""The arms of which is measured what their answers rested on."""

PUBLISHED = Published(
    "trajectory",
    "Does a corrected premise survive a compaction? Flat contexts beside the ledger's",
    [
        Part(Recorded(EXPERIMENT), [PANEL], tables=("cases", "criteria"), sampled=lambda arguments: False),
        Part(
            Recorded(EXPERIMENT),
            [
                f"scenario=trajectory arm={arm} scenario.retention={step / STEPS} scenario.criteria=[] llm=local"
                for arm in ("flat_retention", "ledger_v2")
                for step in range(STEPS + 1)
            ],
            rows="curve",
            sampled=lambda arguments: "scenario.retention=0.5 " in arguments,
        ),
        Part(
            Recorded(EXPERIMENT),
            [
                f"scenario=trajectory arm=ledger_v2 scenario.paraphrase={share} scenario.criteria=[] llm=local"
                for share in (0, 0.25, 0.5, 0.75, 1)
            ],
            rows="reworded",
            sampled=lambda arguments: "scenario.paraphrase=1 " in arguments,
        ),
        Part(
            Recorded(EXPERIMENT),
            [
                f"scenario=trajectory arm={arm} reader=model scenario.seeds=10 scenario.criteria=[] llm=local"
                for arm in READ
            ],
            rows="read",
            sampled=lambda arguments: "arm=ledger_v2 " in arguments,
        ),
        Part(
            Recorded(EXPERIMENT),
            [
                f"scenario=trajectory arm={arm} scenario.seeds=2 scenario.chatter=0 scenario.criteria=[] llm=local"
                for arm in RESTED
            ],
            rows="rested",
            files=("claims.jsonl", *(f"steps-{arm}.jsonl" for arm in RESTED)),
        ),
    ],
    kind=Kind.REPLAYED,
    calls=Calls("llm.cache", "llm.cache_dir", "calls.jsonl.zst"),
)
