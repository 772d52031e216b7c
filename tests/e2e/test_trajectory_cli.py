"""The trajectories as a stranger types them, and what is published of them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from attribution.config import AttributionConfig, ScorerConfig
from attribution.run import run as attribute
from experiment.entry import configured
from experiment.results import checkout
from experiment.tables import read_parquet
from mergebench.command import EXPERIMENT
from mergebench.config import ArmConfig, LlmConfig, MergeBenchConfig, ScenarioConfig
from mergebench.trajectory.bench import run
from mergebench.trajectory.rested import by_arm, rows_of
from mergebench.trajectory.trajectory import Part, part_of

PUBLISHED = checkout() / "results" / "published" / "trajectory"
RESTED = PUBLISHED.with_name("attribution-trajectory")


def scenario(*arguments: str) -> ScenarioConfig:
    """The scenario as the command has it."""
    return configured(EXPERIMENT, ["scenario=trajectory", *arguments]).scenario


TWO = ("scenario.seeds=2", "scenario.chatter=0", "scenario.criteria=[]")


def bench(place: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    (place / "cwd").mkdir(exist_ok=True)
    return subprocess.run(
        [sys.executable, "-m", "mergebench", *arguments, "scenario=trajectory", "tracking=none"],
        cwd=place / "cwd",
        env={**os.environ, "BELIEFMERGE_RESULTS": str(place / "results")},
        capture_output=True,
        text=True,
        timeout=200,
    )


def test_the_panel_prints_every_arm_and_each_criterion_and_a_strict_failure_ends_with_four(tmp_path):
    done = bench(tmp_path, "arm=panel", "scenario.seeds=2", "strict=true")
    assert (done.returncode, done.stderr) == (4, "")
    lines = done.stdout.splitlines()
    assert lines[0].split()[:6] == ["arm", "budget", "reader", "q", "n", "persistence"]
    for arm in ("flat", "flat_scripted", "flat_measured", "flat_retention", "ledger_v1", "ledger_v2_measured"):
        assert any(line.split()[:1] == [arm] for line in lines), arm
    assert "Kill criteria" in lines
    assert any(line.startswith("failed") and "ledger_v2_uncorroborated" in line for line in lines)
    (place,) = (tmp_path / "results").iterdir()
    (row,) = (row for row in read_parquet(place / "runs.parquet") if row["arm"] == "flat_scripted")
    assert (row["persistence"], row["survival"], row["exposure"], row["n"]) == (1, 0, 1, 2)
    assert row["persistence_low"] == pytest.approx(0.1581, abs=1e-4)
    assert len(read_parquet(place / "cases.parquet")) == 2 * 8
    assert "failed" in {row["verdict"] for row in read_parquet(place / "criteria.parquet")}
    assert {"arms.svg", "arms.pdf", "claims.jsonl", "steps-flat.jsonl", "twins-flat.jsonl"} <= {
        path.name for path in place.iterdir()
    }
    assert json.loads((place / "record.json").read_text())["exit_code"] == 4


def test_a_sweep_over_retention_ends_with_one_table_and_its_curve(tmp_path):
    done = bench(tmp_path, "-m", "scenario.retention=range(0,1.01,0.5)", "arm=flat_retention", "scenario.seeds=4")
    assert (done.returncode, done.stderr) == (0, "")
    (sweep,) = (tmp_path / "results" / "sweeps").iterdir()
    rows = read_parquet(sweep / "sweep.parquet")
    assert [row["retention"] for row in rows] == [0, 0.5, 1]
    assert (rows[0]["persistence"], rows[2]["persistence"]) == (1, 0)
    assert {"persistence-retention.svg", "persistence-retention.pdf"} <= {path.name for path in sweep.iterdir()}


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["arm=flat_retension"], "did you mean 'flat_retention'"),
        (["arm=oracle"], "unknown arm of scenario=trajectory 'oracle'"),
        (["arm=ledger_v2_measured", "arm.options.edges=nowhere.parquet"], "nowhere.parquet: no such file"),
    ],
)
def test_bad_input_gets_one_line(tmp_path, arguments, says):
    done = bench(tmp_path, *arguments)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert says in done.stderr


# what is published


def test_the_measured_summaries_are_replayed_to_the_published_row():
    (stored,) = (row for row in read_parquet(PUBLISHED / "runs.parquet") if row["arm"] == "flat_measured")
    (row,) = run(MergeBenchConfig(ArmConfig("flat_measured"), scenario())).rows
    assert row["n"] >= 5
    assert {name: row[name] for name in row if name != "seconds"} == pytest.approx(
        {name: stored[name] for name in row if name != "seconds"}, nan_ok=True
    )


def test_how_much_the_answers_rested_on_the_premise_is_replayed(tmp_path):
    steps = b""
    for arm in ("flat_scripted", "ledger_v2"):
        given = scenario(*TWO)
        files = run(MergeBenchConfig(ArmConfig(arm), given, llm=LlmConfig("none"))).files
        steps += files[f"steps-{arm}.jsonl"]()
    (tmp_path / "steps.jsonl").write_bytes(steps)
    scorer = ScorerConfig("local", cache="replay", cache_dir=str(RESTED))
    edges = attribute(AttributionConfig(steps=str(tmp_path / "steps.jsonl"), scorer=scorer)).tables["edges"]
    flat, ledger = by_arm(rows_of(edges))
    assert (flat["arm"], ledger["arm"]) == ("flat_scripted", "ledger_v2")
    assert flat["premise"] + flat["conclusions"] > 0.7
    assert (ledger["premise"], ledger["conclusions"]) == (0, 0)
    assert ledger["corrections"] > 0.7


def test_edges_that_a_model_measured_keep_the_surplus_claim_where_the_gate_lets_them():
    edges = RESTED / "edges.parquet"
    measured = {row["claim_id"] for row in read_parquet(edges) if row["verdict"] == "measured"}
    options = {"edges": str(edges)}
    given = scenario(*TWO)
    cases = run(MergeBenchConfig(ArmConfig("ledger_v2_measured", options), given)).tables["cases"]
    for case in cases:
        number = f"{case['seed']:04d}"
        trusted = any(name.startswith(number) and part_of(name) is Part.SURPLUS for name in measured)
        assert case["kept"] == trusted


def test_the_page_quotes_the_published_figures():
    page = (PUBLISHED.parents[2] / "docs" / "trajectory.md").read_text()
    for row in read_parquet(PUBLISHED / "runs.parquet"):
        quoted = next(line for line in page.splitlines() if line.startswith(f"| {row['arm']} |")).split(" | ")
        assert int(quoted[1]) == row["n"], row["arm"]
        for cell, name in zip(quoted[2:5], ("persistence", "survival", "exposure"), strict=True):
            shares = [row[name], row[f"{name}_low"], row[f"{name}_high"]]
            assert cell == "{:.0f} [{:.0f}, {:.0f}]".format(*(100 * share for share in shares)), row["arm"]


def test_a_models_answer_to_the_first_contract_is_replayed():
    llm = LlmConfig("local", cache="replay", cache_dir=str(PUBLISHED))
    asked = MergeBenchConfig(
        ArmConfig("ledger_v1"), scenario("scenario.seeds=1", "scenario.criteria=[]"), reader="model", llm=llm
    )
    (case,) = run(asked).tables["cases"]
    assert case["persistence"]
    assert case["twin_answer"] == case["answer"]
