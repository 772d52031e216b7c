"""Recorded steps: what is read, and what is refused in one line."""

from __future__ import annotations

import json

import pytest

from attribution.run import SHIPPED_STEPS
from attribution.step import BadStep, read_steps
from experiment.tables import write_parquet

GOOD = {
    "step_id": "s",
    "tenant": "t",
    "claim_id": "c",
    "entries": [{"entry_id": "a", "text": "x", "tier": "derived"}, {"entry_id": "b", "text": "y"}],
    "template": "{context} | {query}",
    "query": "q",
    "response": "r",
    "declared": ["a"],
}


def write(path, *rows):
    path.write_text("\n".join(row if isinstance(row, str) else json.dumps(row) for row in rows), encoding="utf-8")
    return path


def test_a_step_is_read_and_its_prompt_keeps_entries_in_order(tmp_path):
    (step,) = read_steps(write(tmp_path / "s.jsonl", GOOD, ""))
    assert step.prompt([True, True]) == "x\ny | q"
    assert step.prompt([False, True]) == "y | q"
    assert step.prompt([False, False]) == " | q"
    assert (step.declared, step.entries[0].tier, step.entries[1].tier) == (("a",), "derived", None)


def test_parquet_and_json_lines_are_told_apart_by_content(tmp_path):
    write_parquet(tmp_path / "steps.jsonl", [GOOD])
    assert read_steps(tmp_path / "steps.jsonl") == read_steps(write(tmp_path / "steps.parquet", GOOD))


def test_text_that_looks_like_a_field_stays_text(tmp_path):
    entries = [{"entry_id": "a", "text": "{query} {context} {0}"}]
    (step,) = read_steps(write(tmp_path / "s.jsonl", {**GOOD, "entries": entries, "query": "{context}?"}))
    assert step.prompt([True]) == "{query} {context} {0} | {context}?"


def test_the_shipped_steps_are_good():
    assert len(read_steps(SHIPPED_STEPS)) >= 4


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ("{", "not JSON"),
        ("[]", "JSON object"),
        ({**GOOD, "response": ""}, "response must be a text"),
        ({**GOOD, "query": 3}, "query must be a text"),
        ({**GOOD, "entries": []}, "needs entries"),
        ({**GOOD, "entries": "ab"}, "entries must be a list"),
        ({**GOOD, "entries": [{"entry_id": "a"}]}, "needs the texts"),
        ({**GOOD, "entries": GOOD["entries"] * 2}, "same entry_id"),
        ({**GOOD, "declared": ["z"]}, "'z' is not among"),
        ({**GOOD, "template": "nothing"}, "{context}"),
    ],
)
def test_a_bad_step_is_named_by_file_and_line(tmp_path, row, said):
    path = write(tmp_path / "s.jsonl", {**GOOD, "step_id": "first"}, row)
    with pytest.raises(BadStep) as caught:
        read_steps(path)
    assert said in str(caught.value)
    assert f"{path}:2" in str(caught.value)


def test_a_file_without_steps_or_with_one_twice_is_refused(tmp_path):
    with pytest.raises(BadStep, match="no steps"):
        read_steps(write(tmp_path / "s.jsonl", "\n"))
    with pytest.raises(BadStep, match="twice"):
        read_steps(write(tmp_path / "s.jsonl", GOOD, GOOD))
    with pytest.raises(BadStep, match="No such file"):
        read_steps(tmp_path / "none.jsonl")
