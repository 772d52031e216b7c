"""The real DeepSeek Harness (extra `dsh-oracle`) resumes what fusion writes, and shows a model what was fused."""

from __future__ import annotations

import http.server
import json
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from beliefmerge.fusion import Caller, FusionOptions, FusionResult, fuse
from beliefmerge.fusion.boundary import BOUNDARY
from beliefmerge.session.readers import read_session
from tests.builders import TALK, build, dsh_header, dsh_user, frames, lines
from tests.fusing import said, session

harness = pytest.importorskip("deepseek_harness", reason="the extra dsh-oracle is not installed")
pytestmark = pytest.mark.slow

PROFILES = {"sdk": ".jsonl.zstd", "sdk-minimal": ".jsonl"}
"""The encoding that each profile keeps logs in."""


class _Model(http.server.BaseHTTPRequestHandler):
    """A model's server that refuses, and remembers what it was asked."""

    asked: list[dict[str, Any]]

    def do_POST(self) -> None:
        self.asked.append(json.loads(self.rfile.read(int(self.headers["content-length"]))))
        self.send_response(400)
        self.end_headers()
        self.wfile.write(b'{"error":{"message":"refused"}}')

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def model() -> Iterator[tuple[str, list[dict[str, Any]]]]:
    asked: list[dict[str, Any]] = []
    handler = type("Handler", (_Model,), {"asked": asked})
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}", asked
    server.shutdown()
    server.server_close()
    thread.join()


def fuse_nasty_sessions(home: Path, work: Path, suffix: str, **more: Any) -> FusionResult:
    """A fused session with all that a log can have, in a root that keeps logs as `suffix` says."""
    cwd = str(work)
    there = home / "sessions" / "--other--" / "there"
    there.mkdir(parents=True)
    records = [dsh_header("there", cwd="/other"), dsh_user(0, "Hello.")]
    encoded = frames(records[:1], records[1:]) if suffix.endswith(".zstd") else lines(records)
    (there / f"session.v4{suffix}").write_bytes(encoded)
    talk = work / "talk"
    talk.write_bytes(build("chatgpt", TALK))
    messages = [
        said("model", "Good morning.", "m0", 5.0),
        said("user", ("Which DB?", "And why? 字 👩\u200d💻 \u2028 \ud800"), "m1", 9.0),
        said("checkpoint", "Earlier: A was ruled out.", "c1", 3.0),
        said("model", "PostgreSQL.", "m2"),
        said("model", "Because of JSON.", "m2", 11.0),
        said("user", "Which DB?", "m1", 12.0),
    ]
    meta = {"provider": "deepseek-official", "model": "deepseek-v4-flash"}
    sources = [session("a", *messages, cwd=cwd, meta=meta), session("b", *messages[:2], cwd=cwd), talk]
    return fuse(sources, Caller(cwd), FusionOptions(root=home / "sessions", **more))


def texts(request: dict[str, Any]) -> list[tuple[str, str]]:
    return [(m["role"], part["text"]) for m in request["messages"] for part in m["content"] if part["type"] == "text"]


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("content", ["messages", "merged"])
@pytest.mark.parametrize("deduplicate", [True, False])
def test_the_harness_resumes_a_fused_session_again_and_again(tmp_path, model, profile, content, deduplicate):
    url, asked = model
    home, work = tmp_path / "home", tmp_path / "wörk, dir"
    work.mkdir()
    result = fuse_nasty_sessions(home, work, PROFILES[profile], content=content, deduplicate=deduplicate)
    assert result.path.endswith(PROFILES[profile])
    written = read_session(result.path)
    for turn in range(2):
        with harness.DeepSeekHarness(
            dsh_home=str(home),
            cwd=str(work),
            profile=profile,
            base_url=url,
            api_key="none",
            request_timeout_seconds=60,
        ) as running:
            resumed = running.resume_session(result.session_id)
            assert resumed.get_working_directory() == str(work)
            assert resumed.run(f"Continue {turn}.").finish_reason == "error"
    first = texts(asked[0])
    start = next(i for i, (_, text) in enumerate(first) if text.startswith(written.messages[1].text[:40]))
    if content == "messages":
        assert first[start] == ("user", BOUNDARY)
        spoken = [(m, block.text) for m in written.messages[2:] for block in m.blocks]
        roles = [("assistant" if m.blocks[0].channel == "model" else "user", text) for m, text in spoken]
        assert first[start + 1 : start + 1 + len(roles)] == roles
    assert ("user", "Continue 0.") in first
    assert ("user", "Continue 1.") in texts(asked[-1])
    again = read_session(result.path)
    assert again.messages[1 : len(written.messages)] == written.messages[1:]
    assert again.title == result.title
