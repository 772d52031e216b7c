"""Small data sets in the layouts of the tracks, made up for the tests."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from mergebench.track import TRACKS, Choices, Loaded

ROOT = Path(__file__).parents[1]
EXAMPLE = ROOT / "examples" / "track"

TURNS = {
    1: [
        ("Ada", "Hi Bo! How was the regatta last weekend?"),
        ("Bo", "Wonderful! Our wooden dinghy came second at the regatta in Lindau."),
        ("Ada", "Great, congratulations!"),
        ("Bo", "Thanks! Look at this.", "a photo of a silver cup"),
    ],
    2: [
        ("Bo", "Did you find a flat in Ghent?"),
        ("Ada", "Yes, I signed the lease for a small attic flat yesterday."),
        ("Bo", "Congratulations!"),
    ],
    3: [
        ("Ada", "My telescope arrived, I watched Saturn until midnight."),
        ("Bo", "Lovely, let me know when I can look through it."),
    ],
}
QUESTIONS: list[dict[str, Any]] = [
    {"question": "What did Bo win and where does Ada live?", "answer": "a cup, Ghent", "evidence": ["D1:2", "D2:2"]},
    {"question": "How many boats and flats?", "answer": 2, "evidence": ["D1:02; D2:2"]},
    {"question": "Where was Bo?", "answer": "Lindau", "evidence": ["D1:2"]},
    {"question": "Nothing to find?", "answer": "nothing", "evidence": []},
    {"question": "Past the end?", "answer": "x", "evidence": ["D:1:2", "D2:9", "D", "D2:1"]},
    {"question": "All three?", "answer": "x", "evidence": ["D1:2 D2:2", "D3:1"]},
]
FACTS = {
    1: {"Bo": [["Bo's wooden dinghy came second at the regatta in Lindau.", "D1:2"]]},
    2: {"Ada": [["Ada signed the lease for a small attic flat.", "D2:2"]]},
}


def conversation() -> dict[str, Any]:
    """One conversation in LoCoMo's layout."""
    spoken: dict[str, Any] = {"speaker_a": "Ada", "speaker_b": "Bo"}
    for n, turns in TURNS.items():
        spoken[f"session_{n}_date_time"] = f"{n} May, 2031"
        spoken[f"session_{n}"] = [
            {"speaker": who, "dia_id": f"D{n}:{i}", "text": text} | ({"blip_caption": more[0]} if more else {})
            for i, (who, text, *more) in enumerate(turns, 1)
        ]
    observed = {f"session_{n}_observation": told for n, told in FACTS.items()}
    return {"sample_id": "made-up", "conversation": spoken, "qa": QUESTIONS, "observation": observed}


ORIGINAL = "The Mill at Osby is a watermill on the river Orr, built of grey stone in {}, with two wheels and a barn."
DOCUMENTS: dict[str, Any] = {
    "question": "When was Osby Mill built?",
    "documents": [
        {"text": ORIGINAL.format("1802"), "type": "correct", "answer": "1802"},
        {"text": "A guide says that the stone mill of Osby dates from 1802.", "type": "correct", "answer": "1802"},
        {"text": ORIGINAL.format("1950"), "type": "misinfo", "answer": "1950"},
        {"text": "Osby Windmill in Skane went up in 1866 on a hill.", "type": "correct", "answer": "1866"},
        {"text": "Flour prices rose that year.", "type": "noise", "answer": "unknown"},
    ],
    "disambig_entity": ["Osby Mill (Orr)", "Osby Windmill"],
    "gold_answers": ["1802", "1866"],
    "wrong_answers": ["1950"],
}


def written(track: str, folder: Path) -> Path:
    """The small data set of a track, in `folder`; a track without one here takes the example."""
    if track == "locomo":
        path = folder / "locomo.json"
        path.write_text(json.dumps([conversation()]))
    elif track == "ramdocs":
        path = folder / "ramdocs.jsonl"
        path.write_text(json.dumps(DOCUMENTS) + "\n")
    else:
        path = EXAMPLE
    return path


def loaded(track: str, folder: Path, setting: str, **more: Any) -> Loaded:
    """The tasks of the small data set."""
    return TRACKS[track].load(Choices(written(track, folder), setting, **more))
