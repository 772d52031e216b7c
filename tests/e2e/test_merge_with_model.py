"""``merge --llm`` as a stranger runs it: a server over HTTP, a record, a replay of it anywhere."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from beliefmerge.llm.cache import pack
from tests.builders import build
from tests.doubles.replies import answers, opinion, reply, slot
from tests.doubles.server import MockServer, say_json, status

REPLY = reply(
    slot(
        "staging.database",
        opinion("b1", "MySQL", "The staging database is MySQL"),
        opinion("b2", "PostgreSQL", "The staging database is PostgreSQL"),
    )
)


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    for name, database in (("a", "MySQL"), ("b", "PostgreSQL")):
        talk = [("user", f"The staging database is {database}.")]
        (tmp_path / f"{name}.json").write_bytes(build("plain", talk, name))
    return ["a.json", "b.json"]


def run(where: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("BELIEFMERGE_LLM", "OPENAI"))}
    root = Path(__file__).parents[2]
    return subprocess.run(
        [sys.executable, "-m", "beliefmerge", "merge", *arguments],
        cwd=where,
        env={**clean, "PYTHONPATH": str(root), **environment},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def test_a_recorded_merge_is_replayed_without_a_server_in_any_order(tmp_path, files):
    options = ["--extract", "joint", "--llm", "vllm", "--llm-model", "m", "--llm-cache-dir", "calls"]
    with MockServer(say_json(REPLY), say_json(answers(("t1", "choose", ["o1"])))) as server:
        live = run(tmp_path, *files, *options, "--llm-cache", "record", "--llm-base-url", server.base_url)
        asked = len(server.requests)
    assert live.returncode == 0, live.stderr
    assert asked == 3
    assert live.stderr.startswith("joint: 2 branches, 1 slot, 1 disputed")
    assert "3 calls to m (30 tokens)" in live.stderr
    pack(tmp_path / "calls", tmp_path / "calls.jsonl.zst")
    for cache in ("calls", "calls.jsonl.zst"):
        again = run(tmp_path, *files[::-1], *options[:-1], cache, "--llm-cache", "replay")
        assert (again.returncode, again.stdout) == (0, live.stdout)
        assert "3 cached" in again.stderr


def test_the_environment_can_name_the_model(tmp_path, files):
    with MockServer(say_json(REPLY)) as server:
        named = {"BELIEFMERGE_LLM": "ollama", "BELIEFMERGE_LLM_MODEL": "m", "BELIEFMERGE_LLM_BASE_URL": server.base_url}
        done = run(tmp_path, *files, "--extract", "joint", "--no-adjudicate", "--json", **named)
    report = json.loads(done.stdout)["report"]
    assert (report["mode"], report["model"]["name"], report["model"]["calls"]) == ("joint", "m", 1)


def test_a_key_reaches_the_server_and_nothing_else(tmp_path, files):
    key = "sk-proj-" + "aB3dE6gH9jK2mN5pQ8sT" * 2
    with MockServer(status(401, f"bad key {key}")) as server:
        options = ["--extract", "joint", "--llm", "openai", "--llm-base-url", server.base_url]
        done = run(tmp_path, *files, *options, "--llm-cache", "record", "--llm-cache-dir", "c", OPENAI_API_KEY=key)
    assert server.requests[0].headers["authorization"] == f"Bearer {key}"
    assert "not authorised" in done.stderr
    assert key not in done.stdout + done.stderr
    assert not [file for file in (tmp_path / "c").rglob("*") if file.is_file() and key.encode() in file.read_bytes()]


@pytest.mark.parametrize(
    ("options", "code", "line"),
    [
        (["--extract", "joint"], 0, "no model is configured: heuristic extraction (name one with --llm"),
        (["--extract", "joint", "--llm", "openai"], 0, "set OPENAI_API_KEY"),
        (["--extract", "joint", "--llm", "vllm"], 2, "which model? set --llm-model"),
        (["--llm", "opnai"], 2, "did you mean 'openai'"),
        (["--llm", "openai", "--llm-cache", "rec"], 2, "unknown cache mode 'rec'"),
        (["--llm-modl", "x"], 2, "did you mean '--llm-model'"),
    ],
)
def test_what_is_not_configured_is_said_in_one_line(tmp_path, files, options, code, line):
    done = run(tmp_path, *files, *options)
    assert done.returncode == code
    assert line in done.stderr
    assert len(done.stderr.splitlines()) == 1
