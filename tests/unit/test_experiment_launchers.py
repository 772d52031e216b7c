"""Launchers: presets are Hydra's, a name that is none gets its nearest match, a missing package names the extra."""

from __future__ import annotations

import dataclasses
import os

import pytest

from beliefmerge.errors import UsageError
from experiment import launchers, reserve, tables
from experiment.entry import _register, conf_dir
from experiment.follow import Follower
from experiment.launchers import check_launcher
from experiment.run import Experiment, Result, carry_out
from experiment.sweep import DONE, SKIPPED, do_job
from experiment.watch import SweepWatch, Swept

PRESETS = ("cores", "slurm", "slurm_local")


@dataclasses.dataclass
class Config:
    size: int = 1
    results_dir: str = ""
    resume: bool = True


EXPERIMENT = Experiment(
    "counting",
    Config,
    lambda config: Result([{"size": config.size}], []),
    lambda: [tables.number("size")],
    ("experiment",),
    {},
    lambda config: str(config.size),
    "Counts.",
    (),
)


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_composes_and_gives_workers_one_thread(name, monkeypatch):
    from hydra import compose, initialize_config_dir

    from mergebench.command import EXPERIMENT as MERGEBENCH

    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
    _register(MERGEBENCH, {})
    with initialize_config_dir(str(conf_dir()), version_base="1.3"):
        composed = compose("mergebench", [f"hydra/launcher={name}"], return_hydra_config=True)
    assert composed.hydra.job.env_set.OMP_NUM_THREADS == "1"
    assert composed.hydra.launcher._target_.startswith("hydra_plugins.hydra_")


@pytest.mark.parametrize("name", [*PRESETS, "basic", "joblib", "submitit_local"])
def test_launchers_that_are_installed_pass(name):
    check_launcher(name, conf_dir())


@pytest.mark.parametrize(
    ("name", "extra"), [("cores", "joblib"), ("slurm", "submitit"), ("submitit_slurm", "submitit")]
)
def test_a_missing_package_names_the_extra_that_brings_it(name, extra, monkeypatch):
    monkeypatch.setattr(launchers, "_installed", lambda: {"basic"})
    with pytest.raises(UsageError, match=rf"hydra/launcher={name} needs the extra '{extra}'.*pip install") as refused:
        check_launcher(name, conf_dir())
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(("name", "meant"), [("core", "cores"), ("slrum", "slurm"), ("jobib", "joblib")])
def test_a_misspelt_launcher_gets_its_nearest_match(name, meant):
    with pytest.raises(UsageError, match=rf"unknown launcher '{name}'; did you mean '{meant}'"):
        check_launcher(name, conf_dir())


def test_workers_are_born_with_the_environment_of_the_sweep(monkeypatch, tmp_path):
    from omegaconf import OmegaConf

    monkeypatch.setenv("BELIEFMERGE_TEST_THREADS", "7")
    config = OmegaConf.create({
        "hydra": {"job": {"env_set": {"BELIEFMERGE_TEST_THREADS": 1}}, "sweep": {"dir": str(tmp_path / "s")}},
        "results_dir": str(tmp_path),
        "tracking": {"name": "none"},
    })  # fmt: skip
    SweepWatch().on_multirun_start(config)
    assert os.environ["BELIEFMERGE_TEST_THREADS"] == "1"
    assert SweepWatch.seen() == Swept(tmp_path / "s", tmp_path, False)
    assert not SweepWatch.has_jobs()
    SweepWatch.forget()


def test_a_job_that_another_worker_is_at_is_waited_for_and_found_on_record(tmp_path, monkeypatch):
    """The other worker records it while this one waits for its turn."""
    others = []

    def taken(self, *_, **__):
        others.append(carry_out(EXPERIMENT, Config(), tmp_path)[0].path)
        return self

    monkeypatch.setattr("filelock.FileLock.__enter__", taken)
    monkeypatch.setattr("filelock.FileLock.__exit__", lambda *_: None)
    (tmp_path / "sweep").mkdir()
    job = do_job(EXPERIMENT, Config, tmp_path, tmp_path / "sweep", 0, [])
    assert (job.status, job.run) == (SKIPPED, str(others[0]))
    job = do_job(EXPERIMENT, lambda: Config(resume=False), tmp_path, tmp_path / "sweep", 1, [])
    assert (job.status, len(others)) == (DONE, 1), "one that is to run anew waits for none"


def test_only_one_holds_a_job_and_it_is_free_again_afterwards(tmp_path):
    from filelock import FileLock, Timeout

    with reserve.reserved(tmp_path, "0123"):
        (path,) = (tmp_path / reserve.RESERVED).iterdir()
        with pytest.raises(Timeout):
            FileLock(path, timeout=0, is_singleton=False).acquire()
        with reserve.reserved(tmp_path, "4567"):
            pass
    FileLock(path, timeout=0).acquire().lock.release()


@pytest.mark.parametrize("error", [OSError(37, "No locks available"), NotImplementedError("no flock")])
def test_without_locks_jobs_go_on(tmp_path, monkeypatch, error):
    def refused(*_, **__):
        raise error

    monkeypatch.setattr("filelock.FileLock.__enter__", refused)
    done = []
    with reserve.reserved(tmp_path, "0123"):
        done.append(1)
    assert done


def test_every_job_that_does_not_end_well_is_told_once_wherever_it_ran(tmp_path, capsys, monkeypatch):
    from beliefmerge.errors import UsageError

    def refuse():
        raise UsageError("no\nsuch thing")

    monkeypatch.setattr(SweepWatch, "_swept", Swept(tmp_path, tmp_path, False))
    with Follower("counting", 2):
        do_job(EXPERIMENT, Config, tmp_path, tmp_path, 0, ["size=1"])
        do_job(EXPERIMENT, refuse, tmp_path, tmp_path, 1, ["size=2"])
    assert capsys.readouterr().err == "counting: job 1 (size=2) refused: no such thing\n"
    assert SweepWatch.has_jobs()
