"""The benchmark's command, as a stranger types it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time

import pytest

from experiment.tables import read_parquet

INTERFACE = [
    "arm", "scenario", "budget", "score", "tokens_counter", "paraphrase", "n_local", "n_bridge", "local", "bridge",
    "best_single", "gain", "unambiguous", "both", "invented", "traced", "tokens", "over_budget", "degraded", "seconds",
]  # fmt: skip
RATES = ("local", "bridge", "best_single", "gain", "unambiguous", "traced")

DRIVER = """
import os, signal, sys
from experiment.entry import main
from mergebench.arm import Arm, Output
from mergebench.command import EXPERIMENT
from mergebench.registries import ARMS

def fragile(scenario, request):
    if os.environ["FRAGILE"] == "kill":
        os.kill(os.getpid(), signal.SIGKILL)
    if os.environ["FRAGILE"] == "raise":
        raise ZeroDivisionError("on\\npurpose")
    return Output("")

ARMS.register("fragile", Arm(fragile))
sys.exit(main(EXPERIMENT))
"""


@pytest.fixture
def place(tmp_path):
    """A directory to run in and one for results."""
    (tmp_path / "cwd").mkdir()
    return tmp_path


def command(place, *arguments, driver=None, **environment):
    start = ["-m", "mergebench"] if driver is None else ["-c", driver]
    variables = {**os.environ, "BELIEFMERGE_RESULTS": str(place / "results"), **environment}
    return {"args": [sys.executable, *start, *arguments], "cwd": place / "cwd", "env": variables}


def bench(place, *arguments, **more):
    return subprocess.run(**command(place, *arguments, **more), capture_output=True, text=True, timeout=120)


def runs(place):
    return sorted(path for path in (place / "results").glob("*-mergebench-*") if path.is_dir())


def test_a_run_prints_its_table_and_leaves_a_whole_record(place):
    done = bench(place, "arm=concat", "budget=400", "tracking=none")
    assert (done.returncode, done.stderr) == (0, "")
    titles = done.stdout.splitlines()[0].split()
    assert titles[titles.index("unambiguous") - 5 : titles.index("unambiguous")] == [
        "local",
        "bridge",
        "best",
        "single",
        "gain",
    ]
    (run,) = runs(place)
    assert {path.name for path in run.iterdir()} == {
        "runs.parquet", "cases.parquet", "record.json", "table.md", "table.tex", "table.csv",
    }  # fmt: skip
    (row,) = read_parquet(run / "runs.parquet")
    assert set(INTERFACE) <= set(row)
    assert {f"{name}_{end}" for name in RATES for end in ("low", "high")} <= set(row)
    assert (row["arm"], row["budget"], row["n_local"], row["n_bridge"], row["over_budget"]) == (
        "concat",
        400,
        40,
        50,
        0,
    )
    record = json.loads((run / "record.json").read_text())
    assert (record["status"], record["config"]["arm"]["name"], record["run_id"]) == ("complete", "concat", run.name)
    cases = read_parquet(run / "cases.parquet")
    assert {"arm", "question", "kind", "answered", "seed"} <= set(cases[0])
    answered = [case["answered"] for case in cases if case["kind"] == "bridge"]
    assert sum(answered) / len(answered) == pytest.approx(row["bridge"])


def test_runs_from_any_directory_land_in_one_place_and_litter_none(place):
    for directory in ("cwd", "elsewhere"):
        (place / directory).mkdir(exist_ok=True)
        started = command(place, "arm=none", "scenario.seeds=1", "tracking=none") | {"cwd": place / directory}
        assert subprocess.run(**started, capture_output=True, timeout=60).returncode == 0
        assert list((place / directory).iterdir()) == []
    assert len(runs(place)) == 2


def test_the_same_run_gives_the_same_rows(place):
    for _ in range(2):
        bench(place, "arm=roundrobin", "tracking=none")
    first, second = ({**read_parquet(run / "runs.parquet")[0], "seconds": 0} for run in runs(place))
    assert first == second


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["arm=concatt"], "unknown arm 'concatt'; did you mean 'concat'?"),
        (["scenario=brige"], "unknown scenario 'brige'; did you mean 'bridge'?"),
        (["score=egalitarain"], "did you mean 'egalitarian'?"),
        (["tokens=chars"], "did you mean 'chars4'?"),
        (["tracking=mlfow"], "did you mean 'mlflow'?"),
        (["bugdet=400"], "unknown key 'bugdet'; did you mean 'budget'?"),
        (["scenario.paraphrse=1"], "did you mean 'scenario.paraphrase'?"),
        (["arm.options.sovler=exact", "arm=oracle"], "did you mean 'solver'?"),
        (["budget=abc"], "budget: Value 'abc'"),
        (["budget=0"], "budget=0 is out of range: it must be at least 1"),
        (["budget=1.5"], "budget: Value '1.5'"),
        (["scenario.paraphrase=2"], "scenario.paraphrase=2.0 is out of range: it must be at most 1"),
        (["scenario.branches=1"], "scenario.branches=1 is out of range"),
        (["scenario.conflicts=-1"], "scenario.conflicts=-1 is out of range"),
        (["scenario.topics=4", "scenario.conflicts=3"], "scenario.topics=4 is out of range"),
        (["results_dir=/dev/null"], "results_dir '/dev/null' cannot be written"),
        (["results_dir=/proc/nowhere"], "results_dir '/proc/nowhere' cannot be written"),
        (["concat"], "such as arm=concat"),
        (["arm=concat,none"], "add -m"),
        (["--budget=3"], "unrecognized arguments"),
        (["arm=[a"], "cannot read 'arm=[a'"),
        (["arm=null"], "names nothing"),
        (["arm="], "names nothing"),
        (["arm=none", "results_dir="], "'results_dir=' names no directory"),
        (["-m", "arm=none", "results_dir=null"], "'results_dir=null' names no directory"),
        (["-m", "arm=glob(c*)"], "'arm=glob(c*)' is a pattern"),
        (["seed=99999999999999999999"], "is out of range: it must be at most 1e+12"),
        (["budget=99999999999999999999"], "is out of range: it must be at most 1e+09"),
        (["track.part=rest"], "track.part is a setting of tracks alone (add track=dir|locomo|ramdocs)"),
        (["data=somewhere"], "data is a setting of tracks alone"),
        (["scenario.retention=0.2"], "scenario.retention is a setting of scenario=trajectory alone"),
        (["strict=true"], "strict is a setting of scenario=trajectory alone"),
        (["scenario=trajectory", "reruns=true"], "reruns is a setting of families of scenarios alone"),
        (["scenario=trajectory", "scenario.topics=20"], "scenario.topics is a setting of families of scenarios alone"),
        (["track=dir", "data=x", "answerer=llm"], "answerer is a setting of families of scenarios alone"),
        (["track=dir", "data=x", "scenario=tie"], "scenario is a setting of families of scenarios"),
        (["-m", "bugdet=1,2"], "did you mean 'budget'?"),
        (["-m", "arm=none", "results_dir=/dev/null"], "/dev/null"),
    ],
)
def test_bad_input_gets_one_line_and_leaves_nothing(place, arguments, says):
    done = bench(place, *arguments)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    assert says in done.stderr
    assert "Traceback" not in done.stderr
    assert not runs(place)
    assert list((place / "cwd").iterdir()) == []


def test_the_flag_of_a_sweep_may_stand_anywhere(place):
    done = bench(place, "arm=none", "-m", "budget=50,60", "scenario.seeds=1", "tracking=none")
    assert (done.returncode, done.stderr) == (0, "")
    assert "2 jobs: 2 done" in done.stdout


def test_a_run_whose_output_is_closed_is_recorded_all_the_same(place):
    words = command(place, "arm=none", "scenario.seeds=1", "tracking=none")
    closed = ["sh", "-c", '"$@" >&-', "sh", *words.pop("args")]
    assert subprocess.run(closed, **words, stderr=subprocess.PIPE, text=True, timeout=120).stderr == ""
    (run,) = runs(place)
    assert json.loads((run / "record.json").read_text())["status"] == "complete"


def test_help_names_every_key_arm_and_family(place):
    done = bench(place, "--help")
    assert done.returncode == 0
    for word in ("budget", "scenario.paraphrase", "roundrobin", "supersede", "elitist", "o200k", "-m", "results"):
        assert word in done.stdout


def test_a_sweep_ends_with_one_table_and_a_status_for_each_job(place):
    done = bench(place, "-m", "arm=none,fragile,concat,nosuch", "budget=50,0", "scenario.seeds=2", "tracking=none",
                 driver=DRIVER, FRAGILE="raise")  # fmt: skip
    table = done.stdout.splitlines()
    assert table[0].split()[:3] == ["job", "status", "arm"]
    assert [line.split()[1] for line in table[1:9]] == [
        "done", "refused", "failed", "refused", "done", "refused", "refused", "refused",
    ]  # fmt: skip
    assert "8 jobs: 2 done, 1 failed, 5 refused" in done.stdout
    assert done.returncode == 1
    assert "ZeroDivisionError: on purpose" in done.stderr
    assert "Traceback" not in done.stderr
    (sweep,) = (place / "results" / "sweeps").iterdir()
    assert {"sweep.parquet", "table.md", "table.tex", "table.csv", "jobs.json"} <= {
        path.name for path in sweep.iterdir()
    }
    assert [row["arm"] for row in read_parquet(sweep / "sweep.parquet")] == [
        "none", "none", "fragile", "fragile", "concat", "concat", "nosuch", "nosuch",
    ]  # fmt: skip
    statuses = [job["status"] for job in json.loads((sweep / "jobs.json").read_text())]
    assert statuses.count("refused") == 5
    assert list((place / "cwd").iterdir()) == []


def test_a_killed_sweep_resumes_and_skips_what_is_on_record(place):
    sweep = ["-m", "arm=none,single,fragile,concat", "scenario.seeds=2", "tracking=none"]
    killed = bench(place, *sweep, driver=DRIVER, FRAGILE="kill")
    assert killed.returncode == -9
    before = {
        run: json.loads((run / "record.json").read_text()) for run in runs(place) if (run / "record.json").exists()
    }
    assert len(before) == 2
    resumed = bench(place, *sweep, driver=DRIVER, FRAGILE="live")
    assert resumed.returncode == 0
    statuses = [line.split()[1] for line in resumed.stdout.splitlines()[1:5]]
    assert statuses == ["recorded", "recorded", "done", "done"]
    assert before == {run: json.loads((run / "record.json").read_text()) for run in before}, (
        "stored runs are not touched"
    )
    again = bench(place, *sweep, "resume=false", driver=DRIVER, FRAGILE="live")
    assert "4 jobs: 4 done" in again.stdout


def test_the_panel_has_a_row_for_every_arm(place):
    from mergebench.registries import ARMS

    done = bench(place, "arm=panel", "scenario.seeds=1", "tracking=none")
    assert done.returncode == 0, done.stderr
    (run,) = runs(place)
    assert {row["arm"] for row in read_parquet(run / "runs.parquet")} == {
        name for name in ARMS if not ARMS[name].asks_model
    }
    assert "sees the question" in done.stdout
    assert "uses the truth" in done.stdout


@pytest.mark.slow
def test_six_runs_started_at_once_against_a_fresh_store_are_all_listed(place):
    started = [
        subprocess.Popen(
            **command(place, "arm=none", f"budget={100 + i // 2}"), stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        for i in range(6)
    ]
    ended = [(process.communicate(timeout=280), process.returncode) for process in started]
    assert [code for _, code in ended] == [0] * 6, ended
    assert all(err == b"" for (_, err), _ in ended), ended
    from mlflow import MlflowClient

    client = MlflowClient(tracking_uri=f"sqlite:///{place / 'results' / 'mlflow.db'}")
    experiment = client.get_experiment_by_name("MergeBench")
    listed = client.search_runs([experiment.experiment_id])
    assert sorted(run.data.tags["run_id"] for run in listed) == [run.name for run in runs(place)]
    assert len(listed) == 6
    assert {run.info.status for run in listed} == {"FINISHED"}
    assert listed[0].data.params["scenario.topics"] == "10"
    assert listed[0].data.metrics["bridge"] == 0


@pytest.mark.slow
def test_a_sweep_is_indexed_once_however_often_it_is_resumed(place):
    for _ in range(2):
        assert bench(place, "-m", "arm=none,single", "scenario.seeds=1").returncode == 0
    from mlflow import MlflowClient

    client = MlflowClient(tracking_uri=f"sqlite:///{place / 'results' / 'mlflow.db'}")
    listed = client.search_runs([client.get_experiment_by_name("MergeBench").experiment_id])
    assert sorted(run.data.params["arm"] for run in listed) == ["none", "single"]


@pytest.mark.slow
@pytest.mark.skipif(os.getloadavg()[0] > (os.cpu_count() or 1), reason="others are using this machine")
def test_the_table_of_a_default_run_is_on_the_screen_within_a_second_and_a_half(place):
    """The best of five."""
    bench(place, "tracking=none")
    seconds = []
    for _ in range(5):
        begun = time.perf_counter()
        process = subprocess.Popen(**command(place), stdout=subprocess.PIPE, text=True)
        assert process.stdout.readline().startswith("arm")
        seconds.append(time.perf_counter() - begun)
        process.communicate(timeout=120)
    assert min(seconds) < 1.5, seconds
