"""A folder of one's own: what is asked of which sessions, and errors that name file and line."""

from __future__ import annotations

import json
import shutil

import pytest

from beliefmerge.errors import BeliefMergeError
from mergebench.track import Choices
from mergebench.tracks import dir as own
from tests.track_data import EXAMPLE


@pytest.fixture
def folder(tmp_path):
    copy = tmp_path / "mine"
    shutil.copytree(EXAMPLE, copy)
    return copy


def load(folder):
    return own.load(Choices(folder, "folder"))


def ask(folder, *questions):
    (folder / "questions.jsonl").write_text("\n".join(json.dumps(each) for each in questions) + "\n")


def test_the_example_is_asked_about_the_sessions_it_names():
    found = load(EXAMPLE)
    assert [[s.id for s in task.scenario.sessions] for task in found.tasks] == [
        ["ops"],
        ["museum", "ops"],
        ["ops", "museum"],
    ]
    assert found.tasks[1].question.expects == ("TIFF", "412")
    assert found.unit == "questions"


def test_a_list_in_one_json_file_is_the_same(folder):
    lines = (folder / "questions.jsonl").read_text().splitlines()
    (folder / "questions.jsonl").unlink()
    (folder / "questions.json").write_text(f"[{','.join(lines)}]")
    asked = [[task.question for task in load(each).tasks] for each in (folder, EXAMPLE)]
    assert asked[0] == asked[1]


def test_questions_of_one_unit_are_counted_together(folder):
    ask(folder, *({"question": f"q{i}?", "expects": ["x"], "unit": "one"} for i in range(3)))
    found = load(folder)
    assert ({task.unit for task in found.tasks}, found.unit) == ({"one"}, "units")


def test_hidden_files_are_left_alone(folder):
    (folder / ".DS_Store").write_bytes(b"\0\1")
    assert len(load(folder).tasks) == 3


@pytest.mark.parametrize(
    ("line", "cause"),
    [
        ("{", r"questions\.jsonl:2: not JSON"),
        ("[" * 100_000, r"questions\.jsonl:2: "),
        ("7", r"questions\.jsonl:2: an object is expected"),
        ('{"question": "x?"}', r":2: `expects` must be a list"),
        ('{"question": "x?", "expects": []}', r":2: `expects` must list at least one value"),
        ('{"question": "x?", "expects": [true]}', r":2: `expects` holds true"),
        ('{"question": "x?", "expects": [" "]}', r':2: `expects` holds " "'),
        ('{"question": " ", "expects": ["x"]}', r":2: `question` is missing"),
        ('{"question": "x?", "expect": ["x"]}', r":2: unknown key 'expect'; did you mean 'expects'"),
        ('{"question": "x?", "expects": ["x"], "sessions": ["opps"]}', r":2: no session 'opps'; did you mean 'ops'"),
        ('{"id": "a", "question": "x?", "expects": ["x"]}', r":2: a second question 'a' \(the first: .*:1\)"),
    ],
)
def test_a_question_that_cannot_be_asked_is_named_by_file_and_line(folder, line, cause):
    first = json.dumps({"id": "a", "question": "x?", "expects": ["x"]})
    (folder / "questions.jsonl").write_text(f"{first}\n{line}\n")
    with pytest.raises(BeliefMergeError, match=cause) as error:
        load(folder)
    assert "\n" not in str(error.value)


def test_a_folder_without_questions_or_sessions_or_with_a_file_that_is_none_says_so(folder):
    (folder / "notes.txt").write_text("no session")
    with pytest.raises(BeliefMergeError, match=r"notes\.txt"):
        load(folder)
    (folder / "notes.txt").unlink()
    for name in ("ops.json", "museum.json"):
        (folder / name).unlink()
    with pytest.raises(BeliefMergeError, match="no sessions beside"):
        load(folder)
    (folder / "questions.jsonl").write_text("\n")
    with pytest.raises(BeliefMergeError, match="no sessions beside"):
        load(folder)
    (folder / "questions.jsonl").unlink()
    with pytest.raises(BeliefMergeError, match="there is neither"):
        load(folder)
