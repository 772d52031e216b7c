"""The enumerator's command, as a stranger types it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from experiment.tables import read_parquet

COLUMNS = (
    "space shape score representation form values levels branches failures total rate engine seconds".split()  # noqa: SIM905
)
KILLED = """
import os, signal, sys
from confluence import enumerate as command
from confluence.work import Worker
from experiment.entry import main

do, left = Worker.do, [int(os.environ["BLOCKS"])]

def fragile(self, block):
    if not left[0]:
        os.kill(os.getpid(), signal.SIGKILL)
    left[0] -= 1
    with open(os.environ["DONE"], "a") as file:
        file.write(f"{block.number}\\n")
    return do(self, block)

Worker.do = fragile
sys.exit(main(command.EXPERIMENT))
"""
SPACE = ("space=small", "score=egalitarian")


def command(results, *arguments, code=None, **environment):
    start = ["-m", "confluence.enumerate"] if code is None else ["-c", code]
    return subprocess.run(
        [sys.executable, *start, *arguments, "tracking=none"],
        env={**os.environ, "BELIEFMERGE_RESULTS": str(results), **environment},
        capture_output=True, text=True, timeout=200,
    )  # fmt: skip


def counts(results, pattern="*-confluence-*"):
    """The rows of the newest run, without the time they took."""
    run = max((p for p in Path(results).glob(pattern) if (p / "record.json").exists()), key=lambda p: p.stat().st_mtime)
    rows = read_parquet(run / "runs.parquet")
    return run, [{name: value for name, value in row.items() if name != "seconds"} for row in rows]


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """The small space, counted in one go."""
    results = tmp_path_factory.mktemp("whole")
    done = command(results, *SPACE)
    assert done.returncode == 0, done.stderr
    return counts(results)


@pytest.fixture(scope="module")
def sweep(tmp_path_factory):
    """The small space in eight shards, by joblib."""
    results = tmp_path_factory.mktemp("sweep")
    done = command(results, "-m", *SPACE, "shard=range(0,8)", "hydra/launcher=joblib")
    assert done.returncode == 0, done.stderr
    (directory,) = (results / "sweeps").iterdir()
    return results, directory


def test_a_run_leaves_the_columns_of_the_interface_and_its_figures(whole):
    run, rows = whole
    assert list(read_parquet(run / "runs.parquet")[0]) == COLUMNS
    assert all(isinstance(row["failures"], int) and row["rate"] == row["failures"] / row["total"] for row in rows)
    names = {path.name for path in run.iterdir()}
    assert {
        f"failure-rate-{form}-fold.{kind}" for form in ("general", "well-formed") for kind in ("svg", "pdf")
    } <= names
    assert {"record.json", "table.md", "blocks.parquet", "counterexamples.parquet"} <= names
    assert not list((run.parent / "unfinished").iterdir())


def test_figures_are_the_same_bytes_when_made_again(whole):
    from confluence.figures import failure_rates

    run, _ = whole
    for name, make in failure_rates(read_parquet(run / "runs.parquet")).items():
        assert (run / name).read_bytes() == make()


def test_every_failing_row_has_a_minimal_counterexample(whole):
    run, rows = whole
    found = read_parquet(run / "counterexamples.parquet")
    assert len(found) == sum(row["failures"] > 0 for row in rows) > 0


def test_a_killed_run_goes_on_from_its_finished_blocks_and_ends_the_same(tmp_path, whole):
    log = tmp_path / "done"
    first = command(tmp_path, *SPACE, code=KILLED, BLOCKS="5", DONE=str(log))
    assert first.returncode == -9
    second = command(tmp_path, *SPACE, code=KILLED, BLOCKS="1000", DONE=str(log))
    assert second.returncode == 0, second.stderr
    done = list(map(int, log.read_text().split()))
    assert len(done) > 5
    assert done == list(range(len(done)))
    assert counts(tmp_path)[1] == whole[1]


def test_shards_put_together_are_the_whole(sweep, whole):
    results, directory = sweep
    done = command(results, *SPACE, f"merge={directory}")
    assert done.returncode == 0, done.stderr
    run, rows = counts(results)
    assert rows == whole[1]
    assert read_parquet(run / "counterexamples.parquet") == read_parquet(whole[0] / "counterexamples.parquet")


@pytest.mark.parametrize(("harm", "said"), [("missing", "do not cover"), ("doubled", "counted twice")])
def test_a_missing_or_doubled_shard_is_an_error(tmp_path, sweep, harm, said):
    directory = sweep[1]
    copy = tmp_path / "sweep"
    shutil.copytree(directory, copy)
    if harm == "missing":
        (copy / "job-00003.json").unlink()
    else:
        job = json.loads((copy / "job-00003.json").read_text())
        (copy / "job-00008.json").write_text(json.dumps({**job, "number": 8}))
    done = command(tmp_path, *SPACE, f"merge={copy}")
    assert done.returncode == 2
    assert said in done.stderr
    assert done.stderr.count("\n") == 1
    assert not list(tmp_path.glob("*-confluence-*"))


def test_shards_of_another_space_are_refused(tmp_path, sweep):
    done = command(tmp_path, "space=seed", f"merge={sweep[1]}")
    assert done.returncode == 2
    assert "another run" in done.stderr


@pytest.mark.slow
def test_submitit_runs_shards_as_joblib_does(tmp_path):
    pytest.importorskip("hydra_plugins.hydra_submitit_launcher")
    done = command(tmp_path, "-m", "space=seed", "shard=range(0,2)", "hydra/launcher=submitit_local")
    assert done.returncode == 0, done.stderr
    (directory,) = (tmp_path / "sweeps").iterdir()
    assert command(tmp_path, "space=seed", f"merge={directory}").returncode == 0
    merged = counts(tmp_path)[1]
    assert command(tmp_path, "space=seed").returncode == 0
    assert counts(tmp_path)[1] == merged


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["space=wyde"], "did you mean 'wide'"),
        (["space=wide", "shape=tree"], "has no shape 'tree'"),
        (["space=custom"], "needs space.values"),
        (["space=seed", "space.values=3"], "belongs to space=custom"),
        (["space=seed", "shard=3"], "out of range"),
        (["space=seed", "shards=1000"], "cannot be dealt"),
        (["space=custom", "space.values=5", "space.levels=4", "space.branches=9"], "engine=reference"),
        (["space=custom", "space.values=4", "space.levels=4", "space.branches=6"], "fit in memory"),
        (["space=seed", "merge=/nowhere"], "no finished shards"),
    ],
)
def test_what_cannot_be_is_refused_in_one_line(tmp_path, arguments, said):
    done = command(tmp_path, *arguments)
    assert done.returncode == 2
    assert said in done.stderr
    assert done.stderr.count("\n") == 1
    assert not list(tmp_path.glob("*-confluence-*"))
