"""Every arm, on every family, at every kind of budget: within it, reproducible, and honest about what it knows."""

from __future__ import annotations

from dataclasses import replace

import pytest

from beliefmerge.errors import BeliefMergeError
from beliefmerge.session.model import Block, Channel, Message, Session
from beliefmerge.tokens import COUNTERS
from mergebench.arm import Arm, Output, Request
from mergebench.bench import measure, run
from mergebench.config import ArmConfig, MergeBenchConfig, ScenarioConfig
from mergebench.match import shows
from mergebench.metric import Column, Metric
from mergebench.reading import read
from mergebench.registries import ARMS, METRICS, SCENARIOS
from mergebench.scenario import Family, Kind, Question, Role, Scenario, Size
from mergebench.transcript import heading
from tests.bench_cases import SCENARIO
from tests.bench_model import double

BUDGETS = (1, 7, 40, 133, 400, 10_000)


@pytest.fixture(params=list(ARMS))
def arm(request) -> Arm:
    return ARMS[request.param]


@pytest.fixture(params=list(SCENARIOS))
def scenario(request) -> Scenario:
    return SCENARIOS[request.param].generate(Size(topics=12), 3)


def outputs(
    arm: Arm, scenario: Scenario, budget: int, tokens: str = "chars4", score: str = "egalitarian"
) -> list[Output]:
    asked: list[Question | None] = list(scenario.questions[:4]) if arm.sees_question else [None]
    request = requested(arm, budget, tokens, score)
    return [arm.work(scenario, replace(request, question=question)) for question in asked]


def requested(arm: Arm, budget: int, tokens: str = "chars4", score: str = "egalitarian") -> Request:
    """A request with all that an arm may need."""
    model = double() if arm.asks_model else None
    return Request(budget, COUNTERS[tokens], tokens, score, arm.options, model=model)


@pytest.mark.parametrize("tokens", ["chars4", "regex", "o200k"])
def test_an_arm_is_never_a_token_over_its_budget(arm, scenario, tokens):
    for budget in BUDGETS:
        for output in outputs(arm, scenario, budget, tokens):
            assert COUNTERS[tokens](output.text) <= budget, budget


def test_an_arm_prints_the_same_bytes_every_time(arm, scenario):
    first, second = (outputs(arm, scenario, 300) for _ in range(2))
    assert [output.text for output in first] == [output.text for output in second]


def test_an_arm_shows_nothing_that_nobody_said(arm, scenario):
    for output in outputs(arm, scenario, 10_000):
        assert not [value for value in scenario.decoys if shows(output.text, value)]


def test_a_block_can_be_parsed_and_has_a_source_for_every_value(arm, scenario):
    for output in outputs(arm, scenario, 600):
        reading = read(output)
        if output.block:
            assert {(key, value) for key, value, _ in reading.sides} <= set(output.sources)
        else:
            assert output.sources == {}


def test_every_line_of_session_text_is_verbatim(arm, scenario):
    for output in outputs(arm, scenario, 300):
        if not output.block and output.text:
            found = METRICS["traced"].measure(measure(arm, scenario, requested(arm, 300), 0.0))["traced"]
            assert found == 1


def test_an_arm_survives_branches_without_messages(arm):
    silent = (Session("a", "plain"), Session("b", "plain"))
    empty = Scenario("empty", 0, silent, (), (), (Question("q", Kind.PROBE, "What?", (), ()),))
    for output in outputs(arm, empty, 100):
        assert output.text == ""


def test_what_an_arm_prints_depends_on_the_truth_only_where_it_says_so(arm, scenario):
    questions = tuple(replace(q, id="", kind=Kind.LOCAL, keys=(), expects=()) for q in scenario.questions)
    blind = Scenario("", 0, scenario.sessions, (), (), questions, current=scenario.current)
    same = [o.text for o in outputs(arm, scenario, 400)] == [o.text for o in outputs(arm, blind, 400)]
    assert same or arm.sees_truth


def test_arms_that_use_the_truth_or_the_question_say_so():
    assert {name for name in ARMS if ARMS[name].sees_truth} == {"best_single", "oracle"}
    assert {name for name in ARMS if ARMS[name].sees_question} == {"bm25", "retrieve"}
    assert {name for name in ARMS if ARMS[name].asks_model} == {"live", "summary"}


# what single arms are


def test_none_prints_nothing():
    assert outputs(ARMS["none"], SCENARIO, 100)[0].text == ""


def test_single_is_the_first_branch_and_best_single_the_one_that_answers_most():
    first, second = SCENARIO.sessions
    assert outputs(ARMS["single"], SCENARIO, 1000)[0].text.startswith(heading(first))
    for key, answering in (("hall", first), ("fair", second)):
        asked = tuple(question for question in SCENARIO.questions if question.keys == (key,))
        for order in ((first, second), (second, first)):
            scenario = Scenario("hand", 0, order, SCENARIO.topics, SCENARIO.tellings, asked)
            assert outputs(ARMS["best_single"], scenario, 1000)[0].text.startswith(heading(answering))


def test_concat_goes_through_the_branches_in_order_and_roundrobin_takes_turns():
    concat = outputs(ARMS["concat"], SCENARIO, 30)[0].text
    turns = outputs(ARMS["roundrobin"], SCENARIO, 30)[0].text
    assert "[a]" in concat
    assert "[b]" not in concat
    assert "[a]" in turns
    assert "[b]" in turns


def test_a_forks_trunk_is_pasted_once():
    scenario = SCENARIOS["fork"].generate(Size(), 0)
    for name in ("concat", "roundrobin", "snapshot", "bm25"):
        for output in outputs(ARMS[name], scenario, 10_000):
            lines = [line for line in output.text.splitlines() if not line.startswith("[")]
            keys = {message.key for session in scenario.sessions for message in session.messages}
            assert len(lines) <= len(keys), name


def test_snapshot_prints_what_was_spoken_and_no_tools_or_reasoning():
    lines = outputs(ARMS["snapshot"], SCENARIOS["bridge"].generate(Size(), 0), 10_000)[0].text.splitlines()
    assert {line.split(":")[0] for line in lines if not line.startswith("[")} == {"user", "assistant"}


def said(id, *texts, start=0, channel=Channel.USER):
    """A session whose messages come a minute apart, the first one `start` minutes after the epoch."""
    return Session(
        id,
        "plain",
        tuple(Message((Block(channel, text),), i, id, f"{id}{i}", 60.0 * (start + i)) for i, text in enumerate(texts)),
    )


def untimed(session):
    return replace(session, messages=tuple(replace(message, time=None) for message in session.messages))


def asked_of(*sessions):
    return Scenario("hand", 0, sessions, (), (), ())


def test_fusion_prints_by_time_and_drops_the_earliest():
    early = said("a", "We begin.", "It rains in Ghent.", start=5)
    late = said("b", "Somebody coughs.", "The hall seats 120.", "The door creaks.", start=4)
    lines = ARMS["fusion"].work(asked_of(early, late), Request(1000)).text.splitlines()
    assert lines == [
        f"user: {text}"
        for text in ("Somebody coughs.", "We begin.", "The hall seats 120.", "It rains in Ghent.", "The door creaks.")
    ]
    tight = ARMS["fusion"].work(asked_of(early, late), Request(12)).text.splitlines()
    assert tight == lines[-2:]


def test_fusion_replaces_secrets_and_prints_what_forks_share_once():
    value = "Zq7" + "Lm4Tx9Wp2Rk8"
    trunk = said("a", f"password: {value}", "The hall seats 120.")
    fork = replace(trunk, id="b")
    text = ARMS["fusion"].work(asked_of(trunk, fork), Request(1000)).text
    assert value not in text
    assert text.count("120") == 1


def test_lastwrite_keeps_what_was_written_last_and_forgets_what_is_denied():
    old = said("a", "The hall seats 120 people.")
    new = said("b", "The hall seats 250 people.", channel=Channel.MODEL, start=1)
    for order in ((old, new), (new, old)):
        text = ARMS["lastwrite"].work(asked_of(*order), Request(400)).text
        assert shows(text, "250")
        assert not shows(text, "120")
    denied = said("c", "The hall does not seat 120 people.", start=1)
    assert not shows(ARMS["lastwrite"].work(asked_of(denied, old), Request(400)).text, "120")


def test_lastwrite_goes_by_the_order_of_the_sessions_where_nothing_has_a_time():
    old, new = (untimed(said(id, f"The hall seats {seats} people.")) for id, seats in (("a", 120), ("b", 250)))
    for order, kept, gone in (((old, new), "250", "120"), ((new, old), "120", "250")):
        text = ARMS["lastwrite"].work(asked_of(*order), Request(400)).text
        assert shows(text, kept)
        assert not shows(text, gone)


def test_a_copy_of_the_trunk_in_another_branch_is_no_later_write_to_lastwrite():
    trunk = said("a", "The hall seats 120 people.")
    changed = replace(trunk, messages=(*trunk.messages, *said("a", "", "The hall seats 250 people.").messages[1:]))
    for order in ((changed, replace(trunk, id="b")), (replace(trunk, id="b"), changed)):
        text = ARMS["lastwrite"].work(asked_of(*order), Request(400)).text
        assert shows(text, "250")
        assert not shows(text, "120")


def test_bm25_prints_another_context_for_another_question():
    scenario = SCENARIOS["bridge"].generate(Size(), 0)
    texts = {output.text for output in outputs(ARMS["bm25"], scenario, 60)}
    assert len(texts) > 1


def test_bm25_prefers_the_message_that_answers():
    question = next(q for q in SCENARIO.questions if q.keys == ("fair",))
    output = ARMS["bm25"].work(SCENARIO, Request(12, question=question))
    assert "Lindau" in output.text


def test_the_oracle_is_the_ceiling_in_every_family():
    for name in SCENARIOS:
        config = MergeBenchConfig(
            arm=ArmConfig("oracle"), scenario=ScenarioConfig(name, seeds=3, topics=12), budget=600, results_dir="x"
        )
        (row,) = run(config).rows
        assert (row["local"], row["bridge"], row["unambiguous"]) == (1, 1, 1), name
        assert (row["both"], row["invented"], row["over_budget"], row["degraded"]) == (0, 0, 0, 0), name
        assert (row["detection_f1"], row["resolution"], row["over_deletion"]) == (1, 1, 0), name
        assert row["traced"] == 1, name
        for column, best in (
            ("ties_kept", 1),
            ("retraction_precision", 1),
            ("retraction_recall", 1),
            ("laundering", 0),
            ("leaks", 0),
            ("refuted_kept", 1),
            ("refuted_revived", 0),
            ("coverage_compatible", 1),
            ("coverage_same", 1),
            ("false_alarms", 0),
            ("sound", 1),
        ):
            assert row[column] in (None, best), (name, column)


# one file a member: added at run time


@pytest.fixture
def added():
    """Registers members and takes them back."""
    taken = []

    def register(registry, name, member):
        registry.register(name, member)
        taken.append((registry, name))

    yield register
    for registry, name in taken:
        registry.unregister(name)


def test_an_arm_a_family_and_a_metric_are_added_by_registering_them(added):
    def shout(scenario, request):
        return Output(scenario.texts[0].upper()[: 4 * request.budget])

    def generate(size, seed):
        return SCENARIO

    added(ARMS, "shout", Arm(shout))
    added(SCENARIOS, "hand", Family("a scenario made by hand", generate))
    added(METRICS, "letters", Metric((Column("letters", "letters", rate=False),), lambda case: {
        "letters": float(sum(map(str.isalpha, case.distinct[0].text)))}))  # fmt: skip
    config = MergeBenchConfig(ArmConfig("panel"), ScenarioConfig("hand", seeds=2), budget=50, results_dir="x")
    result = run(config)
    rows = {row["arm"]: row for row in result.rows}
    assert set(rows) == {name for name in ARMS if not ARMS[name].asks_model}
    assert rows["shout"]["letters"] == len("THEHALLSEATSPEOPLE")
    assert rows["none"]["letters"] == 0
    assert "letters" in result.text
    assert "shout" in result.text


def test_a_name_that_is_taken_is_refused(added):
    with pytest.raises(BeliefMergeError, match="registered already"):
        added(ARMS, "concat", ARMS["none"])


def test_options_are_checked_by_name_and_type():
    def config(**options):
        return MergeBenchConfig(ArmConfig("oracle", options), ScenarioConfig("bridge", seeds=1), results_dir="x")

    assert run(config(solver="density")).rows[0]["over_budget"] == 0
    with pytest.raises(BeliefMergeError, match="did you mean 'solver'"):
        run(config(sovler="density"))
    with pytest.raises(BeliefMergeError, match="must be str"):
        run(config(solver=3))


def test_every_role_is_tested_by_some_family():
    made = [SCENARIOS[name].generate(Size(topics=12), seed) for name in SCENARIOS for seed in range(4)]
    assert {topic.role for scenario in made for topic in scenario.topics} == set(Role)
