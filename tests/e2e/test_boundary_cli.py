"""The boundary's and the cascade's commands, as a stranger types them."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from experiment.tables import read_parquet


@pytest.fixture
def place(tmp_path):
    (tmp_path / "cwd").mkdir()
    return tmp_path


def command(place, module, *arguments):
    environment = {**os.environ, "BELIEFMERGE_RESULTS": str(place / "results")}
    started = [sys.executable, "-m", f"confluence.{module}", *arguments]
    return subprocess.run(
        started, cwd=place / "cwd", env=environment, capture_output=True, text=True, timeout=200, check=False
    )


def only_run(place, module):
    (run,) = (place / "results").glob(f"*-confluence_{module}-*")
    return run


def test_the_boundary_prints_its_tables_and_records_them(place):
    done = command(place, "boundary", "tracking=none")
    assert (done.returncode, done.stderr) == (0, "")
    run = only_run(place, "boundary")
    rows = read_parquet(run / "runs.parquet")
    (example,) = [
        row
        for row in rows
        if (row["form"], row["values"], row["levels"], row["branches"]) == ("well_formed", 3, 2, 4)
        and row["score"] == "egalitarian"
    ]
    assert (example["differences"], example["minimal"]) == ("1, 7, 25, 56, 98", "1, 7, 25, 35, 8")
    assert example["minimal"] in done.stdout
    assert example["scores_wrong"] == 0 < example["count_wrong"] < example["max_wrong"]
    layers = read_parquet(run / "layers.parquet")
    assert len(layers) == sum(row["branches"] + 1 for row in rows)
    assert {"layer", "remaining", "states", "differences", "minimal", "enough"} <= set(layers[0])
    overlap = read_parquet(run / "overlap.parquet")
    assert len(overlap) == 3 * len(rows)
    assert {row["JOIN"] for row in overlap} == {0}
    assert {row["SCORES"] for row in overlap if row["sources"] == "disjoint"} == {0}
    assert len(read_parquet(run / "idempotence.parquet")) == 3 * len(rows)
    assert json.loads((run / "record.json").read_text())["status"] == "complete"


def test_the_boundary_asks_the_solver_when_told_to(place):
    pytest.importorskip("z3")
    done = command(place, "boundary", "tracking=none", "smt.run=true", "smt.values=2", "score=elitist")
    assert (done.returncode, done.stderr) == (0, "")
    found = read_parquet(only_run(place, "boundary") / "smt.parquet")
    assert {row["verdict"] for row in found} == {"proved", "found"}
    assert done.stdout.count("limit: ") == 4


def test_a_space_that_is_too_large_is_refused_and_leaves_nothing(place):
    done = command(place, "boundary", "tracking=none", "space=huge")
    assert done.returncode == 2
    assert done.stderr.startswith("confluence.boundary: error: space=huge is too large")
    assert not list((place / "results").glob("*-confluence_boundary-*"))


def test_the_cascade_prints_exact_counts_and_replayed_profiles(place):
    done = command(place, "cascade", "tracking=none")
    assert (done.returncode, done.stderr) == (0, "")
    run = only_run(place, "cascade")
    rows = read_parquet(run / "runs.parquet")
    assert len(rows) == 4 * 2 * 4
    by = {(row["graph"], row["score"], row["representation"]): row for row in rows}
    assert by["diamond", "elitist", "COUNT"]["total"] == 5**12
    assert all(row["failing"] == 0 for row in rows if row["representation"] in ("JOIN", "SCORES"))
    assert all(row["failing"] > 0 for row in rows if row["representation"] in ("COUNT", "MAX"))
    witnesses = read_parquet(run / "witnesses.parquet")
    assert {"profile": "b0: c0+1, b1: c0+1, b2: c0-1", "nary": "{c0}", "folds": "b0 b1 b2: {}"}.items() <= next(
        row for row in witnesses if row["sort"] == "deleted" and row["representation"] == "MAX"
    ).items()


def test_help_names_the_module_that_is_run(place):
    for module in ("boundary", "cascade"):
        done = command(place, module, "--help")
        assert f"python -m confluence.{module} " in done.stdout
        assert command(place, module, "spaec=small").stderr.startswith(f"confluence.{module}: error: unknown key")


def test_a_sweep_over_the_cascade_ends_in_one_table(place):
    done = command(place, "cascade", "-m", "tracking=none", "graph=chain2,chain3", "score=elitist")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines()[0].split()[:4] == ["job", "status", "graph", "n"]
    assert sum("chain" in line for line in done.stdout.splitlines()) == 8
