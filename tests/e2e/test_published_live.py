"""The published recordings give the published table, anywhere, without weights and without a network."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys

import pytest

from experiment.results import checkout
from experiment.tables import read_parquet
from mergebench import publish
from mergebench.bench import run
from mergebench.model import RECORDINGS

PUBLISHED = checkout().joinpath(*RECORDINGS)
TABLE = read_parquet(PUBLISHED / "runs.parquet")
ASKING = ("live", "summary")


def replayed(families):
    for config in publish.configurations(PUBLISHED, "replay", families):
        if config.arm.name in ASKING:
            yield from run(config).rows


def compare(families):
    rows = list(replayed(families))
    assert rows
    for row in rows:
        place = (row["arm"], row["scenario"], row["budget"])
        (stored,) = [each for each in TABLE if (each["arm"], each["scenario"], each["budget"]) == place]
        for column, value in stored.items():
            assert row[column] == (pytest.approx(value) if isinstance(value, float) else value), (place, column)


def test_a_family_is_replayed_to_the_published_rows(monkeypatch, tmp_path):
    monkeypatch.setenv("BELIEFMERGE_MODELS", str(tmp_path))
    compare(["bridge"])


@pytest.mark.slow
def test_every_family_is_replayed_to_the_published_rows(monkeypatch, tmp_path):
    monkeypatch.setenv("BELIEFMERGE_MODELS", str(tmp_path))
    compare(sorted({row["scenario"] for row in TABLE}))


def test_the_command_replays_from_any_directory(tmp_path):
    arguments = [
        *("arm=summary", "scenario=bridge", "budget=400", "llm=local", "llm.cache=replay"),
        *("tracking=none", f"results_dir={tmp_path}/results"),
    ]
    done = subprocess.run(
        [sys.executable, "-m", "mergebench", *arguments],
        cwd=tmp_path,
        env={**os.environ, "BELIEFMERGE_MODELS": str(tmp_path / "none")},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "5 calls (5 from the record)" in done.stdout


def test_the_files_are_the_ones_that_the_manifest_names():
    manifest = json.loads((PUBLISHED / "manifest.json").read_text())
    for name, digest in manifest["files"].items():
        assert hashlib.sha256((PUBLISHED / name).read_bytes()).hexdigest() == digest, name


def test_five_seeds_and_both_budgets_are_published_for_each_arm():
    for family in {row["scenario"] for row in TABLE}:
        for budget in publish.BUDGETS:
            rows = [row for row in TABLE if (row["scenario"], row["budget"]) == (family, budget)]
            assert {row["arm"] for row in rows} == set(publish.ARMS)
            assert {row["n"] for row in rows} == {5}
            assert {row["over_budget"] for row in rows} == {0}
