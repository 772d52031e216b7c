"""The MCP server, driven by the `mcp` package's own client over real standard input and output."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import ClientSession, StdioServerParameters, stdio_client

from beliefmerge.session.readers import read_session
from tests.builders import build, dsh_header, dsh_reply, dsh_user, frames
from tests.doubles.server import MockServer, say_json
from tests.fusing import words

ROOT = Path(__file__).parents[2]
Reply = tuple[bool, str, Any]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    logs = {
        "ports": (str(tmp_path), [dsh_user(0, "The port is 8080."), dsh_reply(1, "Noted.")]),
        "hosts": (str(tmp_path), [dsh_user(0, "The host is stage-3.")]),
        "foreign": ("/elsewhere", [dsh_user(0, "Not yours.")]),
    }
    for name, (cwd, events) in logs.items():
        folder = tmp_path / "root" / "--p--" / name
        folder.mkdir(parents=True)
        (folder / "session.v4.jsonl.zstd").write_bytes(frames([dsh_header(name, cwd=cwd)], events))
    return tmp_path / "root"


def drive(root: Path, script: Callable[[Callable[..., Awaitable[Reply]], ClientSession], Awaitable[None]], *args: str):
    """Run `script` with a function that calls a tool: (is it an error, text, data)."""
    server = StdioServerParameters(
        command=sys.executable,
        args=["-m", "beliefmerge", "mcp", "--root", str(root), *args],
        cwd=root.parent,
        env={"PYTHONPATH": str(ROOT)},
    )

    async def main() -> None:
        with Path(os.devnull).open("w") as nowhere:
            async with stdio_client(server, errlog=nowhere) as streams, ClientSession(*streams) as session:
                await session.initialize()

                async def call(name: str, **arguments: Any) -> Reply:
                    result = await session.call_tool(name, arguments)
                    return bool(result.is_error), result.content[0].text, result.structured_content

                with anyio.fail_after(90):
                    await script(call, session)

    anyio.run(main)


def test_an_agent_lists_inspects_merges_and_fuses(root):
    async def script(call, session):
        tools = {tool.name: tool for tool in (await session.list_tools()).tools}
        assert set(tools) == {"merge_sessions", "conversation_fuse", "inspect_session", "list_sessions"}
        fuse = tools["conversation_fuse"].input_schema
        assert set(fuse["properties"]) == {
            "sourceSessionIds",
            "targetSessionId",
            "title",
            "strategy",
            "deduplicate",
            "agentPlanning",
        }
        assert fuse["required"] == ["sourceSessionIds"]
        error, _, listed = await call("list_sessions")
        assert not error
        assert {row["id"] for row in listed["sessions"]} == {"ports", "hosts"}
        error, text, report = await call("inspect_session", sessionId="ports", limit=1)
        assert (error, report["message_count"], len(report["messages"])) == (False, 2, 1)
        assert "The port is 8080." in text
        error, text, merged = await call("merge_sessions", sourceSessionIds=["ports", "hosts"], budget=300)
        assert not error
        assert text == merged["text"]
        assert "stage-3" in text
        arguments = {"sourceSessionIds": ["ports", "hosts", "ports"], "targetSessionId": "both", "title": "Both"}
        error, text, made = await call("conversation_fuse", **arguments, strategy="by-source", deduplicate=True)
        assert not error
        assert text.startswith("both 'Both': 3 of 3 messages of 2 sessions")
        assert (made["sessionId"], made["sourceCount"], made["durable"]) == ("both", 2, True)
        assert words(read_session(made["path"])) == ["The port is 8080.", "Noted.", "The host is stage-3."]
        error, text, _ = await call("conversation_fuse", **arguments)
        assert (error, text.startswith("session 'both' already exists")) == (True, True)

    drive(root, script)


def test_errors_are_one_line_and_the_server_goes_on(root):
    async def script(call, session):
        two = ["ports", "hosts"]
        for name, arguments, message in (
            ("conversation_fuse", {"sourceSessionIds": ["ports"]}, "2 to 8 different sessions, 1 given"),
            ("conversation_fuse", {"sourceSessionIds": ["ports", "port"]}, "did you mean 'ports'"),
            ("conversation_fuse", {"sourceSessionIds": ["ports", "foreign"]}, "belongs to workspace '/elsewhere'"),
            ("conversation_fuse", {"sourceSessionIds": two, "strategy": "random"}, "unknown strategy 'random'"),
            ("conversation_fuse", {"sourceSessionIds": two, "agentPlanning": True}, "no model is configured"),
            ("conversation_fuse", {"sourceSessionIds": two, "targetSessionId": "a/b"}, "target id 'a/b'"),
            ("conversation_fuse", {"sourceSessionIds": two, "deduplicate": "no"}, "wrong arguments: Expected `bool`"),
            ("conversation_fuse", {"sources": two}, "wrong arguments: Object contains unknown field `sources`"),
            ("conversation_fuse", {}, "missing required field `sourceSessionIds`"),
            ("inspect_session", {"sessionId": "foreign"}, "belongs to workspace"),
            ("inspect_session", {"sessionId": "/etc/passwd"}, "not JSON"),
            ("merge_sessions", {"sourceSessionIds": ["foreign", "ports"]}, "belongs to workspace"),
            ("merge_sessions", {"sourceSessionIds": []}, "sourceSessionIds is empty"),
            ("merge_sessions", {"sourceSessionIds": ["ports"], "budget": 0}, "budget 0 is not positive"),
            ("list_sessions", {"limit": 0}, "limit is 0"),
            ("list_session", {}, "unknown tool 'list_session'; did you mean 'list_sessions'?"),
        ):
            error, text, _ = await call(name, **arguments)
            assert error, (name, arguments)
            assert message in text
            assert "\n" not in text
        assert not (await call("list_sessions"))[0]

    drive(root, script)
    assert {path.name for path in (root / "--p--").iterdir()} == {"ports", "hosts", "foreign"}


def test_the_deployment_decides_about_workspaces_and_limits(root):
    config = root.parent / "config.json"
    config.write_text(json.dumps({"allowCrossWorkspace": True, "maxMessages": 1}))

    async def script(call, session):
        error, _, made = await call("conversation_fuse", sourceSessionIds=["ports", "foreign"], targetSessionId="x")
        assert (error, made["keptMessages"], made["omittedMessages"]) == (False, 1, 2)
        assert {row["id"] for row in (await call("list_sessions"))[2]["sessions"]} == {"ports", "hosts", "foreign", "x"}

    drive(root, script, "--config", str(config))


def test_a_plan_is_had_from_the_model_of_the_deployment(root):
    skip = {"verdict": "skip", "reason": "Unrelated.", "title": "", "strategy": "by-source", "topics": []}

    async def script(call, session):
        error, text, made = await call("conversation_fuse", sourceSessionIds=["ports", "hosts"], agentPlanning=True)
        assert (error, made["sessionId"], made["reason"]) == (False, None, "Unrelated.")
        assert text == "nothing created: the plan advises against it: Unrelated."

    with MockServer(say_json(skip)) as server:
        drive(root, script, "--llm", "vllm", "--llm-model", "m", "--llm-base-url", server.base_url)


def test_nothing_but_the_protocol_is_written_to_standard_output(root, tmp_path):
    (root / "broken.jsonl").write_bytes(b"no session")
    (root / "odd.json").write_bytes(build("plain", [("user", "A note.")], "odd"))
    messages = [
        {"method": "initialize", "id": 1, "params": {"protocolVersion": "2025-06-18", "capabilities": {}}},
        {"method": "notifications/initialized"},
        {"method": "tools/call", "id": 2, "params": {"name": "list_sessions", "arguments": {}}},
    ]
    messages[0]["params"]["clientInfo"] = {"name": "t", "version": "0"}
    sent = "".join(json.dumps({"jsonrpc": "2.0", **message}) + "\n" for message in messages) + "not JSON\n"
    server = subprocess.Popen(
        [sys.executable, "-m", "beliefmerge", "mcp", "--root", str(root)],
        cwd=root.parent,
        env={"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), "HOME": str(tmp_path)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    server.stdin.write(sent)
    server.stdin.flush()
    answers = [json.loads(server.stdout.readline()) for _ in range(2)]
    server.stdin.close()
    rest = [json.loads(line) for line in server.stdout.read().splitlines()]
    assert server.wait(timeout=60) == 0
    server.stdout.close()
    server.stderr.close()
    assert all(message["jsonrpc"] == "2.0" for message in answers + rest)
    by_id = {message["id"]: message for message in answers + rest if message.get("id") is not None}
    assert len(by_id[2]["result"]["structuredContent"]["unreadable"]) == 1


def test_bad_options_end_it_before_anything_is_served(tmp_path):
    done = subprocess.run(
        [sys.executable, "-m", "beliefmerge", "mcp", "--cwd", "nowhere"],
        cwd=tmp_path,
        env={"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT)},
        input="",
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "beliefmerge: --cwd nowhere: not a directory\n"


def started(root: Path, **streams: Any) -> subprocess.Popen[bytes]:
    """The server as a process, without a client."""
    return subprocess.Popen(
        [sys.executable, "-m", "beliefmerge", "mcp", "--root", str(root)],
        cwd=root.parent,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        stderr=subprocess.PIPE,
        **streams,
    )


HELLO = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}},
}


def said(*messages: dict[str, Any]) -> bytes:
    opening = [HELLO, {"jsonrpc": "2.0", "method": "notifications/initialized"}]
    return b"".join(json.dumps(message).encode() + b"\n" for message in [*opening, *messages])


def merging(id: int | str) -> dict[str, Any]:
    arguments = {"sourceSessionIds": ["ports", "hosts"]}
    params = {"name": "merge_sessions", "arguments": arguments}
    return {"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params}


@pytest.mark.parametrize("way", ["file", "pipe"])
@pytest.mark.parametrize("time", range(3))
def test_every_request_before_the_end_of_input_is_answered(root, tmp_path, way, time):
    sent = said(*map(merging, [*range(2, 8), "a"]))
    (tmp_path / "in.txt").write_bytes(sent)
    with (tmp_path / "in.txt").open("rb") as file:
        process = started(root, stdin=file if way == "file" else subprocess.PIPE, stdout=subprocess.PIPE)
    with process:
        out, errors = process.communicate(sent if way == "pipe" else None, timeout=60)
    assert (process.returncode, errors) == (0, b"")
    answers = {answer["id"]: answer for answer in map(json.loads, out.splitlines())}
    assert set(answers) == {1, *range(2, 8), "a"}
    assert all("stage-3" in answers[id]["result"]["structuredContent"]["text"] for id in [*range(2, 8), "a"])


def test_a_call_that_is_cancelled_does_not_hold_back_the_end(root):
    cancel = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": "2"}}
    with started(root, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        out, errors = process.communicate(said(merging(2), cancel, merging(3)), timeout=60)
    assert (process.returncode, errors) == (0, b"")
    assert {1, 3} <= {json.loads(line)["id"] for line in out.splitlines()}


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_it_in_order_though_its_input_stays_open(root, number):
    with started(root, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        process.stdin.write(json.dumps(HELLO).encode() + b"\n")
        process.stdin.flush()
        assert json.loads(process.stdout.readline())["id"] == 1
        process.send_signal(number)
        assert process.wait(timeout=60) == 0
        assert process.stderr.read() == b""


def test_a_client_that_is_gone_ends_it_though_its_input_stays_open(root):
    with started(root, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        process.stdout.close()
        process.stdin.write(json.dumps(HELLO).encode() + b"\n")
        process.stdin.flush()
        assert process.wait(timeout=60) == 141
        assert process.stderr.read() == b""


def test_an_output_that_takes_nothing_is_one_line(root):
    with Path("/dev/full").open("wb") as full, started(root, stdin=subprocess.PIPE, stdout=full) as process:
        process.stdin.write(json.dumps(HELLO).encode() + b"\n")
        process.stdin.flush()
        assert process.wait(timeout=60) == 2
        assert process.stderr.read() == b"beliefmerge: [Errno 28] No space left on device\n"


@pytest.mark.parametrize("closed", ["<&-", ">&-"])
def test_a_closed_standard_stream_is_one_line(root, closed):
    done = subprocess.run(
        f"exec {sys.executable} -m beliefmerge mcp {closed}",
        shell=True,
        cwd=root.parent,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=60,
    )
    assert done.returncode == 2
    assert done.stderr == b"beliefmerge: standard input or output is closed: the protocol needs both\n"
