"""Every arm of the trajectories: within its budget, reproducible, and what the ledger's do whatever a summary keeps."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from beliefmerge.errors import UsageError
from beliefmerge.ledger.transcript import filled
from beliefmerge.llm.protocol import ChatMessage, Completion
from beliefmerge.tokens import COUNTERS
from experiment.tables import write_parquet
from mergebench.config import ArmConfig, CriterionConfig, MergeBenchConfig, ScenarioConfig
from mergebench.trajectory import fixture
from mergebench.trajectory.arm import Arm, Request, WorkingSet
from mergebench.trajectory.bench import FAILED_CRITERION, run
from mergebench.trajectory.reader import UNKNOWN, Strict
from mergebench.trajectory.registry import TRAJECTORY_ARMS
from mergebench.trajectory.trajectory import Part, Trajectory, generate, part_of
from mergebench.trajectory.world import Ledgers, ledgers

TRAJECTORIES = [generate(number) for number in range(4)]
LEDGER = [name for name in TRAJECTORY_ARMS if name.startswith("ledger")]
FLAT = [name for name in TRAJECTORY_ARMS if name.startswith("flat")]


class Summariser:
    """Repeats the messages of tools, one sentence a line."""

    name = "double"

    def complete(self, messages, **_) -> Completion:
        told = [line.split(": ", 1)[1] for line in messages[-1].content.splitlines() if line.startswith("tool (")]
        return Completion("\n".join(told), "stop", self.name)


@pytest.fixture(scope="module")
def ledger() -> Iterator[Ledgers]:
    with ledgers() as opened:
        yield opened


def request(ledger: Ledgers, name: str, budget: int = 400, tokens: str = "chars4", **more) -> Request:
    arm = TRAJECTORY_ARMS[name]
    model = Summariser() if arm.asks_model else None
    return Request(ledger, budget, COUNTERS[tokens], tokens, options=arm.options, model=model, **more)


def shown(ledger: Ledgers, name: str, trajectory: Trajectory, **more) -> WorkingSet:
    return TRAJECTORY_ARMS[name].work(trajectory, request(ledger, name, **more))


def answer(trajectory: Trajectory, working_set: WorkingSet) -> str:
    prompt = filled(working_set.template, trajectory.question, [entry.text for entry in working_set.entries])
    return Strict(trajectory.values).complete([ChatMessage("user", prompt)]).text


@pytest.mark.parametrize("name", list(TRAJECTORY_ARMS))
def test_an_arm_is_never_a_token_over_its_budget_and_prints_the_same_bytes_every_time(ledger, name):
    for tokens in COUNTERS:
        for budget in (1, 40, 100, 400):
            found = shown(ledger, name, TRAJECTORIES[0], budget=budget, tokens=tokens)
            assert COUNTERS[tokens](found.text) <= budget
            assert found == shown(ledger, name, TRAJECTORIES[0], budget=budget, tokens=tokens)
    with ledgers() as other:
        assert shown(other, name, TRAJECTORIES[0]) == shown(ledger, name, TRAJECTORIES[0])


@pytest.mark.parametrize("name", LEDGER)
def test_a_ledgers_arm_does_not_depend_on_what_a_compaction_keeps(ledger, name):
    for trajectory in TRAJECTORIES:
        assert len({shown(ledger, name, trajectory, retention=q / 10) for q in range(11)}) == 1


def test_a_flat_compaction_keeps_more_at_every_higher_q_and_its_answer_follows(ledger):
    many = [generate(number) for number in range(60)]
    before = [False] * len(many)
    for q in (0.0, 0.25, 0.5, 0.75, 1.0):
        sets = [shown(ledger, "flat_retention", trajectory, retention=q) for trajectory in many]
        right = [answer(t, s) == t.right for t, s in zip(many, sets, strict=True)]
        assert all(now or not then for then, now in zip(before, right, strict=True))
        assert abs(sum(right) / len(many) - q) < 0.15
        before = right
    assert all(before)


@pytest.mark.parametrize("trajectory", TRAJECTORIES, ids=lambda trajectory: trajectory.tenant)
def test_what_each_arm_leaves_of_premise_conclusions_and_correction(ledger, trajectory):
    answers = {name: answer(trajectory, shown(ledger, name, trajectory)) for name in TRAJECTORY_ARMS}
    planted, right = trajectory.planted, trajectory.right
    assert answers["flat_scripted"] == planted
    for name in ("flat", "ledger_v1", "ledger_v2", "ledger_v2_measured"):
        assert answers[name] == right, name
    assert answers["ledger_v2_uncorroborated"] == "unknown"
    assert "RETRACTED" in shown(ledger, "ledger_v1", trajectory).text
    for name in ("ledger_v2", "ledger_v2_measured", "ledger_v2_uncorroborated"):
        assert planted not in shown(ledger, name, trajectory).text, name


def test_a_measured_edge_near_zero_passes_nothing_on_and_one_near_one_does(ledger):
    for trajectory in TRAJECTORIES:
        (surplus,) = trajectory.of(Part.SURPLUS)
        assert surplus.name not in shown(ledger, "ledger_v2", trajectory).standing
        kept = shown(ledger, "ledger_v2_measured", trajectory).standing
        assert surplus.name in kept
        assert Part.DERIVED not in {part_of(name) for name in kept}


def test_edges_that_did_not_pass_the_gate_leave_the_declared_ones(tmp_path):
    rows = [{**row, "verdict": "unstable"} for row in fixture.rows(1)]
    write_parquet(tmp_path / "edges.parquet", rows)
    with ledgers() as other:
        asked = replace(request(other, "ledger_v2_measured"), options={"edges": str(tmp_path)})
        found = TRAJECTORY_ARMS["ledger_v2_measured"].work(TRAJECTORIES[0], asked)
        assert found == shown(other, "ledger_v2", TRAJECTORIES[0])


# the experiment over them


def config(arm: str, seeds: int = 4, *criteria: CriterionConfig, **more) -> MergeBenchConfig:
    scenario = ScenarioConfig("trajectory", seeds=seeds, chatter=10, criteria=list(criteria))
    return MergeBenchConfig(ArmConfig(arm), scenario, results_dir="x", **more)


@pytest.fixture
def added() -> Iterator[list[str]]:
    """Two more arms: one that is told the truth, and one that is broken."""

    def printing(part: Part) -> Arm:
        from mergebench.trajectory import flat

        return Arm(lambda trajectory, asked: flat.summary(trajectory.of(part), asked))

    TRAJECTORY_ARMS.register("told", printing(Part.CORRECTION))
    TRAJECTORY_ARMS.register("broken", printing(Part.PREMISE))
    yield ["told", "broken"]
    TRAJECTORY_ARMS.unregister("told")
    TRAJECTORY_ARMS.unregister("broken")


def test_the_truth_scores_full_marks_and_a_broken_arm_none(added):
    (told,), (broken,) = (run(config(name, 20)).rows for name in added)
    assert (told["persistence"], told["survival"], told["exposure"], told["right"]) == (0, 1, 0, 1)
    assert (broken["persistence"], broken["survival"], broken["exposure"], broken["right"]) == (1, 0, 1, 0)
    assert broken["persistence_low"] == pytest.approx(0.8316, abs=1e-4)
    assert told["persistence_high"] == pytest.approx(1 - 0.8316, abs=1e-4)


def test_an_answer_that_rested_on_nothing_but_the_premise_changes_without_it(added):
    told, broken = (run(config(name, 3)) for name in added)
    assert [told.rows[0]["twin_changed"], broken.rows[0]["twin_changed"]] == [0, 1]
    assert {case["twin_answer"] for case in broken.tables["cases"]} == {UNKNOWN}
    assert "twins-broken.jsonl" not in broken.files


def test_a_failed_criterion_is_a_result_and_ends_with_four_only_when_strict():
    hopeless = CriterionConfig("it is never shown", ["flat_scripted"], "exposure", "at_most", 0.1)
    result = run(config("flat_scripted", 3, hopeless))
    assert result.exit_code == 0
    assert [row["verdict"] for row in result.tables["criteria"]] == ["failed"]
    assert "it is never shown" in result.text
    assert run(config("flat_scripted", 3, hopeless, strict=True)).exit_code == FAILED_CRITERION == 4
    fine = replace(hopeless, direction="at_least", threshold=0.2)
    assert run(config("flat_scripted", 3, fine, strict=True)).exit_code == 0


def test_a_trajectory_is_stored_with_its_contrastive_twin(tmp_path):
    from attribution.step import read_steps

    result = run(config("flat_scripted", 3))
    for name in ("steps-flat_scripted.jsonl", "twins-flat_scripted.jsonl"):
        (tmp_path / name).write_bytes(result.files[name]())
    steps, twins = (read_steps(tmp_path / f"{kind}-flat_scripted.jsonl") for kind in ("steps", "twins"))
    assert len(steps) == len(twins) == 3
    for step, other in zip(steps, twins, strict=True):
        gone = {entry.entry_id for entry in step.entries} - {entry.entry_id for entry in other.entries}
        assert {part_of(name) for name in gone} == {Part.PREMISE}
    assert {case["twin_answer"] for case in result.tables["cases"]} <= {
        row["planted"] for row in result.tables["cases"]
    }


def test_the_claims_of_the_agent_are_stored_for_attribution(tmp_path):
    from attribution.step import read_steps

    result = run(config("ledger_v2", 2))
    (tmp_path / "claims.jsonl").write_bytes(result.files["claims.jsonl"]())
    claims = read_steps(tmp_path / "claims.jsonl")
    assert [part_of(step.claim_id) for step in claims].count(Part.SURPLUS) == 2
    edges = {(step.claim_id, parent) for step in claims for parent in step.declared}
    assert edges == {(row["claim_id"], row["entry_id"]) for row in fixture.rows(2)}


def test_summaries_that_are_not_on_record_are_left_out_and_said(monkeypatch):
    monkeypatch.setattr("mergebench.trajectory.bench.recordings", lambda published: "/nonexistent")
    with pytest.raises(UsageError, match="add llm=local"):
        run(config("flat_measured", 1))


def test_an_arm_of_another_scenario_is_refused_by_name():
    from mergebench.bench import run as bench

    with pytest.raises(UsageError, match=r"unknown arm of scenario=trajectory 'flatt'; did you mean 'flat'"):
        bench(config("flatt"))
    with pytest.raises(UsageError, match="'flat_scripted' is one of scenario=trajectory"):
        bench(MergeBenchConfig(ArmConfig("flat_scripted"), ScenarioConfig("bridge"), results_dir="x"))
    with pytest.raises(UsageError, match="reader is a setting of scenario=trajectory alone"):
        bench(MergeBenchConfig(ArmConfig("none"), ScenarioConfig("bridge"), reader="model", results_dir="x"))
