"""Published results: complete, declared, and made again to the same rows; and what happens when they are not."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from beliefmerge.errors import BeliefMergeError
from experiment import compare, publishing
from experiment.manifest import MANIFEST, altered, digests, read_manifest
from experiment.published import Kind, find, run_id
from experiment.publishing import Work, make, place_of, write
from experiment.results import checkout
from experiment.tables import read_parquet, write_parquet

ROOT = checkout()
DECLARED = find(ROOT)
SMALL = "attribution-planted"


def script(name, *arguments, **more):
    return subprocess.run(
        [sys.executable, str(ROOT / "scripts" / f"{name}.py"), *arguments],
        cwd="/",
        env={**os.environ, **more},
        capture_output=True,
        text=True,
        timeout=280,
        check=False,
    )


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """One quick run of a published experiment, made again."""
    published = DECLARED[SMALL]
    part = published.parts[0]
    work = Work(tmp_path_factory.mktemp("results"), place_of(SMALL))
    return published, make(published, [(part, "noise=0")], work), work


# what is there


def test_every_directory_is_declared_and_every_declaration_is_published():
    there = {path.name for path in place_of().iterdir()}
    assert there == set(DECLARED)


@pytest.mark.parametrize("name", sorted(DECLARED))
def test_files_are_those_of_the_manifest_and_every_row_names_its_run(name):
    place = place_of(name)
    assert altered(place) == []
    manifest = read_manifest(place)
    assert {"experiment", "kind", "command", "runs", "code", "packages", "machine", "files"} <= manifest.keys()
    assert manifest["code"]["dirty"] is False
    planned = {run_id(part, arguments) for part, arguments in DECLARED[name].planned()}
    assert set(manifest["runs"]) == planned
    tables = sorted(place.glob("*.parquet"))
    assert tables
    for path in tables:
        assert {row["run"] for row in read_parquet(path)} <= planned, path.name


def test_a_published_command_is_what_one_types(tmp_path):
    runs = read_manifest(place_of("mergebench-live"))["runs"].values()
    (command,) = (run["command"] for run in runs if "arm=summary scenario=bridge budget=400" in run["command"])
    words = command.replace("results/published", str(place_of())).split()
    done = subprocess.run(
        [sys.executable, *words[1:], "tracking=none", f"results_dir={tmp_path}/results"],
        cwd=tmp_path,
        env={**os.environ, "BELIEFMERGE_MODELS": str(tmp_path / "none")},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "5 calls (5 from the record)" in done.stdout


# made again


def test_a_run_made_again_gives_the_published_rows(made):
    published, again, _ = made
    assert compare.differences(published, again, place_of(SMALL)) == []
    assert all(again.tables.values())


@pytest.mark.parametrize(
    ("name", "which"), [("mergebench-live", "arm=live scenario=bridge budget=400"), ("attribution", "steps=shipped")]
)
def test_recorded_calls_are_replayed_to_the_published_rows_without_the_model(name, which, tmp_path, monkeypatch):
    monkeypatch.setenv("BELIEFMERGE_MODELS", str(tmp_path / "none"))
    published = DECLARED[name]
    planned = [(part, arguments) for part, arguments in published.planned() if which in arguments]
    again = make(published, planned, Work(tmp_path, place_of(name)))
    assert len(again.runs) == 1
    # The calls are replayed, so that more than overlapping intervals can be asked for.
    said = compare.differences(replace(published, kind=Kind.EXACT), again, place_of(name))
    assert said == [f"{name}: manifest: kind is not as made"]


def test_writing_twice_gives_the_same_bytes_and_removes_what_is_left_over(made, tmp_path):
    published, again, work = made
    write(published, again, tmp_path / "one", work)
    (tmp_path / "one" / "old.svg").write_text("an older version's")
    write(published, again, tmp_path / "one", work)
    write(published, again, tmp_path / "two", work)
    assert digests(tmp_path / "one") == digests(tmp_path / "two")
    assert set(digests(tmp_path / "one")) == {"runs.parquet", "problems.parquet", "table.md"}


def test_a_run_that_is_on_record_is_not_made_again(made, monkeypatch):
    published, again, work = made
    monkeypatch.setattr("experiment.published.carry_out", None)
    assert make(published, [(published.parts[0], "noise=0")], work).tables == again.tables


def test_a_record_whose_tables_are_damaged_or_gone_is_made_again(made):
    published, again, work = made
    ((_, _, run),) = again.runs.values()
    for harm in (lambda path: path.unlink(), lambda path: path.write_bytes(b"PAR1")):
        harm(run.directory / "runs.parquet")
        healed = make(published, [(published.parts[0], "noise=0")], work)
        assert healed.tables == again.tables


def test_calls_that_cannot_be_made_anew_leave_those_on_record(tmp_path):
    before = digests(place_of("mergebench-live"))
    nowhere = {"BELIEFMERGE_RESULTS": str(tmp_path / "results"), "BELIEFMERGE_MODELS": str(tmp_path / "none")}
    done = script("run_published", "--only", "mergebench-live", "--calls", "fresh", "--into", str(tmp_path), **nowhere)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert digests(place_of("mergebench-live")) == before


# what a check finds


def changed(published, tmp_path, name, change):
    """A copy of what is published, one table changed and the manifest made to fit."""
    copy = tmp_path / "copy"
    shutil.copytree(place_of(published.name), copy)
    rows = read_parquet(copy / f"{name}.parquet")
    change(rows)
    write_parquet(copy / f"{name}.parquet", rows)
    manifest = json.loads((copy / MANIFEST).read_text())
    (copy / MANIFEST).write_text(json.dumps({**manifest, "files": digests(copy)}))
    return copy


def test_one_changed_number_is_found(made, tmp_path):
    published, again, _ = made
    (run,) = again.runs

    def nudge(rows):
        next(row for row in rows if row["run"] == run)["lds"] += 1e-6

    (said,) = compare.differences(published, again, changed(published, tmp_path, "runs", nudge))
    assert "lds" in said
    assert run in said


def test_a_missing_row_and_an_unpublished_run_are_found(made, tmp_path):
    published, again, _ = made
    (said,) = compare.differences(published, again, changed(published, tmp_path, "runs", lambda rows: rows.pop(0)))
    assert "rows are published" in said
    other = make(published, [(replace(published.parts[0]), "noise=0 count=2")], made[2])
    assert any("is not published" in line for line in compare.differences(published, other, place_of(SMALL)))


def test_what_the_manifest_says_of_a_run_is_compared_too(made, tmp_path):
    published, again, _ = made
    (run,) = again.runs
    copy = changed(published, tmp_path, "runs", lambda rows: None)
    manifest = json.loads((copy / MANIFEST).read_text())
    manifest["runs"][run] |= {"command": "python -m attribution.compare noise=0.5", "seed": 7}
    (copy / MANIFEST).write_text(json.dumps(manifest))
    assert compare.differences(published, again, copy) == [f"{SMALL}: manifest, run {run}: command, seed not as made"]


def test_rows_and_runs_of_nobody_and_runs_that_are_gone_are_found_without_making_anything(made, tmp_path):
    published, _, _ = made

    def meddle(rows):
        gone = rows[0]["run"]
        rows[:] = [row for row in rows if row["run"] != gone] + [{**rows[0], "run": "feedbeef"}]

    copy = changed(published, tmp_path, "runs", meddle)
    manifest = json.loads((copy / MANIFEST).read_text())
    manifest["runs"]["feedbeef"] = manifest["runs"].pop(read_parquet(place_of(SMALL) / "runs.parquet")[0]["run"])
    (copy / MANIFEST).write_text(json.dumps(manifest))
    said = "\n".join(compare.standing(published, copy))
    assert "run feedbeef is in the manifest and in no declaration" in said
    assert "is declared and not published" in said
    assert "runs: rows of run feedbeef, which is not declared" in said
    assert "runs: no row of run" in said


@pytest.mark.parametrize("text", ["[]", "{}", '{"files": [], "runs": {}}', "[" * 100_000, "not json"])
def test_a_manifest_that_is_none_is_one_clear_error(made, tmp_path, text):
    (tmp_path / MANIFEST).write_text(text)
    with pytest.raises(BeliefMergeError, match="manifest"):
        read_manifest(tmp_path)


def test_a_file_that_was_edited_is_found(made, tmp_path):
    published, again, _ = made
    copy = tmp_path / "copy"
    shutil.copytree(place_of(SMALL), copy)
    (copy / "table.md").write_text("better")
    assert compare.differences(published, again, copy) == [f"{SMALL}: table.md is not what the manifest says"]


def test_what_a_model_said_may_differ_within_its_interval_and_no_further():
    replayed, exact = (replace(DECLARED[SMALL], kind=kind) for kind in (Kind.REPLAYED, Kind.EXACT))
    old = {"bridge": 0.5, "bridge_low": 0.3, "bridge_high": 0.7, "tokens": 100.0, "arm": "live"}
    near = {"bridge": 0.8, "bridge_low": 0.65, "bridge_high": 0.95, "tokens": 104.0, "arm": "live"}
    far = {"bridge": 0.9, "bridge_low": 0.75, "bridge_high": 1.0, "tokens": 130.0, "arm": "summary"}
    assert all(compare.same(replayed, name, old, near) for name in old)
    assert [name for name in old if not compare.same(replayed, name, old, far)] == ["bridge", "tokens", "arm"]
    assert not compare.same(exact, "bridge", old, near)
    outside = {**old, "bridge": 99.0}
    assert not compare.same(replayed, "bridge", outside, near)
    assert not compare.same(replayed, "bridge", {**old, "bridge_high": float("inf")}, near)


def test_of_a_measured_result_the_settings_must_be_the_same_and_the_times_need_not():
    published = DECLARED["mergebench-scaling"]
    old, new = {"arm": "oracle", "topics": 10, "seconds": 1.0}, {"arm": "oracle", "topics": 10, "seconds": 2.0}
    assert all(compare.same(published, name, old, new) for name in old)
    assert not compare.same(published, "topics", old, {**new, "topics": 11})


# the commands


def test_the_check_repeats_a_sample_and_says_so():
    done = script("check_results", "--sample", "--only", "confluence-cascade")
    assert (done.returncode, done.stderr) == (0, "")
    assert "1 of 2 runs made again" in done.stdout
    assert done.stdout.endswith("all as published\n")


def test_data_that_is_not_here_is_said_and_the_rest_is_done(tmp_path):
    done = script("check_results", "--sample", "--only", "track-ramdocs", "--data", str(tmp_path))
    assert done.returncode == 0
    assert f"not made again: ramdocs/RAMDocs_test.jsonl is not in {tmp_path}" in done.stdout
    assert done.stdout.endswith("of track-ramdocs only the files were looked at\n")


def test_publishing_elsewhere_leaves_what_is_published(tmp_path):
    before = digests(place_of("confluence-cascade"))
    results = {"BELIEFMERGE_RESULTS": str(tmp_path / "results")}
    done = script("run_published", "--only", "confluence-cascade", "--into", str(tmp_path), **results)
    assert (done.returncode, done.stderr) == (0, "")
    assert digests(tmp_path / "confluence-cascade") == before == digests(place_of("confluence-cascade"))


@pytest.mark.parametrize("name", ["run_published", "check_results"])
def test_an_unknown_name_gets_one_line_with_the_nearest_match(name):
    done = script(name, "--only", "confluence-count")
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "did you mean 'confluence-counts'" in done.stderr
    listed = script(name, "--list")
    assert {line.split()[0] for line in listed.stdout.splitlines()} == set(DECLARED)


def test_outside_of_a_checkout_one_line_says_so(monkeypatch):
    monkeypatch.setattr(publishing, "checkout", lambda: None)
    with pytest.raises(Exception, match="belong to a checkout"):
        place_of("trajectory")


def test_a_name_declared_twice_is_refused(tmp_path, monkeypatch):
    for package in ("first_home", "second_home"):
        folder = tmp_path / package / "published"
        folder.mkdir(parents=True)
        (folder / "__init__.py").touch()
        (folder / "one.py").write_text("from confluence.published.cascade import PUBLISHED as PUBLISHED\n")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(Exception, match="declared twice"):
        find(Path(tmp_path))
