"""Every track, in every setting, with every arm that applies: within the budget, judged in range, and fairly."""

from __future__ import annotations

from dataclasses import replace

import pytest

from beliefmerge.errors import UsageError
from beliefmerge.tokens import COUNTERS
from mergebench.arm import Arm, Output, Request
from mergebench.config import ArmConfig, MergeBenchConfig, TrackConfig
from mergebench.reading import read
from mergebench.registries import ARMS
from mergebench.track import TRACK_ARMS, TRACKS, Choices, Task
from mergebench.track_bench import run
from tests.track_data import loaded, written

CASES = [(name, setting) for name in TRACKS for setting in TRACKS[name].settings]

TOLD = ("bm25", "retrieve", "turns", "heuristic", "oracle", "entities")
"""Arms that use the question when it is seen."""


@pytest.fixture(params=CASES, ids="-".join)
def case(request, tmp_path):
    name, setting = request.param
    return name, setting, loaded(name, tmp_path, setting)


def arms_of(name: str, setting: str) -> dict[str, Arm]:
    return {arm: TRACK_ARMS[arm] if arm in TRACK_ARMS else ARMS[arm] for arm in TRACKS[name].panel(setting)}


def printed(arm: Arm, task: Task, budget: int, tokens: str = "regex") -> Output:
    request = Request(budget, COUNTERS[tokens], tokens, options=arm.options, question=task.question)
    return arm.work(task.scenario, request)


def test_no_arm_is_over_its_budget(case):
    name, setting, found = case
    for arm in arms_of(name, setting).values():
        for budget in (1, 30, 90):
            for task in found.tasks[:2]:
                assert COUNTERS["regex"](printed(arm, task, budget).text) <= budget


def test_scores_are_shares_and_all_kept_means_full_recall(case):
    name, setting, found = case
    for arm in arms_of(name, setting).values():
        for task in found.tasks:
            scores = TRACKS[name].judge(task, read(printed(arm, task, 70)))
            assert all(0 <= score <= 1 for score in scores.values())
            assert scores["all_kept"] == (scores["recall"] == 1)


def test_nothing_scores_nothing(case):
    name, _, found = case
    for task in found.tasks:
        assert set(TRACKS[name].judge(task, read(Output(""))).values()) == {0}


def test_some_arm_that_may_print_everything_keeps_everything(case):
    name, setting, found = case
    for task in found.tasks:
        scores = [TRACKS[name].judge(task, read(printed(arm, task, 10_000))) for arm in arms_of(name, setting).values()]
        assert max(each["recall"] for each in scores) == 1, task.question.text


def test_the_baseline_is_one_of_the_arms(case):
    name, setting, _ = case
    assert TRACKS[name].against in {*arms_of(name, setting), "keep_all"}


def test_a_run_has_the_columns_of_the_interface(case, tmp_path):
    name, setting, found = case
    config = MergeBenchConfig(ArmConfig("panel"), budget=90, tokens="regex", data=str(written(name, tmp_path)))
    result = run(replace(config, track=TrackConfig(name, setting=setting, question="seen")))
    for row in result.rows:
        assert {"arm", "recall", "all_kept", "question_seen", "setting", "n", "recall_low", "all_kept_high"} <= set(row)
        assert (row["n"], row["setting"], row["over_budget"]) == (len(found.tasks), setting, 0)
        assert row["question_seen"] == (row["arm"] in TOLD)
    assert len(result.tables["cases"]) == len(result.rows) * len(found.tasks)


@pytest.mark.parametrize("name", list(TRACKS))
def test_missing_data_is_one_line_that_says_what_to_give(name, tmp_path):
    for data, cause in (("", "needs data="), (str(tmp_path / "absent"), "no such file or folder")):
        config = MergeBenchConfig(ArmConfig("none"), track=TrackConfig(name), data=data)
        with pytest.raises(UsageError, match=cause) as error:
            run(config)
        assert "\n" not in str(error.value)


@pytest.mark.parametrize("name", list(TRACKS))
def test_data_of_another_kind_is_refused_by_name(name, tmp_path):
    path = tmp_path / "odd.bin"
    for content in (b"", b"\xff\xfe", b"[]", b"{}", b'[{"conversation": 1}]', b"not json"):
        path.write_bytes(content)
        with pytest.raises(UsageError, match=r"odd\.bin"):
            TRACKS[name].load(Choices(path, TRACKS[name].settings[0]))


def test_settings_and_parts_are_checked(tmp_path):
    data = str(written("ramdocs", tmp_path))
    for track, cause in (
        (TrackConfig("ramdocs", setting="label"), "did you mean 'labels'"),
        (TrackConfig("ramdocs", part="rest"), "no parts"),
    ):
        with pytest.raises(UsageError, match=cause):
            run(MergeBenchConfig(ArmConfig("keep_all"), track=track, data=data))
    with pytest.raises(UsageError, match="keep_all"):
        run(MergeBenchConfig(ArmConfig("keep_all"), track=TrackConfig("ramdocs", setting="text"), data=data))
