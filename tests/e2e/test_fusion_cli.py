"""``sessions`` and ``fuse`` as a person runs them, from another directory."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from beliefmerge.cli import main
from beliefmerge.session.readers import read_session
from tests.builders import BUILDERS, DOCUMENTS, TALK, build, codex_meta, codex_said, dsh_header, dsh_user, frames, lines
from tests.doubles.server import MockServer, say_json
from tests.fusing import words

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True)
class Done:
    returncode: int
    stdout: str
    stderr: str


@pytest.fixture
def run(monkeypatch, capsysbinary) -> Callable[..., Done]:
    """The command line, from the directory `cwd`, whose home it is too; most commands need no process of their own."""

    def call(cwd: Path, *args: Any, **environment: str) -> Done:
        monkeypatch.chdir(cwd)
        for name in ("DSH_HOME", "CLAUDE_CONFIG_DIR", "CODEX_HOME"):
            monkeypatch.delenv(name, raising=False)
        for name, value in ({"HOME": str(cwd)} | environment).items():
            monkeypatch.setenv(name, value)
        capsysbinary.readouterr()
        code = main([str(arg) for arg in args])
        out, err = capsysbinary.readouterr()
        return Done(code, out.decode(), err.decode())

    return call


def process(cwd: Path, *args: Any) -> subprocess.CompletedProcess[str]:
    """The same in a process, in a plain locale."""
    known = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), "HOME": str(cwd), "LC_ALL": "C"}
    command = [sys.executable, "-m", "beliefmerge", *map(str, args)]
    return subprocess.run(command, cwd=cwd, env=known, capture_output=True, encoding="utf-8", timeout=120)


def usual_home(home: Path) -> None:
    """A home directory with a session of each tool, and one file that is none."""
    dsh = home / ".dsh" / "sessions" / "--home-u-p--" / "d-1"
    claude, codex = home / ".claude" / "projects" / "-home-u-p", home / ".codex" / "sessions" / "2026" / "10" / "01"
    for folder in (dsh, claude, codex):
        folder.mkdir(parents=True)
    (dsh / "session.v4.jsonl.zstd").write_bytes(frames([dsh_header("d-1")], [dsh_user(0, "Which port?")]))
    (claude / "c-1.jsonl").write_bytes(build("claude_code", [("user", "Which host? 字"), ("model", "stage-3.")], "c-1"))
    (claude / "broken.jsonl").write_bytes(b"not a session\n")
    (claude / "sessions-index.json").write_bytes(b"{}")
    rollout = [codex_meta("k-1"), codex_said("user", "Which queue?", 7), codex_said("assistant", "Kafka.", 8)]
    (codex / "rollout-2026-10-01T10-00-00-k-1.jsonl").write_bytes(lines(rollout))


@pytest.fixture
def home(tmp_path: Path) -> Path:
    usual_home(tmp_path)
    return tmp_path


def test_sessions_lists_the_usual_places_the_newest_first(run, home):
    done = run(home, "sessions")
    assert done.returncode == 0
    rows = [line.split(maxsplit=5) for line in done.stdout.splitlines()]
    assert [row[2:5] for row in rows] == [["codex", "2", "k-1"], ["claude_code", "2", "c-1"], ["dsh", "1", "d-1"]]
    assert rows[0][:2] == ["2026-10-01", "10:00"]
    assert rows[1][5] == "Which host? 字"
    (complaint,) = done.stderr.splitlines()
    assert complaint.startswith("beliefmerge: cannot read: ")
    assert "broken.jsonl" in complaint


def test_sessions_can_be_searched_and_printed_as_json(run, home):
    found = json.loads(run(home, "sessions", "--search", "HOST?", "--json").stdout)
    assert [row["id"] for row in found["sessions"]] == ["c-1"]
    assert set(found["sessions"][0]) == {"id", "title", "tool", "messages", "time", "cwd", "path", "branches"}
    assert len(found["unreadable"]) == 1
    none = run(home, "sessions", "--search", "nothing like it")
    assert (none.returncode, none.stdout) == (0, "")
    assert "no session with this text in " in none.stderr.splitlines()[-1]


def test_sessions_looks_under_a_root_and_refuses_one_that_is_not_there(run, home):
    done = run(home, "sessions", "--root", home / ".claude")
    assert [line.split()[2] for line in done.stdout.splitlines()] == ["claude_code"]
    missing = run(home, "sessions", "--root", "nowhere")
    assert (missing.returncode, missing.stdout) == (2, "")
    assert missing.stderr == "beliefmerge: nowhere: not a directory\n"


def test_the_environment_says_where_the_tools_keep_their_sessions(run, home, tmp_path):
    moved = {"DSH_HOME": str(home / ".dsh"), "CLAUDE_CONFIG_DIR": str(home / ".claude"), "CODEX_HOME": str(home / "x")}
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    done = run(elsewhere, "sessions", **moved)
    assert [line.split()[2] for line in done.stdout.splitlines()] == ["claude_code", "dsh"]


def test_ids_of_several_tools_fuse_into_a_session_of_the_usual_root(run, home):
    done = run(home, "fuse", "d-1", "c-1", "k-1", "--cwd", "/", "--target", "all")
    assert done.returncode == 2
    assert "belongs to workspace '/home/u/p', the caller to '/'" in done.stderr
    done = run(home, "fuse", "d-1", "c-1", "k-1", "--cwd", "/", "--target", "all", "--allow-cross-workspace")
    assert done.returncode == 0, done.stderr
    path = Path(done.stdout.rstrip("\n"))
    assert path == home / ".dsh" / "sessions" / "--root--" / "all" / "session.v4.jsonl.zstd"
    assert words(read_session(path)) == ["Which port?", "Which host? 字", "stage-3.", "Which queue?", "Kafka."]
    assert done.stderr.startswith("all 'Which port? + Which host? 字 + Which queue?': 5 of 5 messages of 3 sessions")
    listed = process(home, "sessions")
    assert listed.stdout.splitlines()[0].split()[2:5] == ["dsh", "7", "all"]
    assert "字" in listed.stdout


@pytest.mark.parametrize("form", sorted(BUILDERS))
def test_a_file_of_every_format_goes_through_inspect_merge_and_fuse(run, tmp_path, form):
    source = tmp_path / "elsewhere" / f"a.{'json' if form in DOCUMENTS else 'jsonl'}"
    source.parent.mkdir()
    source.write_bytes(build(form, TALK, "s-1"))
    other = tmp_path / "b.json"
    other.write_bytes(build("plain", [("user", "The staging host is stage-3.")], "s-2"))
    digest = hashlib.sha256(source.read_bytes()).digest()
    work = tmp_path / "work"
    work.mkdir()
    inspected = json.loads(run(work, "inspect", source, "--json").stdout)
    assert "The port is 8080." in [row["text"] for row in inspected["messages"]]
    merged = run(work, "merge", source, other)
    assert "stage-3" in merged.stdout
    done = run(work, "fuse", source, other, "--root", "root", "--target", "t", "--allow-cross-workspace", "--json")
    assert done.returncode == 0, done.stderr
    result = json.loads(done.stdout)
    assert result["sessionId"] == "t"
    assert result["originalMessages"] == result["keptMessages"] == 5
    assert result["durable"] is True
    again = json.loads(run(work, "inspect", result["path"], "--json").stdout)
    assert again["format"] == "dsh"
    assert "The port is 8080." in [row["text"] for row in again["messages"]]
    assert hashlib.sha256(source.read_bytes()).digest() == digest


def two(folder: Path) -> tuple[Path, Path]:
    (folder / "a.json").write_bytes(build("plain", [("user", "The port is 8080.")], "a"))
    (folder / "b.json").write_bytes(build("plain", [("user", "The host is stage-3.")], "b"))
    return folder / "a.json", folder / "b.json"


def test_a_fusion_can_be_a_file_or_text(run, tmp_path):
    sources = two(tmp_path)
    done = run(tmp_path, "fuse", *sources, "--out", "x.jsonl", "--target", "x")
    assert (done.returncode, done.stdout) == (0, "x.jsonl\n")
    assert words(read_session(tmp_path / "x.jsonl")) == ["The port is 8080.", "The host is stage-3."]
    again = run(tmp_path, "fuse", *sources, "--out", "x.jsonl")
    assert (again.returncode, again.stderr) == (2, "beliefmerge: x.jsonl already exists\n")
    text = run(tmp_path, "fuse", *sources, "--out-format", "markdown")
    assert text.stdout.startswith('# Fused session "')
    chat = run(tmp_path, "fuse", *sources, "--out-format", "openai", "--out", "chat.json", "--content", "merged")
    assert chat.returncode == 0, chat.stderr
    block = json.loads((tmp_path / "chat.json").read_text())["messages"][1]
    assert (block["role"], block["name"]) == ("user", "beliefmerge")
    assert "stage-3" in block["content"]
    (tmp_path / "folder").mkdir()
    into = run(tmp_path, "fuse", *sources, "--out", "folder", "--target", "y")
    assert into.stdout == "folder/y/session.v4.jsonl.zstd\n"


def test_a_raw_file_is_not_put_among_compressed_ones(run, tmp_path):
    sources = two(tmp_path)
    assert run(tmp_path, "fuse", *sources, "--out", "x.jsonl.zstd").returncode == 0
    done = run(tmp_path, "fuse", *sources, "--out", "y.jsonl")
    assert done.returncode == 2
    assert done.stderr == "beliefmerge: y.jsonl: the logs beside it are compressed; end its name in .zstd\n"


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["a.json"], "a fusion takes 2 to 8 different sessions, 1 given"),
        (["a.json", "c.json"], "no session 'c.json'"),
        (["a.json", "x/c.json"], "x/c.json: No such file or directory"),
        (["a.json", "b.json", "--strategy", "by-time"], "unknown 'by-time'"),
        (["a.json", "b.json", "--stategy", "by-source"], "did you mean '--strategy'?"),
        (["a.json", "b.json", "--cwd", "nowhere"], "--cwd nowhere: not a directory"),
        (["a.json", "b.json", "--target", "../x"], "target id '../x'"),
        (["a.json", "b.json", "--plan"], "no model is configured"),
        (["a.json", "b.json", "--json", "--out-format", "openai"], "name a file with --out"),
        (["a.json", "b.json", "--config", "c.json"], "c.json: No such file or directory"),
        (["a.json", "b.json", "--config", "a.json"], "a.json: unknown fusion setting 'id'"),
        (["a.json", "b.json", "--out", "new/"], "--out 'new/': not a directory"),
        (["a.json", "b.json", "--out", ""], "--out '': not a directory"),
        (["a.json", "b.json", "--out", "/dev/null/x"], "cannot write: Not a directory"),
    ],
)
def test_bad_input_is_one_line_and_writes_nothing(run, tmp_path, args, message):
    two(tmp_path)
    before = sorted(tmp_path.rglob("*"))
    done = run(tmp_path, "fuse", *args)
    assert (done.returncode, done.stdout) == (2, "")
    (line,) = done.stderr.splitlines()
    assert line.startswith("beliefmerge: ")
    assert message in line
    assert sorted(tmp_path.rglob("*")) == before


def test_a_plan_is_asked_for_over_http(run, tmp_path):
    sources = two(tmp_path)
    topic = {"title": "Hosts", "messages": [{"sourceSessionId": "b", "sourceSeq": 0}]}
    plan = {"verdict": "fuse", "reason": "One system.", "title": "T", "strategy": "by-source", "topics": [topic]}
    skip = {"verdict": "skip", "reason": "Unrelated.", "title": "", "strategy": "by-source", "topics": []}
    with MockServer(say_json(plan), say_json(skip)) as server:
        model = ["--plan", "--llm", "vllm", "--llm-model", "m", "--llm-base-url", server.base_url]
        done = run(tmp_path, "fuse", *sources, "--out", "x.jsonl", *model)
        assert done.returncode == 0, done.stderr
        skipped = run(tmp_path, "fuse", *sources, "--out", "y.jsonl", *model)
        (tmp_path / "forbidden.json").write_text('{"enableAgentPlanning": false}')
        refused = run(tmp_path, "fuse", *sources, "--out", "z.jsonl", *model, "--config", "forbidden.json")
    assert words(read_session(tmp_path / "x.jsonl")) == ["The host is stage-3."]
    assert (skipped.returncode, skipped.stdout) == (0, "")
    assert skipped.stderr.splitlines()[-1] == "nothing created: the plan advises against it: Unrelated."
    assert not (tmp_path / "y.jsonl").exists()
    assert refused.returncode == 2
    assert "enableAgentPlanning is false" in refused.stderr
    assert [request.body["max_tokens"] for request in server.requests] == [8192, 8192]
