"""LoCoMo: which questions are asked, about which branches, and when a turn counts as kept."""

from __future__ import annotations

import pytest

from beliefmerge.session.model import Channel
from beliefmerge.tokens import regex
from mergebench import passages
from mergebench.arm import Output, Request
from mergebench.arms import retrieve
from mergebench.reading import read
from mergebench.registries import ARMS
from mergebench.track import Choices
from mergebench.tracks import locomo
from mergebench.tracks._turns import repaired
from tests.shared import SHARED
from tests.track_data import loaded

LOCOMO = SHARED / "data" / "locomo" / "locomo10.json"
needs_locomo = pytest.mark.skipif(not LOCOMO.is_file(), reason="LoCoMo is not here")
KNOWN = {(1, 1), (1, 2), (8, 6), (9, 17), (11, 26), (30, 5)}


@pytest.mark.parametrize(
    ("evidence", "turns", "mended"),
    [
        (["D1:1", "D1:2"], [(1, 1), (1, 2)], False),
        (["D8:6; D9:17"], [(8, 6), (9, 17)], True),
        (["D8:6 D9:17 D1:1"], [(8, 6), (9, 17), (1, 1)], True),
        (["D30:05"], [(30, 5)], True),
        (["D:11:26"], [(11, 26)], True),
        (["D10:19", "D1:1"], [(1, 1)], True),
        (["D"], [], True),
        (["D1:1", "D1:1"], [(1, 1)], False),
        ([], [], False),
        (None, [], False),
        ("D1:2", [(1, 2)], False),
    ],
)
def test_malformed_evidence_is_mended_or_left_out(evidence, turns, mended):
    assert repaired(evidence, KNOWN) == (turns, mended)


def test_a_pair_is_asked_about_the_two_sessions_that_hold_its_evidence(tmp_path):
    found = loaded("locomo", tmp_path, "pairs")
    assert [[s.id for s in task.scenario.sessions] for task in found.tasks] == [["D1", "D2"]] * 3
    assert [task.evidence for task in found.tasks] == [
        (("D1", 1), ("D2", 1)),
        (("D1", 1), ("D2", 1)),
        (("D1", 1), ("D2", 0)),
    ]
    assert found.tasks[1].question.expects == ("2",)
    assert found.notes == (
        "2 questions with malformed evidence ids mended",
        "1 questions without evidence left out",
    )


def test_with_k_sessions_the_others_are_drawn_and_the_evidence_is_always_there(tmp_path):
    found = loaded("locomo", tmp_path, "k", sessions=3)
    assert len(found.tasks) == 4
    for task in found.tasks:
        assert [s.id for s in task.scenario.sessions] == ["D1", "D2", "D3"]
        assert {session for session, _ in task.evidence} <= {"D1", "D2", "D3"}
    assert len(loaded("locomo", tmp_path, "k", sessions=2).tasks) == 3


def test_both_people_are_users_and_their_turns_are_printed_without_a_role(tmp_path):
    task = loaded("locomo", tmp_path, "pairs").tasks[0]
    assert {b.channel for s in task.scenario.sessions for m in s.messages for b in m.blocks} == {Channel.USER}
    lines = ARMS["concat"].work(task.scenario, Request(1000, regex)).text.splitlines()
    assert lines[0] == "[D1: 1 May, 2031]"
    assert lines[4] == "Bo: Thanks! Look at this. (a photo of a silver cup)"


def test_a_line_cut_before_half_of_its_content_words_is_touched_and_not_kept(tmp_path):
    task = loaded("locomo", tmp_path, "pairs").tasks[0]
    whole = "Bo: Wonderful! Our wooden dinghy came second at the regatta in Lindau."
    for shown, kept in ((whole, 0.5), (whole[: whole.index(" second")], 0.5), ("Bo: Wonderful!", 0.0)):
        scores = locomo.judge(task, read(Output(f"[D1: 1 May, 2031]\n{shown}")))
        assert (scores["recall"], scores["touched"], scores["all_kept"]) == (kept, 0.5, 0.0), shown


def test_a_line_counts_only_under_the_heading_of_its_own_session(tmp_path):
    task = loaded("locomo", tmp_path, "pairs").tasks[0]
    line = "Bo: Wonderful! Our wooden dinghy came second at the regatta in Lindau."
    for head in ("", "[D2: 2 May, 2031]\n", "[D7]\n"):
        assert locomo.judge(task, read(Output(head + line)))["touched"] == 0


def test_printing_every_word_without_its_turn_keeps_nothing(tmp_path):
    task = loaded("locomo", tmp_path, "pairs").tasks[0]
    words = sorted({word for text in task.scenario.texts for word in text.split()})
    salad = "\n".join(["[D1: 1 May, 2031]", " ".join(words), "[D2: 2 May, 2031]", " ".join(reversed(words))])
    assert locomo.judge(task, read(Output(salad)))["recall"] == 0


def test_the_judgement_can_be_fooled_once_half_of_the_words_is_not_asked_for(tmp_path, monkeypatch):
    task = loaded("locomo", tmp_path, "pairs").tasks[0]
    stub = read(Output("[D1: 1 May, 2031]\nBo: Wonderful!"))
    assert locomo.judge(task, stub)["recall"] == 0
    monkeypatch.setattr(passages, "HALF", 0.0)
    assert locomo.judge(task, stub)["recall"] == 0.5


def test_the_facts_of_the_data_set_reach_the_turns_they_come_from(tmp_path):
    task = loaded("locomo", tmp_path, "pairs").tasks[0]
    output = ARMS["oracle"].work(task.scenario, Request(400, regex, "regex", options=ARMS["oracle"].options))
    assert "Bo 1:2: Bo's wooden dinghy came second" in output.text
    assert locomo.judge(task, read(output)) == {"recall": 1.0, "all_kept": 1.0, "touched": 1.0}


def worths(question: str, task) -> dict[str, float]:
    messages = [(s, message) for s, session in enumerate(task.scenario.sessions) for message in session.messages]
    found = retrieve.worths(question, messages)
    return {message.text: worth for (_, message), worth in zip(messages, found, strict=True)}


def test_retrieval_favours_whom_the_question_names_and_replies_to_what_it_asks(tmp_path):
    task = loaded("locomo", tmp_path, "pairs").tasks[0]
    found = worths("How was the regatta for Bo?", task)
    best = max(found, key=found.__getitem__)
    assert best.startswith("Bo: Wonderful!")
    unnamed = worths("How did it go after the lease?", task)
    after = "Bo: Congratulations!"
    assert unnamed[after] == pytest.approx(retrieve.BEFORE * max(unnamed.values()), rel=0.2)
    assert unnamed["Ada: Great, congratulations!"] == 0


def test_a_question_that_shares_no_word_leaves_the_order_to_the_names(tmp_path):
    task = loaded("locomo", tmp_path, "pairs").tasks[0]
    found = worths("Zzz?", task)
    assert set(found.values()) == {0.0}
    named = worths("Ada?", task)
    assert {text.split(":")[0] for text, worth in named.items() if worth} == {"Ada"}


@needs_locomo
def test_the_pair_setting_has_its_206_questions():
    found = locomo.load(Choices(LOCOMO, "pairs"))
    parts = [locomo.load(Choices(LOCOMO, "pairs", part=part)) for part in ("tuning", "rest")]
    assert len(found.tasks) == 206
    assert [len(part.tasks) for part in parts] == [55, 151]
    assert {task.question.id for part in parts for task in part.tasks} == {task.question.id for task in found.tasks}


BASELINES = {
    400: {"single": (30, 0), "concat": (30, 0), "roundrobin": (40, 24), "bm25": (55, 30)},
    1200: {"single": (51, 0), "concat": (79, 57), "roundrobin": (81, 66), "bm25": (90, 82)},
}


@needs_locomo
@pytest.mark.slow
@pytest.mark.parametrize("budget", list(BASELINES))
def test_the_known_baselines_come_out_within_two_points(budget):
    tasks = locomo.load(Choices(LOCOMO, "pairs")).tasks
    for name, expected in BASELINES[budget].items():
        scores = [
            locomo.judge(t, read(ARMS[name].work(t.scenario, Request(budget, regex, "regex", question=t.question))))
            for t in tasks
        ]
        for column, wanted in zip(("recall", "all_kept"), expected, strict=True):
            assert 100 * sum(each[column] for each in scores) / len(scores) == pytest.approx(wanted, abs=2), name


@needs_locomo
@pytest.mark.slow
def test_retrieval_beats_bm25_by_five_points_of_recall_where_nothing_was_tuned():
    tasks = locomo.load(Choices(LOCOMO, "pairs", part="rest")).tasks
    for budget in (400, 1200):
        recall = {}
        for name in ("bm25", "retrieve"):
            request = [Request(budget, regex, "regex", question=task.question) for task in tasks]
            outputs = [ARMS[name].work(task.scenario, r) for task, r in zip(tasks, request, strict=True)]
            found = [locomo.judge(task, read(out))["recall"] for task, out in zip(tasks, outputs, strict=True)]
            recall[name] = 100 * sum(found) / len(found)
        assert recall["retrieve"] >= recall["bm25"] + 5, budget
