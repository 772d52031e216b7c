"""RAMDocs: slots split by what a passage is about, and answers judged as a set."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from beliefmerge.tokens import regex
from mergebench.arm import Arm, Output, Request
from mergebench.arms.heuristic import ARM as HEURISTIC
from mergebench.reading import read
from mergebench.track import TRACK_ARMS, Choices, Task
from mergebench.track_arms import entities
from mergebench.tracks import ramdocs
from tests.shared import SHARED
from tests.track_data import loaded

RAMDOCS = SHARED / "data" / "ramdocs" / "RAMDocs_test.jsonl"
needs_ramdocs = pytest.mark.skipif(not RAMDOCS.is_file(), reason="RAMDocs is not here")


def printed(arm: Arm, task: Task, budget: int = 400) -> Output:
    return arm.work(task.scenario, Request(budget, regex, "regex", options=arm.options))


def judged(arm: Arm, task: Task) -> dict[str, float]:
    return ramdocs.judge(task, read(printed(arm, task)))


def test_two_bearers_keep_their_answers_and_an_edited_copy_is_outvoted(tmp_path):
    (task,) = loaded("ramdocs", tmp_path, "labels").tasks
    assert judged(TRACK_ARMS["entities"], task) == {"recall": 1.0, "all_kept": 1.0, "exact": 1.0}
    assert judged(TRACK_ARMS["keep_all"], task) == {"recall": 1.0, "all_kept": 1.0, "exact": 0.0}


def test_one_slot_for_all_bearers_loses_all_answers_but_one(tmp_path):
    (task,) = loaded("ramdocs", tmp_path, "labels").tasks
    assert judged(HEURISTIC, task) == {"recall": 0.5, "all_kept": 0.0, "exact": 0.0}


def test_what_no_second_witness_settles_stays_disputed_and_is_no_answer(tmp_path):
    (task,) = loaded("ramdocs", tmp_path, "labels").tasks
    without = tuple(s for s in task.scenario.sessions if s.id != "document 2")
    fewer = replace(task, scenario=replace(task.scenario, sessions=without))
    output = printed(TRACK_ARMS["entities"], fewer)
    assert "DISPUTED" in output.text
    assert ramdocs.judge(fewer, read(output)) == {"recall": 0.5, "all_kept": 0.0, "exact": 0.0}


def test_the_split_does_not_depend_on_the_order_of_documents(tmp_path):
    (task,) = loaded("ramdocs", tmp_path, "labels").tasks
    sessions = task.scenario.sessions
    assert entities.split(sessions[::-1])[::-1] == entities.split(sessions)
    assert {c.key for s in entities.split(sessions) for c in s.claims} == {"answer of 1802", "answer of 1866"}


def test_in_text_an_answer_counts_where_it_is_shown(tmp_path):
    (task,) = loaded("ramdocs", tmp_path, "text").tasks
    right, both = Output("tool: built in 1802\ntool: went up in 1866"), Output("tool: 1802, 1866 and 1950")
    assert ramdocs.judge(task, read(right))["exact"] == 1
    assert ramdocs.judge(task, read(both)) == {"recall": 1.0, "all_kept": 1.0, "exact": 0.0}


PASSAGES = st.lists(
    st.tuples(st.sampled_from("abcd"), st.frozensets(st.sampled_from([(x,) for x in "pqrstu"]), max_size=4)),
    max_size=7,
)


def linked_by_walking(told) -> set[frozenset[str]]:
    """Answers that a chain of shared passages joins, found by walking from each one."""

    def near(a, b):
        shorter = min(len(a), len(b))
        return shorter and len(a & b) >= entities.SHARED * shorter

    edges = {frozenset((x, y)) for (x, a), (y, b) in combinations(told, 2) if x != y and near(a, b)}
    groups = set()
    for answer, _ in told:
        reached, fresh = {answer}, [answer]
        while fresh:
            here = fresh.pop()
            fresh += (found := {y for edge in edges if here in edge for y in edge} - reached)
            reached |= found
        groups.add(frozenset(reached))
    return groups


def groups_of(about: dict[str, str]) -> set[frozenset[str]]:
    return {frozenset(answer for answer, of in about.items() if of == name) for name in about.values()}


@given(PASSAGES)
def test_bearers_are_the_connected_parts_called_after_their_least_answer(told):
    about = entities.bearers(told)
    assert groups_of(about) == linked_by_walking(told)
    assert all(name == min(answer for answer, of in about.items() if of == name) for name in about.values())
    assert entities.bearers(told[::-1]) == about


def test_the_comparison_with_walking_can_fail():
    told = [("a", frozenset({("p",), ("q",)})), ("b", frozenset({("q",), ("r",)})), ("c", frozenset({("s",)}))]
    assert groups_of({answer: "a" for answer, _ in told}) != linked_by_walking(told)
    assert groups_of({answer: answer for answer, _ in told}) != linked_by_walking(told)


@pytest.mark.parametrize(
    ("line", "cause"),
    [
        ("{", r"ramdocs\.jsonl:2: not JSON"),
        ("[]", r"ramdocs\.jsonl:2: not RAMDocs: no object"),
        ('{"question": "x", "documents": [], "gold_answers": []}', r":2: not RAMDocs: no list `wrong_answers`"),
        (
            '{"question": "x", "documents": [{"text": "t"}], "gold_answers": [], "wrong_answers": []}',
            r":2: a document without a `text` and an `answer`",
        ),
    ],
)
def test_a_bad_line_is_named(tmp_path, line, cause):
    from beliefmerge.errors import UsageError
    from tests.track_data import written

    path = written("ramdocs", tmp_path)
    path.write_text(path.read_text() + line + "\n")
    with pytest.raises(UsageError, match=cause):
        ramdocs.load(Choices(path, "labels"))


@needs_ramdocs
def test_keeping_all_labels_gives_the_known_41_exact():
    tasks = ramdocs.load(Choices(RAMDOCS, "labels")).tasks
    exact = [judged(TRACK_ARMS["keep_all"], task)["exact"] for task in tasks]
    assert (len(exact), sum(exact)) == (500, 205)


@needs_ramdocs
@pytest.mark.slow
def test_splitting_by_entity_beats_keeping_all():
    tasks = ramdocs.load(Choices(RAMDOCS, "labels")).tasks
    assert sum(judged(TRACK_ARMS["entities"], task)["exact"] for task in tasks) > 205
