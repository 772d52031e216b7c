"""``python scripts/index_mlflow.py`` as a stranger types it: killed half-way, on a damaged index, beside runs."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from experiment.entries import runs_in

SCRIPT = Path(__file__).parents[2] / "scripts" / "index_mlflow.py"
KILLED_AFTER_ONE = """
import os, signal, sys
from experiment import reindex, tracking

write = tracking._Store.write

def once(store, family):
    write(store, family)
    os.kill(os.getpid(), signal.SIGKILL)

tracking._Store.write = once
sys.exit(reindex.main())
"""


@pytest.fixture(scope="module")
def recorded(tmp_path_factory):
    """A results directory with a run of two rows and a sweep of two jobs, indexed as they ended."""
    results = tmp_path_factory.mktemp("recorded")
    for arguments in (["track=none", "arm=concat"], ["-m", "arm=none,single"]):
        done = subprocess.run(
            [sys.executable, "-m", "mergebench", *arguments, "scenario.seeds=1", f"results_dir={results}"],
            capture_output=True, text=True, timeout=120,
        )  # fmt: skip
        assert (done.returncode, done.stderr) == (0, ""), done
    return results


def script(*arguments, start=(str(SCRIPT),), cwd="/"):
    words = [sys.executable, *start, *map(str, arguments)]
    return subprocess.run(words, capture_output=True, text=True, timeout=120, cwd=cwd)


def names(results):
    import sqlite3

    with sqlite3.connect(results / "mlflow.db") as connection:
        found = connection.execute("SELECT name FROM runs WHERE lifecycle_stage = 'active' ORDER BY name").fetchall()
    connection.close()
    return [name for (name,) in found]


WANTED = [f"{arm} · bridge · 400 tokens · 1 seed" for arm in ("concat", "none", "single")]


@pytest.mark.slow
def test_the_index_after_runs_and_the_rebuilt_one_hold_the_same(recorded):
    assert names(recorded) == WANTED
    for _ in range(2):
        done = script(recorded)
        assert (done.returncode, done.stderr) == (0, "")
        assert done.stdout.startswith("3 runs, 3 rows in ")
        assert names(recorded) == WANTED


@pytest.mark.slow
def test_a_rebuild_killed_half_way_leaves_the_old_index_and_can_be_started_again(recorded):
    store = recorded / "mlflow.db"
    before = store.read_bytes()
    killed = script(recorded, start=("-c", KILLED_AFTER_ONE), cwd=SCRIPT.parents[1])
    assert killed.returncode == -signal.SIGKILL
    assert store.read_bytes() == before
    assert list(recorded.glob(".mlflow.db.new-*")), "it was killed while it wrote"
    assert script(recorded).returncode == 0
    assert names(recorded) == WANTED
    assert not list(recorded.glob(".mlflow.db.new-*"))


@pytest.mark.slow
def test_a_run_on_a_damaged_index_says_what_to_do_and_the_rebuild_mends_it(recorded):
    store = recorded / "mlflow.db"
    store.write_bytes(b"no database" * 999)
    again = [sys.executable, "-m", "mergebench", "arm=none", "scenario.seeds=1", f"results_dir={recorded}"]
    done = subprocess.run(again, capture_output=True, text=True, timeout=120)
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert "scripts/index_mlflow.py" in done.stderr
    assert script(recorded).returncode == 0
    assert names(recorded) == sorted([*WANTED, "none · bridge · 400 tokens · 1 seed"])
    assert len(runs_in(recorded)) == 4


@pytest.mark.parametrize("arguments", [["/nowhere"], ["--publishd"], [os.devnull], ["a", "b"]])
def test_a_wrong_command_line_ends_with_code_2(arguments):
    done = script(*arguments)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr


def test_help_teaches():
    done = script("--help")
    assert done.returncode == 0
    for word in ("--published", "RESULTS_DIR", "Exit codes", "mlflow ui --backend-store-uri", "Examples"):
        assert word in done.stdout
