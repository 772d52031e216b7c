"""Attribution's commands, as a stranger types them, and its edges in a running ledger."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from attribution.upsert import upsert
from beliefmerge.ledger.wire import Commit, Seal
from experiment.results import checkout
from experiment.tables import read_parquet
from tests.doubles.ledger import Service

RECORDINGS = checkout() / "results" / "published" / "attribution"
COLUMNS = {
    "claim_id", "entry_id", "declared", "weight_ppm", "low_ppm", "high_ppm", "rho", "concordance", "lds", "even_share",
    "verdict", "design", "n_ablations", "scorer", "model",
}  # fmt: skip


def command(place, module, *arguments, **more):
    environment = {**os.environ, "BELIEFMERGE_RESULTS": str(place / "results"), **more}
    started = [sys.executable, "-m", f"attribution.{module}", *arguments]
    return subprocess.run(started, cwd=place, env=environment, capture_output=True, text=True, timeout=200, check=False)


def only_run(place):
    (run,) = (place / "results").glob("*-attribution*")
    return run


def test_the_default_run_prints_its_table_and_records_it(tmp_path):
    done = command(tmp_path, "run", "tracking=none")
    assert (done.returncode, done.stderr) == (0, "")
    run = only_run(tmp_path)
    edges, steps = read_parquet(run / "edges.parquet"), read_parquet(run / "steps.parquet")
    assert set(edges[0]) >= COLUMNS
    assert {step["verdict"] for step in steps} >= {"measured", "kept: not additive"}
    for edge in edges:
        assert edge["entry_id"] in done.stdout
        if edge["declared"] and edge["verdict"].startswith("kept"):
            assert edge["weight_ppm"] == 1_000_000
    assert "declared edges stay at 100 %" in done.stdout
    assert "share credit" in done.stdout
    report = (run / "stability.md").read_text()
    assert "null ρ" in report
    assert all(step["step_id"] in report for step in steps)
    assert json.loads((run / "record.json").read_text())["status"] == "complete"
    assert (run / "weights.svg").read_bytes().startswith(b"<?xml")


def test_a_run_gives_the_same_edges_every_time(tmp_path):
    for name in ("a", "b"):
        assert command(tmp_path, "run", "tracking=none", f"results_dir={tmp_path / name}").returncode == 0
    for made in ("edges.parquet", "steps.parquet", "stability.md", "weights.svg"):
        first, second = (next((tmp_path / name).glob(f"*/{made}")) for name in ("a", "b"))
        assert first.read_bytes() == second.read_bytes()


def test_the_comparison_names_both_estimators_with_intervals(tmp_path):
    done = command(tmp_path, "compare", "tracking=none", "count=3", "kind=mixed", "noise=0")
    assert (done.returncode, done.stderr) == (0, "")
    rows = {row["estimator"]: row for row in read_parquet(only_run(tmp_path) / "runs.parquet")}
    assert set(rows) == {"fold-over", "ContextCite"}
    assert rows["fold-over"]["recall"] >= 0.9
    assert rows["fold-over"]["loo"] >= 0.75
    assert rows["fold-over"]["lds"] > rows["ContextCite"]["lds"]
    assert rows["fold-over"]["lds_low"] is not None


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["scorer=local"], "needs texts"),
        (["steps=shipped"], "planted steps only"),
        (["steps=none.jsonl", "scorer=server", "scorer.model=m"], "none.jsonl"),
        (["desgin=foldover"], "did you mean 'design'"),
        (["planted.entries=[1]"], "out of range"),
        (["repeats=2"], "repeats=2 is out of range: it must be at least 3"),
        (["scorer=locall", "steps=shipped"], "did you mean 'local'"),
        (["ledger=http://127.0.0.1:9"], "BELIEFMERGE_LEDGER_TOKEN"),
    ],
)
def test_bad_settings_get_one_line(tmp_path, arguments, said):
    done = command(tmp_path, "run", "tracking=none", *arguments, BELIEFMERGE_LEDGER_TOKEN="")
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr
    assert len(done.stderr.splitlines()) == 1


@pytest.fixture
def service(tmp_path):
    service = Service(tmp_path / "ledger")
    yield service
    service.close()


def edges_of(service, tenant, rho=0.9):
    with service.client("sealer", tenant) as sealer, service.client("agent", tenant) as agent:
        parents = [
            sealer.seal(Seal(text=f"fact {i}", source_id=f"s{i}", tool="t", url=f"https://example.com/{i}")).id
            for i in range(2)
        ]
        child = agent.commit(Commit(kind="derivation", text="so", parents=parents)).id
    return [
        {"claim_id": child, "entry_id": parent, "verdict": "measured", "weight_ppm": weight, "agreement": rho,
         "low_ppm": weight // 2, "high_ppm": min(1_000_000, 2 * weight)}
        for parent, weight in zip(parents, (900_000, 10_000), strict=True)
    ]  # fmt: skip


def test_edges_reach_a_ledger_and_twice_changes_nothing(service, monkeypatch):
    edges = edges_of(service, "t")
    kept = [{**edges[0], "verdict": "kept: repeats disagree"}]
    monkeypatch.setenv("BELIEFMERGE_LEDGER_TOKEN", service.token("attributor", "t"))
    first = upsert([*edges, *kept], b"report", url=service.url)
    assert (first.edges, first.of, first.failure) == (2, 2, None)
    head = service.head("t")
    again = upsert(edges, b"report", url=service.url)
    assert (again.edges, again.failure) == (2, None)
    assert service.head("t") == head


def test_a_ledger_that_goes_away_loses_nothing_and_the_upsert_resumes(service, monkeypatch):
    first, second = edges_of(service, "t"), edges_of(service, "t")
    monkeypatch.setenv("BELIEFMERGE_LEDGER_TOKEN", service.token("attributor", "t"))
    half = upsert(first, b"report", url=service.url)
    gone = upsert([*first, *second], b"report", url="http://127.0.0.1:9")
    assert (half.edges, gone.edges, gone.of) == (2, 0, 4)
    assert "unreachable" in gone.failure
    assert "nothing is lost" in "\n".join(gone.lines())
    head = service.head("t")
    whole = upsert([*first, *second], b"report", url=service.url)
    assert (whole.edges, whole.failure) == (4, None)
    assert service.head("t")["seq"] == head["seq"] + 2


def test_a_ledger_that_refuses_is_quoted(service, monkeypatch):
    edges = edges_of(service, "t")
    monkeypatch.setenv("BELIEFMERGE_LEDGER_TOKEN", service.token("agent", "t"))
    refused = upsert(edges, b"report", url=service.url)
    assert refused.edges == 0
    assert "forbidden" in refused.failure


def test_replay_finds_the_published_record_and_needs_no_model(tmp_path):
    settings = ["scorer=local", "steps=shipped", "tracking=none", "scorer.cache=replay"]
    done = command(tmp_path, "run", *settings, BELIEFMERGE_MODELS=str(tmp_path / "none"))
    assert (done.returncode, done.stderr) == (0, "")
    steps = {row["step_id"]: row for row in read_parquet(only_run(tmp_path) / "steps.parquet")}
    assert steps.keys() == {row["step_id"] for row in read_parquet(RECORDINGS / "steps.parquet")}
    assert steps["kiln"]["verdict"] == "kept: not additive"
    assert steps["kitchen"]["verdict"] == "kept: the context hardly matters"
