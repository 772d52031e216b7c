"""Sessions of every format, fused: what they dispute stays disputed, beside them and in their place."""

from __future__ import annotations

import json
from itertools import permutations
from pathlib import Path

import pytest

from beliefmerge import merge
from beliefmerge.fusion import FusionOptions, fuse
from beliefmerge.fusion.order import STRATEGIES
from beliefmerge.session.readers import READERS, read_session
from tests.builders import Turn, build

SAID: dict[str, list[Turn]] = {
    "a": [("user", "The release day is Thursday."), ("reasoning", "Hm."), ("model", "The port is 8080.")],
    "b": [("user", "The release day is Tuesday."), ("tool", "port=9090"), ("model", "The port is 9090.")],
    "c": [("user", "Well."), ("user", "The release day is Thursday.")],
}


@pytest.fixture(params=[*READERS, "plain without ids"])
def files(request, tmp_path: Path) -> dict[str, Path]:
    made = {}
    for name, turns in SAID.items():
        form = request.param.split()[0]
        raw = build(form, turns, name)
        if form != request.param:
            document = json.loads(raw)
            document["messages"] = [{"channel": m["channel"], "text": m["text"]} for m in document["messages"]]
            raw = json.dumps(document).encode()
        made[name] = tmp_path / name
        made[name].write_bytes(raw)
    return made


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("names", ["ab", "abc"])
def test_no_fused_session_settles_what_its_sources_dispute(files, tmp_path, strategy, names):
    sessions = [read_session(files[name]) for name in names]
    alone = merge(sessions)
    day = {slot.key: slot for slot in alone.slots}["release day"]
    assert (day.outcome == "disputed") == (names == "ab")
    for i, order in enumerate(permutations(sessions)):
        options = FusionOptions(strategy=strategy, out=tmp_path / f"{i}.jsonl", allow_cross_workspace=True)
        fused = read_session(fuse(order, options=options).path)
        both = merge([*sessions, fused])
        assert both.to_json()["slots"] == alone.to_json()["slots"]
        assert both.text == alone.text
        slot = {slot.key: slot for slot in merge([fused]).slots}["release day"]
        assert (slot.outcome, set(slot.values)) == (day.outcome, set(day.values))
        assert slot.to_json()["witnesses"] == day.to_json()["witnesses"]
