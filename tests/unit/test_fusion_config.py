"""A deployment's settings: the source's names and ranges, and one line for what is wrong."""

from __future__ import annotations

import json

import pytest

from beliefmerge.errors import UsageError
from beliefmerge.fusion import FusionConfig

TABLE = {
    "maxSources": 8,
    "maxMessages": 500,
    "maxFusedBytes": 131_072,
    "maxMessageBytes": 16_384,
    "maxTitleBytes": 160,
    "allowCrossWorkspace": False,
    "enableAgentPlanning": True,
    "plannerMaxTokens": 8192,
}


def test_the_usual_settings_are_the_sources():
    assert FusionConfig.from_json(TABLE) == FusionConfig() == FusionConfig.from_json({})


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"maxSources": 1}, "maxSources is 1: a whole number from 2 to 32"),
        ({"maxSources": 33}, "maxSources is 33"),
        ({"maxSources": 2.5}, "maxSources is 2.5"),
        ({"maxSources": True}, "maxSources is True"),
        ({"maxMessages": 0}, "maxMessages is 0"),
        ({"maxMessages": "5"}, "maxMessages is '5'"),
        ({"maxMessageBytes": 200_000}, "maxMessageBytes 200000 is greater than maxFusedBytes 131072"),
        ({"maxFusedBytes": 10_000}, "maxMessageBytes 16384 is greater than maxFusedBytes 10000"),
        ({"plannerMaxTokens": 255}, "plannerMaxTokens is 255: a whole number from 256 to 8192"),
        ({"plannerMaxTokens": 8193}, "plannerMaxTokens is 8193"),
        ({"maxTitleBytes": 0}, "maxTitleBytes is 0"),
        ({"allowCrossWorkspace": 1}, "allowCrossWorkspace is 1: true or false"),
        ({"enableAgentPlanning": None}, "enableAgentPlanning is None"),
        ({"maxSource": 4}, "unknown fusion setting 'maxSource'; did you mean 'maxSources'"),
    ],
)
def test_what_is_out_of_range_is_refused_by_its_name(values, message):
    with pytest.raises(UsageError, match=message):
        FusionConfig.from_json(values)


def test_a_file_is_read_or_named(tmp_path):
    path = tmp_path / "fusion.json"
    path.write_text(json.dumps({"maxSources": 32, "plannerMaxTokens": 256}))
    assert FusionConfig.load(path) == FusionConfig(max_sources=32, planner_max_tokens=256)
    for text, message in (
        ("{", "fusion.json: not JSON"),
        ("[]", "fusion.json: not a JSON object"),
        ("[" * 100_000, "fusion.json: not JSON"),
        ('{"maxSources": 1}', "fusion.json: maxSources is 1"),
    ):
        path.write_text(text)
        with pytest.raises(UsageError, match=message):
            FusionConfig.load(path)
    with pytest.raises(UsageError, match="nowhere: No such file"):
        FusionConfig.load(tmp_path / "nowhere")
