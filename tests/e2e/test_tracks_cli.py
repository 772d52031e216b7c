"""Tracks from the command line, on the example folder."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys

import pytest

from experiment.entry import main
from experiment.tables import read_parquet
from mergebench.command import EXPERIMENT
from tests.track_data import EXAMPLE


def bench(tmp_path, *arguments):
    return subprocess.run(
        [sys.executable, "-m", "mergebench", *arguments, "tracking=none"],
        cwd=tmp_path,
        env={**os.environ, "BELIEFMERGE_RESULTS": str(tmp_path / "results")},
        capture_output=True,
        text=True,
        timeout=120,
    )


def test_the_example_folder_runs_as_the_documentation_says(tmp_path):
    done = bench(tmp_path, "track=dir", f"data={EXAMPLE}", "arm=panel", "budget=120")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines()[0].split()[:6] == ["arm", "track", "setting", "question", "budget", "n"]
    (run,) = (path for path in (tmp_path / "results").iterdir() if "panel-dir" in path.name)
    rows = {row["arm"]: row for row in read_parquet(run / "runs.parquet")}
    assert (rows["roundrobin"]["all_kept"], rows["none"]["recall"]) == (1, 0)
    assert len(json.loads((run / "record.json").read_text())["data_sha256"]) == 64


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["track=locomo"], "track=locomo needs data=<locomo10.json"),
        (["track=locmo", "data=x"], "did you mean 'locomo'"),
        (["track=dir", "data=absent"], "absent: no such file or folder"),
        (["track=dir", f"data={EXAMPLE}", "arm=keep_all"], "keep_all"),
        (["track=dir", f"data={EXAMPLE}", "track.question=sen"], "did you mean 'seen'"),
        (["arm=keep_all"], "is one of tracks"),
        (["arm=none", f"data={EXAMPLE}"], "data is a setting of tracks alone"),
    ],
)
def test_what_is_missing_or_misspelt_is_one_line(tmp_path, monkeypatch, capsys, arguments, said):
    monkeypatch.setenv("BELIEFMERGE_RESULTS", str(tmp_path / "results"))
    code, printed = main(EXPERIMENT, [*arguments, "tracking=none"]), capsys.readouterr()
    assert (code, printed.out) == (2, "")
    assert said in printed.err
    assert printed.err.count("\n") == 1


def test_a_job_is_on_record_until_its_data_changes(tmp_path):
    folder = tmp_path / "mine"
    shutil.copytree(EXAMPLE, folder)
    said = [bench(tmp_path, "-m", "track=dir", f"data={folder}", "arm=none,concat") for _ in range(2)]
    with (folder / "questions.jsonl").open("a") as file:
        file.write('{"question": "Who rings the bell?", "expects": ["Ada"]}\n')
    said.append(bench(tmp_path, "-m", "track=dir", f"data={folder}", "arm=none,concat"))
    ends = [printed.stdout.splitlines()[-2] for printed in said]
    assert ends == ["2 jobs: 2 done", "2 jobs: 2 recorded", "2 jobs: 2 done"]
    assert "4†" in said[2].stdout


@pytest.mark.slow
def test_a_sweep_over_a_track_and_a_family_is_one_table(tmp_path):
    done = bench(tmp_path, "-m", "track=dir,none", "arm=concat", f"data={EXAMPLE}", "budget=120")
    assert done.returncode == 2, "a family takes no data"
    assert "1 done, 1 refused" in done.stdout
