"""The index: what is written of a run, that it is written once, and that a rebuild never loses the old one."""

from __future__ import annotations

import dataclasses
import json
import math
import sqlite3

import pytest
from filelock import FileLock

from experiment import reindex, tables, tracking
from experiment.entries import CutShort, NotIndexed, of_published, of_run, runs_in
from experiment.manifest import write_manifest
from experiment.run import Experiment, Result, carry_out
from experiment.tracking import STORE, index, rebuild, store_uri


@dataclasses.dataclass
class Config:
    size: int = 3
    note: str = ""
    results_dir: str = ""


def run(config: Config) -> Result:
    rows = [
        {
            "arm": f"arm {i}",
            "size": config.size,
            "score": 0.5 * i,
            "left": None,
            "odd": (math.nan, math.inf, 2.0)[i % 3],
        }
        for i in range(config.size)
    ]
    return Result(rows, [tables.named("arm")], files={"drawing.svg": lambda: b"<svg/>"})


EXPERIMENT = Experiment("drawing", Config, run, lambda: [], ("experiment",), {}, lambda c: f"of-{c.size}", "Draws.", ())


@pytest.fixture
def results(tmp_path):
    """Two recorded runs, of three rows and of one."""
    for size in (3, 1):
        carry_out(EXPERIMENT, Config(size), tmp_path)
    return tmp_path


def listed(results):
    from mlflow import MlflowClient

    client = MlflowClient(tracking_uri=store_uri(results / STORE))
    found = client.search_runs([each.experiment_id for each in client.search_experiments()])
    client._tracking_client.store.engine.dispose()
    return found


def told(results):
    """What the index says, apart from MLflow's own identifiers."""
    found = [(run.info.run_name, run.info.status, run.data) for run in listed(results)]
    return sorted(
        (name, status, tuple(sorted(data.params.items())), tuple(sorted(data.metrics.items())))
        for name, status, data in found
    )


def artifacts(results, run):
    from mlflow import MlflowClient

    return [each.path for each in MlflowClient(tracking_uri=store_uri(results / STORE)).list_artifacts(run.info.run_id)]


def test_a_run_of_several_rows_is_a_parent_with_a_child_for_each(results):
    assert index(results, runs_in(results)) == 2
    runs = {run.info.run_name: run for run in listed(results)}
    assert sorted(runs) == [*(f"arm {i} · drawing-of-3" for i in range(3)), "drawing-of-1", "drawing-of-3"]
    parent, child = runs["drawing-of-3"], runs["arm 1 · drawing-of-3"]
    assert child.data.tags["mlflow.parentRunId"] == parent.info.run_id
    assert "mlflow.parentRunId" not in parent.data.tags
    assert (child.data.params["arm"], child.data.params["size"], child.data.metrics["score"]) == ("arm 1", "3", 0.5)
    assert "size" not in child.data.metrics, "it repeats a setting"
    assert "left" not in child.data.metrics, "None is no number"
    assert {"config_hash", "commit", "fingerprint", "directory", "command", "run_id"} <= set(child.data.tags)
    assert parent.data.tags["command"].startswith("python -m drawing")
    assert parent.data.metrics["rows"] == 3
    alone = runs["drawing-of-1"]
    assert (alone.data.params["arm"], alone.data.metrics["score"]) == ("arm 0", 0.0)


def test_numbers_that_are_none_are_told_apart_from_numbers(results):
    index(results, runs_in(results))
    runs = {run.info.run_name: run for run in listed(results)}
    odd = [runs[f"arm {i} · drawing-of-3"].data for i in range(3)]
    assert [each.tags.get("not_finite") for each in odd] == ["odd=nan", "odd=inf", None]
    assert [each.metrics.get("odd") for each in odd] == [None, None, 2.0]


def test_tables_figures_and_record_are_artifacts_of_the_parent(results):
    index(results, runs_in(results))
    runs = {run.info.run_name: run for run in listed(results)}
    assert artifacts(results, runs["drawing-of-3"]) == [
        "drawing.svg", "record.json", "runs.parquet", "table.csv", "table.md", "table.tex",
    ]  # fmt: skip
    assert artifacts(results, runs["arm 1 · drawing-of-3"]) == []
    assert "| arm |" in runs["drawing-of-3"].data.tags["mlflow.note.content"]


def test_indexing_and_rebuilding_again_add_nothing_and_say_the_same(results):
    index(results, runs_in(results))
    before = told(results)
    assert index(results, runs_in(results)) == 0
    for _ in range(2):
        rebuilt = rebuild(results, runs_in(results))
        assert (rebuilt.runs, rebuilt.rows, rebuilt.unreadable) == (2, 4, 0)
        assert told(results) == before
        assert len(list((results / tracking.ARTIFACTS).iterdir())) == 2, "artifacts of the old index are gone"
    assert index(results, runs_in(results)) == 0


def test_a_mark_without_a_store_is_worth_nothing(results):
    index(results, runs_in(results))
    (results / STORE).unlink()
    tracking.rebuild(results, [])
    assert index(results, runs_in(results)) == 2
    for run in runs_in(results):
        (run / "mlflow.json").unlink()
    assert index(results, runs_in(results)) == 0, "the store has them"
    ids = {run.info.run_id for run in listed(results)}
    for run in runs_in(results):
        assert set(json.loads((run / "mlflow.json").read_text())["runs"]) <= ids


def test_a_run_whose_indexing_was_cut_short_is_indexed_whole(results, monkeypatch):
    class Killed(BaseException):
        pass

    def killed(*_):
        raise Killed

    with monkeypatch.context() as patch:
        patch.setattr(tracking._Store, "_keep", killed)
        with pytest.raises(Killed):
            index(results, runs_in(results))
    assert {run.info.status for run in listed(results)} == {"RUNNING"}
    assert index(results, runs_in(results)) == 2
    assert len(listed(results)) == 5
    assert {run.info.status for run in listed(results)} == {"FINISHED"}


def test_what_cannot_be_read_is_named_and_left_out(results, capsys):
    first, second = runs_in(results)
    (first / "runs.parquet").write_bytes(b"PAR1 no more")
    (second / "record.json").write_text('{"status": ')
    carry_out(EXPERIMENT, Config(2), results)
    (results / "20200101-000000-drawing-of-9-0123456789ab").mkdir()
    (results / "20200101-000000-drawing-of-8-0123456789ab").mkdir()
    (results / "20200101-000000-drawing-of-8-0123456789ab" / "record.json").write_text('{"status": "complete"}')
    assert reindex.main([str(results)]) == 1
    said = capsys.readouterr()
    assert said.out.startswith("1 runs, 2 rows (left out: 1 cut short or running, 3 unreadable)")
    assert len(said.err.splitlines()) == 4
    for name in (first.name, second.name, "drawing-of-9", "drawing-of-8"):
        assert sum(name in line for line in said.err.splitlines()) == 1
    with pytest.raises(NotIndexed, match=r"runs\.parquet cannot be read"):
        of_run(first)
    with pytest.raises(CutShort):
        of_run(runs_in(results)[1])


def hot_journal(store):
    """What a writer leaves that is killed while it writes to `store`."""
    connection = sqlite3.connect(store, isolation_level=None)
    for statement in ("PRAGMA cache_size=1", "BEGIN", "UPDATE tags SET value = value || 'x'", "DELETE FROM params"):
        connection.execute(statement)
    journal = store.with_name(f"{STORE}-journal").read_bytes()
    connection.rollback()
    connection.close()
    assert len(journal) > 4096
    return journal


@pytest.mark.parametrize("damage", ["missing", "garbage", "truncated", "another version", "a journal"])
def test_a_rebuild_works_whatever_is_wrong_with_the_old_store(results, damage):
    index(results, runs_in(results))
    store, before = results / STORE, told(results)
    if damage == "missing":
        store.unlink()
    elif damage == "garbage":
        store.write_bytes(b"\x00garbage" * 1000)
    elif damage == "truncated":
        store.write_bytes(store.read_bytes()[:5000])
    elif damage == "another version":
        with sqlite3.connect(store) as connection:
            connection.execute("UPDATE alembic_version SET version_num = 'ffffffffffff'")
        connection.close()
    else:
        journal = hot_journal(store)
        (results / f"{STORE}-journal").write_bytes(journal)
    assert reindex.main([str(results)]) == 0
    assert told(results) == before
    assert not list(results.glob(f"{STORE}-*"))
    marks = [json.loads((run / "mlflow.json").read_text())["runs"] for run in runs_in(results)]
    assert {run.info.run_id for run in listed(results)} == {key for keys in marks for key in keys}


def test_a_rebuild_that_is_stopped_leaves_the_old_index_as_it_was(results, monkeypatch):
    index(results, runs_in(results))
    before, written = (results / STORE).read_bytes(), []

    def stopped(self, family):
        if written:
            raise KeyboardInterrupt
        written.append(write(self, family))
        return written[-1]

    write = tracking._Store.write
    with monkeypatch.context() as patch:
        patch.setattr(tracking._Store, "write", stopped)
        assert reindex.main([str(results)]) == 130
    assert (results / STORE).read_bytes() == before
    assert reindex.main([str(results)]) == 0
    assert not list(results.glob(".mlflow.db.new-*"))
    assert len(list((results / tracking.ARTIFACTS).iterdir())) == 2


def test_a_rebuild_waits_for_another_writer_and_says_so(results, monkeypatch, capsys):
    monkeypatch.setattr(reindex, "_SOON", 0.01)
    monkeypatch.setattr(reindex, "LOCK_SECONDS", 0.02)
    with FileLock(results / f"{STORE}.lock"):
        assert reindex.main([str(results)]) == 1
    said = capsys.readouterr().err
    assert "waiting for it" in said
    assert not (results / STORE).exists()


@pytest.mark.parametrize("arguments", [["/nowhere/at/all"], ["/proc"]])
def test_a_place_that_is_none_is_refused_in_one_line(arguments, capsys):
    assert reindex.main(arguments) == 2
    assert capsys.readouterr().err.count("\n") == 1


@pytest.fixture
def published(tmp_path):
    """A published experiment of two runs."""
    directory = tmp_path / "results" / "published" / "budgets"
    directory.mkdir(parents=True)
    rows = [
        {"run": key, "arm": arm, "budget": b, "bridge": 0.5} for key, b in (("aa", 200), ("bb", 400)) for arm in "xy"
    ]
    tables.write_parquet(directory / "runs.parquet", rows)
    runs = {
        key: {"command": f"python -m mergebench budget={b}", "experiment": "mergebench", "config": {"budget": b}}
        for key, b in (("aa", 200), ("bb", 400))
    }
    runs = {key: {**run, "seed": 0, "config_hash": "0123456789ab"} for key, run in runs.items()}
    defaults = {"mergebench": {"arm.name": "panel", "scenario.name": "bridge", "scenario.seeds": 5, "budget": 400}}
    facts = {"experiment": "budgets", "kind": "exact", "command": "python scripts/run_published.py --only budgets"}
    write_manifest(directory, {**facts, "defaults": defaults, "runs": runs, "code": {"commit": "c", "dirty": False}})
    return directory


def test_published_experiments_are_indexed_from_their_manifests(published, capsys):
    results = published.parents[1]
    (published.parent / "older").mkdir()
    (published.parent / "older" / "manifest.json").write_text('{"files": {}, "runs": {}}')
    (published.parent / "broken").mkdir()
    (published.parent / "broken" / "manifest.json").write_text("{")
    assert reindex.main([str(results), "--published"]) == 1
    assert "broken" in capsys.readouterr().err
    found = {run.info.run_name: run for run in listed(results)}
    assert sorted(found) == [
        "budgets", "older",
        "x · bridge · 200 tokens · 5 seeds", "x · bridge · 400 tokens · 5 seeds",
        "y · bridge · 200 tokens · 5 seeds", "y · bridge · 400 tokens · 5 seeds",
    ]  # fmt: skip
    assert artifacts(results, found["budgets"]) == ["manifest.json", "runs.parquet"]
    child = found["y · bridge · 200 tokens · 5 seeds"]
    assert child.data.tags["mlflow.parentRunId"] == found["budgets"].info.run_id
    assert (child.data.tags["command"], child.data.tags["run"]) == ("python -m mergebench budget=200", "aa")


def test_a_published_table_that_cannot_be_read_is_named(published):
    (published / "runs.parquet").write_bytes(b"")
    with pytest.raises(NotIndexed, match=r"budgets: runs\.parquet cannot be read"):
        of_published(published)


def test_a_new_store_that_is_cut_short_while_it_is_made_leaves_none(results, monkeypatch):
    class Killed(BaseException):
        pass

    def dies(*_, **__):
        raise Killed

    with monkeypatch.context() as patched:
        patched.setattr(tracking, "_swap", dies)
        with pytest.raises(Killed):
            index(results, runs_in(results))
    assert not (results / STORE).exists()
    assert index(results, runs_in(results)) == 2
    assert not list(results.glob(".mlflow.db.new-*"))
