"""Names in the index: what always shows, what differs from the defaults, what tells rows apart."""

from __future__ import annotations

import dataclasses

import pytest

from experiment import naming
from experiment.naming import Setting, joined, row_names, settings_of, title_of
from mergebench.command import EXPERIMENT as MERGEBENCH
from mergebench.config import MergeBenchConfig


def called(**changes):
    config = dataclasses.asdict(MergeBenchConfig())
    for key, value in changes.items():
        where, *path = config, *key.split("__")
        for word in path[:-1]:
            where = where[word]
        where[path[-1]] = value
    return joined([setting.shown for setting in settings_of(config, MERGEBENCH)])


def test_a_run_is_called_by_what_its_experiment_always_shows_and_what_differs_from_the_defaults():
    assert called() == "panel · bridge · 400 tokens · 5 seeds"
    assert called(arm__name="heuristic", scenario__seeds=20) == "heuristic · bridge · 400 tokens · 20 seeds"
    assert called(scenario__seeds=1) == "panel · bridge · 400 tokens · 1 seed"
    assert called(scenario__paraphrase=0.25, score="elitist", reruns=True) == (
        "panel · bridge · 400 tokens · 5 seeds · paraphrase 0.25 · score elitist · reruns"
    )
    assert called(track__name="locomo", data="/data/locomo10.json") == "panel · locomo · 400 tokens"


def test_where_results_go_is_no_part_of_a_name():
    assert called(results_dir="/elsewhere", tracking__name="none", resume=False) == called()
    assert called(llm__cache_dir="/cache", llm__base_url="http://127.0.0.1/v1") == called()


def test_rows_are_called_by_what_tells_them_apart():
    arms = [Setting("arm", "panel"), Setting("budget", "400 tokens")]
    rows = [{"arm": name, "budget": 400, "score": "egalitarian", "gain": 0.5} for name in ("concat", "oracle")]
    assert row_names(rows, arms) == ["concat · 400 tokens", "oracle · 400 tokens"]
    sizes = [{"arm": "concat", "topics": n, "messages": 10 * n} for n in (20, 40)]
    assert row_names(sizes, [Setting("steps", "2 sizes")]) == ["topics 20 · 2 sizes", "topics 40 · 2 sizes"]
    same = [{"arm": "x", "rate": 0.1}, {"arm": "x", "rate": 0.2}]
    assert row_names(same, [Setting("arm", "x")]) == ["row 1 · x", "row 2 · x"]
    assert row_names([], arms) == []


def test_names_are_never_longer_than_mlflow_can_hold():
    (name,) = row_names([{"text": "long " * 500}], [Setting(str(i), "w" * 50) for i in range(20)])
    assert len(name) == 250


@pytest.mark.parametrize("command", ["mergebench", "mergebench.scaling", "confluence.enumerate", "attribution.run"])
def test_an_experiment_is_found_by_its_command(command):
    found = naming.experiment_of(command)
    assert found is not None
    assert found.command == command
    assert found.title
    assert found.headline(naming.decisive(dataclasses.asdict(found.schema())))


@pytest.mark.parametrize(
    "command", ["", "os", "this", "mergebench.nosuch", "mergebench.arm; import os", "../x", "json.tool"]
)
def test_nothing_else_is_imported_for_a_name(command):
    assert naming.experiment_of(command) is None


def test_an_experiment_without_a_title_is_called_by_its_name_in_words():
    assert title_of("my_experiment.run", None) == "My experiment run"
    assert title_of("mergebench", MERGEBENCH) == "MergeBench"
