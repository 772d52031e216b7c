"""The arms and the answerer that ask a model, over real HTTP: recorded, replayed, degraded, refused."""

from __future__ import annotations

import json

import pytest

from beliefmerge.errors import BeliefMergeError
from experiment.entry import main
from experiment.tables import read_parquet
from mergebench.answerer import exact, overlap
from mergebench.bench import run
from mergebench.command import EXPERIMENT
from mergebench.config import ArmConfig, LlmConfig, MergeBenchConfig, ScenarioConfig
from tests.bench_model import answer
from tests.doubles.server import MockServer, Response, refused, say, status

SIZE = {"seeds": 2, "topics": 4, "conflicts": 0, "chatter": 4}


def reply(request) -> Response:
    """What the double says to the user's first message."""
    prompt = next(message["content"] for message in request.body["messages"] if message["role"] == "user")
    if prompt.startswith("Context:"):
        return say("unknown" if "Question: " in prompt and "(empty)" in prompt else prompt.split("\n")[1])
    made = answer(prompt)
    return say(made if isinstance(made, str) else json.dumps(made))


def config(arm, url, tmp_path, cache="off", family="bridge", **more):
    llm = LlmConfig(
        "vllm", model="double-1", base_url=url, cache=cache, cache_dir=str(tmp_path / "calls"), timeout_s=20
    )
    size = ScenarioConfig(family, **SIZE)
    return MergeBenchConfig(arm=ArmConfig(arm), scenario=size, llm=llm, results_dir="x", **more)


def rows(result):
    return [{key: value for key, value in row.items() if key != "seconds"} for row in result.rows]


@pytest.mark.parametrize("arm", ["live", "summary"])
def test_what_was_recorded_is_replayed_without_a_server(tmp_path, arm):
    with MockServer(reply) as server:
        first = run(config(arm, server.base_url, tmp_path, cache="record"))
        asked = len(server.requests)
    assert asked == first.facts["model"]["calls"] > 0
    again = run(config(arm, refused(), tmp_path, cache="replay"))
    assert rows(again) == rows(first)
    assert again.tables == first.tables
    assert again.facts["model"]["cached"] == asked
    assert f"model: double-1, {asked} calls ({asked} from the record)" in again.text


def test_a_reply_that_is_not_on_record_ends_the_run_in_one_line(tmp_path):
    for arm in ("live", "summary"):
        with pytest.raises(BeliefMergeError, match="not on record"):
            run(config(arm, refused(), tmp_path, cache="replay"))


def test_live_counts_the_scenarios_that_fell_back(tmp_path):
    with MockServer(say("I cannot do that.")) as server:
        result = run(config("live", server.base_url, tmp_path))
        assert len(server.requests) == 2 * SIZE["seeds"]
    heuristic = run(config("heuristic", "", tmp_path))
    (live,), (plain,) = rows(result), rows(heuristic)
    assert (live["degraded"], plain["degraded"]) == (SIZE["seeds"], 0)
    assert live["bridge"] == plain["bridge"]


def test_live_that_is_answered_is_not_degraded(tmp_path):
    with MockServer(reply) as server:
        (row,) = rows(run(config("live", server.base_url, tmp_path, family="tie")))
    assert (row["degraded"], row["over_budget"]) == (0, 0)


def test_summary_falls_back_to_the_fair_concatenation_and_says_so(tmp_path):
    with MockServer(say("", finish="stop")) as server:
        (row,) = rows(run(config("summary", server.base_url, tmp_path)))
    (fair,) = rows(run(config("roundrobin", "", tmp_path)))
    assert row["degraded"] == SIZE["seeds"]
    assert (row["local"], row["bridge"], row["tokens"]) == (fair["local"], fair["bridge"], fair["tokens"])


def test_a_summary_that_is_too_long_is_cut_by_the_same_counter(tmp_path):
    with MockServer(say("word " * 5000)) as server:
        (row,) = rows(run(config("summary", server.base_url, tmp_path, tokens="o200k", budget=50)))
    assert row["over_budget"] == 0
    assert 40 < row["tokens"] <= 50


@pytest.mark.parametrize(
    ("step", "says"),
    [(status(401), "not authorised"), (status(404), "no such model or address"), (None, "connection refused")],
)
def test_a_model_that_nobody_can_ask_ends_the_run(tmp_path, monkeypatch, step, says):
    monkeypatch.setattr("beliefmerge.llm.client.FIRST_WAIT_S", 0.001)
    with MockServer(step or say("x")) as server:
        url = server.base_url if step else refused()
        for arm in ("live", "summary"):
            with pytest.raises(BeliefMergeError, match=says):
                run(config(arm, url, tmp_path))


def test_the_panel_asks_only_where_a_model_is_configured(tmp_path):
    without = MergeBenchConfig(scenario=ScenarioConfig("bridge", **SIZE), results_dir="x")
    assert not {"live", "summary"} & {row["arm"] for row in run(without).rows}
    with MockServer(reply) as server:
        assert {"live", "summary"} < {row["arm"] for row in run(config("panel", server.base_url, tmp_path)).rows}


@pytest.mark.parametrize("more", [{"arm": ArmConfig("live")}, {"arm": ArmConfig("none"), "answerer": "llm"}])
def test_what_asks_a_model_needs_one(more):
    with pytest.raises(BeliefMergeError, match="add llm=local"):
        run(MergeBenchConfig(scenario=ScenarioConfig("bridge", **SIZE), results_dir="x", **more))


# the answerer


def test_exact_match_takes_the_values_in_any_order_and_nothing_else():
    assert exact("The Alder House, and 1,200", ["1,200", "alder_house"]) == 1
    assert exact("Alder House", ["Alder House", "1,200"]) == 0
    assert exact("It is Alder House.", ["Alder House"]) == 0
    assert exact("", ["120"]) == 0
    assert exact("12.5", ["125"]) == 0


def test_f1_is_the_overlap_of_words():
    assert overlap("Alder House", ["Alder House"]) == 1
    assert overlap("It is Alder House.", ["Alder House"]) == pytest.approx(2 * 2 / 6)
    assert overlap("unknown", ["Alder House"]) == 0
    assert overlap("", ["x"]) == 0


def test_answers_are_scored_recorded_and_replayed(tmp_path):
    with MockServer(reply) as server:
        first = run(config("oracle", server.base_url, tmp_path, cache="record", answerer="llm"))
        questions = sum(case["kind"] != "probe" for case in first.tables["cases"])
        assert len(server.requests) == questions
    (row,) = first.rows
    assert 0 <= row["answer_exact"] <= row["answer_f1"] <= 1
    answered = [case for case in first.tables["cases"] if "answer" in case]
    assert len(answered) == questions
    assert "exact match" in first.text
    again = run(config("oracle", refused(), tmp_path, cache="replay", answerer="llm"))
    assert rows(again) == rows(first)


def test_an_empty_context_answers_nothing(tmp_path):
    with MockServer(reply) as server:
        (row,) = rows(run(config("none", server.base_url, tmp_path, answerer="llm")))
    assert (row["answer_exact"], row["answer_f1"]) == (0, 0)


# the command


def test_the_command_records_what_it_asked_and_no_key(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("BENCH_KEY", "sk-never-written-0123456789abcdef")
    with MockServer(reply) as server:
        arguments = [
            *("arm=summary", "llm=vllm", "llm.model=double-1", f"llm.base_url={server.base_url}", "tracking=none"),
            *("llm.key_env=BENCH_KEY", f"llm.cache_dir={tmp_path}/calls", f"results_dir={tmp_path}/results"),
            *("scenario.seeds=1", "scenario.topics=4", "scenario.conflicts=0"),
        ]
        assert main(EXPERIMENT, arguments) == 0
        assert server.requests[0].headers["authorization"] == "Bearer sk-never-written-0123456789abcdef"
    (path,) = (tmp_path / "results").glob("*/record.json")
    record = json.loads(path.read_text())
    assert (record["model"]["model"], record["model"]["calls"]) == ("double-1", 1)
    assert [row["arm"] for row in read_parquet(path.parent / "runs.parquet")] == ["summary"]
    files = [file for file in tmp_path.rglob("*") if file.is_file()]
    assert not [file for file in files if b"sk-never-written" in file.read_bytes()]
    capsys.readouterr()


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["arm=live"], "this asks a model: add llm=local"),
        (["arm=live", "llm=locl"], "unknown llm 'locl'; did you mean 'local'?"),
        (["arm=live", "llm=local", "llm.cache=rcord"], "did you mean 'record'?"),
        (["arm=live", "llm=vllm", "llm.cache=off"], "which model?"),
        (["arm=none", "answerer=lm"], "did you mean 'llm'?"),
        (["arm=live", "llm=local", "llm.cache=off"], "python -m beliefmerge model fetch"),
        (["arm=live", "llm=local", "llm.model=/no/such.gguf", "llm.cache=off"], "neither a GGUF file nor"),
    ],
)
def test_bad_input_is_one_line(tmp_path, monkeypatch, capsys, arguments, says):
    monkeypatch.setenv("BELIEFMERGE_MODELS", str(tmp_path / "none"))
    assert main(EXPERIMENT, [*arguments, "tracking=none", f"results_dir={tmp_path}/results"]) == 2
    captured = capsys.readouterr()
    assert says in captured.err
    assert captured.err.count("\n") == 1
    assert captured.out == ""
