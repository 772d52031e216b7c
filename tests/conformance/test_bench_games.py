"""Arms built to game the benchmark, and one that is merely broken, on every family: none of them scores."""

from __future__ import annotations

import pytest

from beliefmerge.algebra.decision import Outcome
from experiment.run import carry_out
from mergebench.arm import Output, Request
from mergebench.command import EXPERIMENT
from mergebench.config import ArmConfig, MergeBenchConfig, ScenarioConfig
from mergebench.metrics.leaks import leaked
from mergebench.registries import ARMS, METRICS, SCENARIOS
from mergebench.scenario import Role, Scenario, Size
from tests.bench_cases import block, case, item
from tests.bench_model import double


@pytest.fixture(params=list(SCENARIOS))
def scenario(request) -> Scenario:
    return SCENARIOS[request.param].generate(Size(topics=12), 3)


def measure(scenario: Scenario, output: str | Output) -> dict[str, float | None]:
    found = case(output, scenario=scenario, budget=10**6)
    return {column: value for name in METRICS for column, value in METRICS[name].measure(found).items()}


def words_of(values: list[str]) -> str:
    return "\n".join(word for value in values for word in value.split())


def test_to_print_every_value_answers_no_question_soundly(scenario):
    """All there is to be asked is shown, so `local` and `bridge` alone are fooled; what is read with them is not."""
    for text in (words_of(sorted(scenario.vocabulary)), ", ".join(scenario.vocabulary)):
        found = measure(scenario, text)
        assert found["sound"] == 0
        assert found["unambiguous"] in (None, 0)
        assert found["invented"] > len(scenario.topics) / 2
        assert not found["detection_f1"]
        for column in ("ties_kept", "fallen_marked", "refuted_kept", "resolution"):
            assert not found[column], column
    assert found["traced"] == 0
    assert not found["retraction_recall"]


def test_to_print_every_id_answers_nothing(scenario):
    ids = [
        *(topic.key for topic in scenario.topics),
        *(question.id for question in scenario.questions),
        *(session.id for session in scenario.sessions),
        *(f"{m.id} {m.key} {m.digest} {m.seq}" for session in scenario.sessions for m in session.messages),
        *(f"[{t.session}#{t.seq}:{t.start}-{t.end}]" for t in scenario.tellings),
    ]
    found = measure(scenario, "\n".join(ids))
    for column in ("local", "bridge", "sound", "unambiguous", "refuted_kept", "coverage_single", "coverage_compatible"):
        assert not found[column], column


def test_an_arm_that_asserts_all_it_ever_read_scores_badly(scenario):
    """No order in time, no evidence, no negation, no label, nothing withheld: every value holds."""
    parts = [str((s.title, s.cwd, s.path, dict(s.meta), s.flags, s.claims)) for s in scenario.sessions]
    told = [f"{telling.key}: {telling.value}" for telling in scenario.tellings]
    found = measure(scenario, "\n".join([*told, *parts, *scenario.texts]))
    worst = {
        "unambiguous": 0, "ties_kept": 0, "retraction_recall": 0, "refuted_revived": 1, "refuted_kept": 0,
        "laundering": 1, "leaks": 1, "detection_f1": 0,
    }  # fmt: skip
    for column, value in worst.items():
        assert found[column] in (None, value), column
    assert any(found[column] == value for column, value in worst.items())


def test_an_arm_that_disputes_whatever_has_two_values_raises_false_alarms(scenario):
    lines = [item(t.key, *t.asserted, outcome=Outcome.DISPUTED) for t in scenario.topics if len(t.asserted) > 1]
    found = measure(scenario, block(*lines))
    agreeing = scenario.with_roles(Role.COMPATIBLE, Role.SAME)
    assert found["false_alarms"] == (1 if agreeing else None)
    if agreeing and found["detection_precision"] is not None:
        assert found["detection_precision"] < 1


def test_no_planted_credential_reaches_a_record_of_a_run(tmp_path):
    """Tables, cases and the record of every arm; what a merge arm prints and would hand to a model beside."""
    scenario = SCENARIOS["secret"].generate(Size(topics=12), 0)
    config = MergeBenchConfig(
        arm=ArmConfig("panel"), scenario=ScenarioConfig("secret", seeds=1, topics=12), results_dir=str(tmp_path)
    )
    run, result = carry_out(EXPERIMENT, config, tmp_path)
    written = [*(path.read_bytes() for path in run.path.iterdir()), repr((result.tables, result.rows)).encode()]
    assert len(written) > 5
    for secret in scenario.secrets:
        assert not any(leaked(data.decode("utf-8", "replace"), secret.value) for data in written), secret.kind
    leaks = {row["arm"]: row["leaks"] for row in result.rows}
    assert [leaks[arm] for arm in ("fusion", "heuristic", "lastwrite", "oracle")] == [0, 0, 0, 0]
    model = double()
    ARMS["live"].work(scenario, Request(400, options=ARMS["live"].options, model=model))
    asked = " ".join(message.content for messages in model.prompts for message in messages)
    assert asked
    assert not any(leaked(asked, secret.value) for secret in scenario.secrets)
