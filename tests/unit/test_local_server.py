"""The local server, with small random weights: answers over HTTP, repeats itself, and ends with whoever started it."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

import pytest

from beliefmerge.cli import main
from beliefmerge.errors import UsageError
from beliefmerge.llm.local import child
from beliefmerge.llm.local.server import LocalServer, threads_to_use
from beliefmerge.llm.open import open_model
from beliefmerge.llm.protocol import Cause, ChatMessage, ModelError
from beliefmerge.llm.settings import LlmSettings
from tests.llama_cpp import post
from tests.tiny_gguf import write

pytest.importorskip("xllamacpp")

ASKED = [ChatMessage("user", "the cat at 12")]
SCHEMA = {
    "type": "object",
    "properties": {"key": {"type": "string", "maxLength": 4}},
    "required": ["key"],
    "additionalProperties": False,
}
OWNER = """
import sys, threading, time
from pathlib import Path
from beliefmerge.llm.local.server import LocalServer
server = LocalServer(Path(sys.argv[1]), threads=1)
url = server.start()
if "busy" in sys.argv:
    from tests.llama_cpp import post
    request = {"prompt": "the", "n_predict": 1 << 20, "ignore_eos": True}
    threading.Thread(target=post, args=(server, "/completion", request), daemon=True).start()
    time.sleep(0.5)
print(url, server._process.pid, flush=True)
time.sleep(600)
"""


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    return write(tmp_path_factory.mktemp("models") / "tiny.gguf")


@pytest.fixture(scope="module")
def server(model):
    with LocalServer(model, threads=1) as running:
        yield running


def alive(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def until(condition, seconds=60.0):
    ends = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < ends
        time.sleep(0.05)


def test_the_one_client_asks_it_and_gets_the_same_bytes_again(model):
    settings = LlmSettings(name="local", model=str(model))
    with open_model(settings) as opened:
        replies = [opened.complete(ASKED, max_tokens=12) for _ in range(2)]
    assert replies[0].text == replies[1].text
    assert replies[0].finish_reason in ("length", "stop")
    assert replies[0].usage.prompt_tokens > 0
    with open_model(settings) as opened:
        opened.complete([ChatMessage("user", "something else before")], max_tokens=5)
        assert opened.complete(ASKED, max_tokens=12).text == replies[0].text


def test_the_number_of_threads_changes_nothing(model, server):
    body = {"prompt": "the cat at 12", "n_predict": 24, "temperature": 0.0, "n_probs": 3}
    with LocalServer(model, threads=2) as other:
        said = [post(each, "/completion", body) for each in (server, other)]
    assert said[0]["content"] == said[1]["content"]
    assert said[0]["completion_probabilities"] == said[1]["completion_probabilities"]


def test_a_schema_is_kept_to(server):
    body = {
        "messages": [{"role": "user", "content": "the"}],
        "temperature": 0,
        "seed": 0,
        "max_tokens": 200,
        "logprobs": True,
        "response_format": {"type": "json_schema", "json_schema": {"name": "reply", "strict": True, "schema": SCHEMA}},
    }
    (choice,) = post(server, "/v1/chat/completions", body)["choices"]
    if choice["finish_reason"] == "stop":
        assert set(json.loads(choice["message"]["content"])) == {"key"}
    assert choice["message"]["content"].lstrip().startswith("{")
    assert choice["logprobs"]["content"][0]["logprob"] <= 0


def test_it_listens_on_loopback_and_lets_no_page_in(server):
    assert server.base_url.startswith("http://127.0.0.1:")
    request = urllib.request.Request(f"{server.base_url}/models", headers={"Origin": "http://elsewhere.example"})
    with urllib.request.urlopen(request, timeout=60) as reply:
        assert not reply.headers.get("access-control-allow-origin")
        assert json.loads(reply.read())["data"][0]["id"] == "tiny"


def test_it_starts_once_and_stops_for_good(model):
    server = LocalServer(model, threads=1)
    assert server.base_url == ""
    server.stop()
    first = server.start()
    process = server._process
    assert server.start() == first
    assert server._process is process
    server.stop()
    assert process.poll() is not None
    assert server.base_url == ""
    with pytest.raises(urllib.error.URLError):
        urllib.request.urlopen(f"{first}/models", timeout=5)


def test_one_that_died_is_started_anew(model):
    with LocalServer(model, threads=1) as server:
        server._process.kill()
        server._process.wait()
        assert post(LocalServer.start(server) and server, "/tokenize", {"content": "the"})["tokens"]


def test_a_file_that_is_no_model_is_refused_in_one_line_and_leaves_no_process(tmp_path):
    path = tmp_path / "wrong.gguf"
    path.write_bytes(b"no model")
    server = LocalServer(path, threads=1)
    with pytest.raises(ModelError, match=r"wrong\.gguf: llama\.cpp cannot serve it: .+") as caught:
        server.start()
    assert caught.value.cause is Cause.UNAVAILABLE
    assert "\n" not in str(caught.value)
    assert server._process is None


def test_one_that_is_not_ready_in_time_is_given_up(model):
    server = LocalServer(model, threads=1)
    with pytest.raises(ModelError, match="was not loaded within 0 s") as caught:
        server.start(seconds=0)
    assert caught.value.cause is Cause.TIMEOUT
    assert server._process is None


@pytest.mark.skipif(not Path("/proc/self").is_dir(), reason="looks at /proc")
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM])
@pytest.mark.parametrize("at", ["idle", "busy"])
def test_it_ends_with_whoever_started_it(model, how, at):
    started = [sys.executable, "-c", OWNER, str(model), at]
    root = Path(__file__).parents[2]
    owner = subprocess.Popen(started, stdout=subprocess.PIPE, text=True, cwd=root)
    try:
        pid = int(owner.stdout.readline().split()[1])
        assert alive(pid)
        owner.send_signal(how)
        owner.wait()
        until(lambda: not alive(pid))
    finally:
        owner.kill()
        owner.stdout.close()
        owner.wait()


def test_it_ends_where_whoever_started_it_was_gone_before_it_was_ready(model):
    command = [sys.executable, "-P", child.__file__, str(model), "m", "512", "1", "0"]
    several = [
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        for _ in range(6)
    ]
    try:
        for process in several:
            process.stdout.close()
            process.stdin.close()
        for process in several:
            process.wait(timeout=60)
    finally:
        for process in several:
            process.kill()
            process.wait()


def test_serve_prints_where_it_listens(model):
    process = subprocess.Popen(
        [sys.executable, "-m", "beliefmerge", "model", "serve", "--gguf", str(model)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        url = process.stdout.readline().strip()
        with urllib.request.urlopen(f"{url}/models", timeout=60) as reply:
            assert reply.status == 200
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=60) == 0
        assert "Traceback" not in process.stderr.read()
    finally:
        process.kill()
        process.communicate()


def test_control_c_right_after_the_address_ends_it_in_order(model, monkeypatch, capsys):
    said: list[str] = []

    def interrupted(line: str) -> None:
        said.append(line)
        if len(said) == 1:
            raise KeyboardInterrupt

    monkeypatch.setattr("beliefmerge.cli.model.remark", interrupted)
    assert main(["model", "serve", "--gguf", str(model)]) == 0
    assert capsys.readouterr().out.startswith("http://127.0.0.1:")
    assert said[1:] == ["stopped"]


@pytest.mark.parametrize("given", ["0", "two", "-1", "1000"])
def test_a_wrong_number_of_threads_is_refused(monkeypatch, given):
    monkeypatch.setenv("BELIEFMERGE_MODEL_THREADS", given)
    with pytest.raises(UsageError, match="no number of threads"):
        threads_to_use()
