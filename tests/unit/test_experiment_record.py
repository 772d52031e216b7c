"""Run records: where they land, what they hold, how a recorded run is found again."""

from __future__ import annotations

import dataclasses
import json
import subprocess
import sys
from pathlib import Path
from unittest.mock import ANY

import pytest

from beliefmerge.errors import TrustViolation, UsageError
from experiment import record, results, tables
from experiment.run import Experiment, NotRecorded, Result, carry_out, hash_of
from experiment.seeds import seed_of, stream
from experiment.sweep import DONE, FAILED, REFUSED, SKIPPED, aggregate, do_job, jobs_of


@dataclasses.dataclass
class Config:
    name: str = "x"
    size: int = 3
    seed: int = 0
    results_dir: str = ""
    resume: bool = True


def run(config: Config) -> Result:
    if config.size == 13:
        raise ZeroDivisionError("thirteen\nof them")
    if config.size == 0:
        raise UsageError("size=0 is out of range")
    if config.size == 7:
        raise TrustViolation("a label is too high")
    return Result([{"name": config.name, "size": config.size, "twice": 2.0 * config.size}], columns())


def columns():
    return [tables.named("name"), tables.number("size"), tables.number("twice")]


def label(config: Config) -> str:
    return config.name


EXPERIMENT = Experiment("doubling", Config, run, columns, ("experiment",), {}, label, "Doubles.", ())


def test_a_run_leaves_tables_and_a_record_written_last(tmp_path):
    shown = []
    opened, result = carry_out(EXPERIMENT, Config(), tmp_path, show=lambda r: shown.append(list(tmp_path.glob("*/*"))))
    assert shown == [[]], "the table is shown before anything is written"
    assert sorted(path.name for path in opened.path.iterdir()) == [
        "record.json", "runs.parquet", "table.csv", "table.md", "table.tex",
    ]  # fmt: skip
    assert tables.read_parquet(opened.path / "runs.parquet") == result.rows
    found = json.loads((opened.path / "record.json").read_text())
    assert found["status"] == "complete"
    assert found["config"] == dataclasses.asdict(Config())
    assert found["seed"] == 0
    assert {"version", "commit", "dirty", "fingerprint"} <= set(found["code"])
    assert found["packages"]["pyarrow"]
    assert set(found["timings"]) == {"compute", "write"}
    assert {"argv", "machine", "started", "finished", "config_hash"} <= set(found)


def test_runs_that_start_in_the_same_second_get_a_directory_each(tmp_path):
    opened = [record.open_run(tmp_path, "doubling", "x", "0" * 12) for _ in range(3)]
    assert len({run.path for run in opened}) == 3


def test_a_run_that_fails_is_on_record_as_failed(tmp_path):
    with pytest.raises(ZeroDivisionError):
        carry_out(EXPERIMENT, Config(size=13), tmp_path)
    (path,) = tmp_path.iterdir()
    found = record.read_record(path)
    assert (found["status"], found["error"]) == ("failed", "thirteen of them")


def test_a_run_that_is_refused_leaves_nothing(tmp_path):
    with pytest.raises(UsageError):
        carry_out(EXPERIMENT, Config(size=0), tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_the_hash_depends_on_what_decides_the_rows_and_on_nothing_else():
    base = hash_of(EXPERIMENT, Config())
    assert hash_of(EXPERIMENT, Config(results_dir="/elsewhere", resume=False)) == base
    assert hash_of(EXPERIMENT, Config(size=4)) != base
    assert record.config_hash({"a": 1}, "code") != record.config_hash({"a": 1}, "other code")
    assert record.config_hash({"a": 1, "b": 2}, "code") == record.config_hash({"b": 2, "a": 1}, "code")


def test_only_a_complete_run_is_found_again(tmp_path):
    key = hash_of(EXPERIMENT, Config())
    assert record.find_recorded(tmp_path, "doubling", key) is None
    record.open_run(tmp_path, "doubling", "x", key)
    assert record.find_recorded(tmp_path, "doubling", key) is None, "it was cut short"
    with pytest.raises(ZeroDivisionError):
        carry_out(EXPERIMENT, Config(size=13), tmp_path)
    assert record.find_recorded(tmp_path, "doubling", hash_of(EXPERIMENT, Config(size=13))) is None, "it failed"
    done, _ = carry_out(EXPERIMENT, Config(), tmp_path)
    assert record.find_recorded(tmp_path, "doubling", key) == done.path
    assert record.find_recorded(tmp_path, "halving", key) is None


def job(tmp_path, number, **settings):
    directory = tmp_path / "sweeps" / "s"
    directory.mkdir(parents=True, exist_ok=True)
    overrides = [f"{key}={value}" for key, value in settings.items()]
    return do_job(EXPERIMENT, lambda: Config(**settings), tmp_path, directory, number, overrides), directory


def test_one_failing_job_hides_no_other_and_the_table_says_what_became_of_each(tmp_path):
    for number, size in enumerate([1, 13, 0, 2]):
        _, directory = job(tmp_path, number, size=size)
    jobs, rows, text = aggregate(EXPERIMENT, directory)
    assert [found.status for found in jobs] == [DONE, FAILED, REFUSED, DONE]
    assert [(row["status"], row["size"]) for row in rows] == [(DONE, 1), (FAILED, 13), (REFUSED, 0), (DONE, 2)]
    assert jobs[1].error == "ZeroDivisionError: thirteen of them"
    assert "4 jobs: 2 done, 1 failed, 1 refused" in text


def test_refused_is_what_cannot_be_run_and_nothing_else(tmp_path, monkeypatch):
    assert job(tmp_path, 0, size=7)[0].status == FAILED
    monkeypatch.setattr("experiment.run.tables.write_all", full)
    found, _ = job(tmp_path, 1, size=1)
    assert (found.status, found.error) == (FAILED, "runs.parquet: cannot write: No space left on device")
    with pytest.raises(NotRecorded, match="No space left"):
        carry_out(EXPERIMENT, Config(), tmp_path)


def full(*_, **__):
    raise UsageError("runs.parquet: cannot write: No space left on device")


def test_a_job_on_record_is_not_run_again(tmp_path, monkeypatch):
    first, _ = job(tmp_path, 0, size=5)
    runs = []
    monkeypatch.setattr("experiment.sweep.carry_out", lambda *a, **k: runs.append(a) or carry_out(*a, **k))
    second, directory = job(tmp_path, 0, size=5)
    assert (second.status, second.run) == (SKIPPED, first.run)
    assert runs == []
    third, _ = job(tmp_path, 1, size=5, resume=False)
    assert third.status == DONE
    assert third.run != first.run
    assert [found.status for found in jobs_of(directory)] == [SKIPPED, DONE]


@pytest.mark.parametrize("damage", [lambda path: path.unlink(), lambda path: path.write_bytes(b"PAR1")])
def test_a_job_whose_table_is_gone_is_run_again(tmp_path, damage):
    first, _ = job(tmp_path, 0, size=5)
    damage(Path(first.run) / "runs.parquet")
    second, directory = job(tmp_path, 0, size=5)
    assert second.status == DONE
    assert [row["size"] for row in aggregate(EXPERIMENT, directory)[1]] == [5]
    assert job(tmp_path, 0, size=5)[0] == dataclasses.replace(second, status=SKIPPED, seconds=ANY)


def test_an_interrupt_stops_a_sweep(tmp_path):
    def interrupted():
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        do_job(EXPERIMENT, interrupted, tmp_path, tmp_path, 0, [])


def test_results_land_in_the_named_place_whatever_the_directory(tmp_path, monkeypatch):
    monkeypatch.setenv(results.VARIABLE, str(tmp_path / "here"))
    monkeypatch.chdir("/")
    assert results.default_results_dir() == tmp_path / "here"
    monkeypatch.delenv(results.VARIABLE)
    at_root = results.default_results_dir()
    monkeypatch.chdir(tmp_path)
    assert results.default_results_dir() == at_root
    assert at_root.is_absolute()


@pytest.mark.parametrize("make", [lambda p: p.write_text("a file"), lambda p: p.symlink_to("/proc")])
def test_a_results_directory_that_cannot_be_written_is_refused_in_one_line(tmp_path, make):
    target = tmp_path / "results"
    make(target)
    with pytest.raises(UsageError, match=r"results_dir .* cannot be written: ") as refused:
        results.open_results_dir(target if target.is_file() else target / "x")
    assert "\n" not in str(refused.value)


def test_a_checkout_differs_by_its_sources_new_ones_too_and_not_by_what_runs_make(tmp_path, monkeypatch):
    def git(*words):
        who = ("-c", "user.name=x", "-c", "user.email=x@example.org")
        subprocess.run(["git", "-C", str(tmp_path), *who, *words], check=True, capture_output=True)

    def dirty():
        return record.code_version("code")["dirty"]

    monkeypatch.setattr(record, "_PACKAGES", tmp_path)
    assert dirty() is None, "no checkout"
    for name in ("mine/__init__.py", "results/table.md"):
        (tmp_path / name).parent.mkdir()
        (tmp_path / name).write_text("")
    git("init")
    git("add", ".")
    git("commit", "-m", "all")
    (tmp_path / "results" / "table.md").write_text("made again")
    (tmp_path / "notes.txt").write_text("of no account")
    assert dirty() is False
    (tmp_path / "mine" / "new.py").write_text("x = 1\n")
    assert dirty() is True
    git("add", "mine")
    git("commit", "-m", "new")
    assert dirty() is False
    (tmp_path / "mine" / "new.py").write_text("x = 2\n")
    assert dirty() is True


def test_streams_depend_on_their_names_alone():
    assert [stream("a", 1).random() for _ in range(2)] == [stream("a", 1).random()] * 2
    assert seed_of("a", 1) != seed_of("a", 2)
    assert seed_of("ab") != seed_of("a", "b")
    code = "from experiment.seeds import seed_of; print(seed_of('mergebench', 3))"
    seeds = {
        subprocess.run(
            [sys.executable, "-c", code], env={"PYTHONHASHSEED": str(i)}, capture_output=True, text=True, check=True
        ).stdout
        for i in range(2)
    }
    assert seeds == {f"{seed_of('mergebench', 3)}\n"}
