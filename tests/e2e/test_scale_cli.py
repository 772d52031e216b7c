"""Sweeps through launchers, as a stranger types them: killed, started again, twice at once."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
import time

import pytest

LOCAL = ("cores", "slurm_local")
FRAGILE = """
import dataclasses, os, signal, sys
from experiment.entry import main
from experiment.run import Result
from mergebench import scaling

def run(config):
    ends = os.environ["ENDS"] if config.topics == 81 else ""
    if ends.startswith("parent"):
        os.kill(int(os.environ["PARENT"]), signal.SIGKILL)
    if ends in ("parent", "worker"):
        os.kill(os.getpid(), signal.SIGKILL)
    return Result([{"arm": "x", "topics": config.topics}], scaling.columns())

EXPERIMENT = dataclasses.replace(scaling.EXPERIMENT, run=run)

if __name__ == "__main__":
    import fragile

    os.environ["PARENT"] = str(os.getpid())
    sys.exit(main(fragile.EXPERIMENT))
"""
"""A module of which a worker's or the parent's end can be asked; workers import it too."""


def start(place, *arguments, module="mergebench", **environment):
    (place / "fragile.py").write_text(FRAGILE)
    words = [sys.executable, "-m", module, "-m", *arguments, "tracking=none", f"results_dir={place / 'results'}"]
    variables = {**os.environ, "PYTHONPATH": str(place), **environment}
    said = [(place / f"{number}.txt").open("w+") for number in (1, 2)]
    return subprocess.Popen(words, cwd="/", env=variables, stdout=said[0], stderr=said[1], start_new_session=True)


def sweep(place, *arguments, **more):
    """Exit code, output, errors. Workers of a killed sweep wait for work that never comes: end them."""
    process = start(place, *arguments, **more)
    code = process.wait(timeout=200)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    return code, *((place / f"{number}.txt").read_text() for number in (1, 2))


def records(place):
    return [json.loads(path.read_text()) for path in (place / "results").glob("*/record.json")]


def statuses(out):
    (line,) = [line for line in out.splitlines() if " jobs: " in line]
    return line.partition(": ")[2]


SMALL = ("arm=none,single", "scenario.seeds=1")


@pytest.mark.slow
@pytest.mark.parametrize("launcher", LOCAL)
def test_a_sweep_gives_the_rows_it_gives_without_a_launcher_and_is_not_run_again(tmp_path, launcher):
    pytest.importorskip(f"hydra_plugins.hydra_{'joblib' if launcher == 'cores' else 'submitit'}_launcher")
    code, out, err = sweep(tmp_path, *SMALL, f"hydra/launcher={launcher}")
    assert (code, err, statuses(out)) == (0, "", "2 done")
    code, again, err = sweep(tmp_path, *SMALL)
    assert (code, err, statuses(again)) == (0, "", "2 recorded")
    assert out.splitlines()[1].split()[2:] == again.splitlines()[1].split()[2:]
    assert {record["argv"][1] for record in records(tmp_path)} == {"arm=none", "arm=single"}


@pytest.mark.slow
@pytest.mark.parametrize("launcher", LOCAL)
@pytest.mark.parametrize("killed", ["worker", "parent"])
def test_a_sweep_killed_in_the_middle_goes_on_when_started_again(tmp_path, launcher, killed):
    launched = f"hydra/launcher={launcher}"
    first = sweep(tmp_path, "topics=80", launched, module="fragile", ENDS="")
    assert first[0] == 0, first
    code, out, err = sweep(tmp_path, "topics=80,81", launched, module="fragile", ENDS=killed)
    assert code == (-signal.SIGKILL if killed == "parent" else 1)
    if killed == "worker":
        assert err.count("\n") == 1, err
        assert "broke off" in err or "Terminated" in err
    assert len(records(tmp_path)) == 1
    code, out, err = sweep(tmp_path, "topics=80,81", launched, module="fragile", ENDS="")
    assert (code, err, statuses(out)) == (0, "", "1 done, 1 recorded")
    assert len(records(tmp_path)) == 2


@pytest.mark.slow
def test_workers_of_a_killed_sweep_end_by_themselves(tmp_path):
    process = start(tmp_path, "topics=80,81", "hydra/launcher=cores", module="fragile", ENDS="parent-only")
    assert process.wait(timeout=100) == -signal.SIGKILL
    for _ in range(300):
        try:
            os.killpg(process.pid, 0)
        except ProcessLookupError:
            break
        time.sleep(0.1)
    else:
        os.killpg(process.pid, signal.SIGKILL)
        pytest.fail("workers are left")
    assert {record["config"]["topics"] for record in records(tmp_path)} >= {81}, "the job at work was put on record"


@pytest.mark.slow
@pytest.mark.parametrize("launcher", LOCAL)
def test_two_sweeps_started_at_one_moment_do_each_job_once(tmp_path, launcher):
    words = ("arm=heuristic", "scenario.seeds=3", "budget=200,300", f"hydra/launcher={launcher}")
    both = [start(tmp_path, *words) for _ in range(2)]
    assert [process.wait(timeout=200) for process in both] == [0, 0]
    assert len(records(tmp_path)) == 2
    assert len({record["config_hash"] for record in records(tmp_path)}) == 2


@pytest.mark.slow
@pytest.mark.parametrize("launcher", LOCAL)
def test_a_results_directory_that_cannot_be_written_is_refused_in_one_line(tmp_path, launcher):
    (tmp_path / "results").write_text("a file")
    code, out, err = sweep(tmp_path, *SMALL, f"hydra/launcher={launcher}")
    assert (code, out, err.count("\n")) == (2, "", 1), err
    assert "Traceback" not in err


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["-m", "arm=none", "hydra/launcher=core"], "unknown launcher 'core'; did you mean 'cores'?"),
        (["arm=none", "hydra/launcher=cores"], "add -m"),
    ],
)
def test_a_launcher_that_cannot_be_gets_one_line(tmp_path, arguments, says):
    words = [sys.executable, "-m", "mergebench", *arguments, f"results_dir={tmp_path}"]
    done = subprocess.run(words, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert says in done.stderr
    assert not list(tmp_path.iterdir())


def slurm_answers():
    """Whether there is a SLURM whose controller is up."""
    if not shutil.which("scontrol") or not shutil.which("srun"):
        return False
    done = subprocess.run(["scontrol", "ping"], capture_output=True, text=True, timeout=30)
    return done.returncode == 0 and "is UP" in done.stdout


@pytest.mark.slow
def test_the_slurm_preset_runs_on_slurm_and_resumes(tmp_path):
    if not slurm_answers():
        pytest.skip("there is no SLURM here")
    words = (*SMALL, "hydra/launcher=slurm", "hydra.launcher.mem_gb=1", "hydra.launcher.timeout_min=5")
    code, out, err = sweep(tmp_path, *words)
    assert (code, statuses(out)) == (0, "2 done"), err
    code, out, err = sweep(tmp_path, *words)
    assert (code, statuses(out)) == (0, "2 recorded"), err
