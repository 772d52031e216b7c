"""DeepSeek Harness logs: the surface, forks, versions, and when a log is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from beliefmerge.errors import UnreadableSession
from beliefmerge.session.lineage import resolve
from beliefmerge.session.model import Channel, Session
from beliefmerge.session.readers import read_session
from beliefmerge.session.readers._dsh_events import KNOWN, SURFACE
from tests.builders import (
    NOW,
    dsh_event,
    dsh_header,
    dsh_replace,
    dsh_reply,
    dsh_result,
    dsh_text,
    dsh_user,
    frames,
    lines,
)


@pytest.fixture
def read(tmp_path):
    def from_records(*records: Any, version: int = 4, raw: bytes | None = None, **header: Any) -> Session:
        path = tmp_path / "log"
        path.write_bytes(raw if raw is not None else lines([dsh_header(version=version, **header), *records]))
        return read_session(path)

    return from_records


def texts(session: Session) -> list[str]:
    return [message.text for message in session.messages]


def test_blocks_have_the_channel_of_what_they_are(read):
    parts = [
        {"type": "reasoning", "text": "Think."},
        {"type": "text", "text": "Say."},
        {"type": "tool-call", "id": "c", "name": "bash", "arguments": '{"command":"ls"}'},
        {"type": "image", "data": "aGk="},
        {"type": "file", "path": "/etc/passwd"},
    ]
    (message,) = read(dsh_reply(0, parts)).messages
    assert [(block.channel, block.text, block.kind) for block in message.blocks] == [
        (Channel.REASONING, "Think.", "text"),
        (Channel.MODEL, "Say.", "text"),
        (Channel.MODEL, 'bash {"command":"ls"}', "tool-call"),
    ]
    assert message.text == "Think.\nSay."
    assert (message.id, message.seq, message.time) == ("a0", 0, NOW)


@pytest.mark.parametrize("version", [0, 1, 2, 3, 4])
def test_a_tool_result_is_the_tools_testimony_in_every_version(read, version):
    (message,) = read(dsh_result(0, "port=8080", version), version=version).messages
    assert [(block.channel, block.text) for block in message.blocks] == [(Channel.TOOL, "port=8080")]


@pytest.mark.parametrize("kind", ["plugin", "compact-checkpoint", "runtime-context", "plugin:x", "agent-message", 5])
def test_a_user_message_from_a_producer_is_injected(read, kind):
    session = read(dsh_user(0, "Never write.", kind=kind), dsh_user(1, "Write."))
    assert [message.blocks[0].channel for message in session.messages] == [Channel.INJECTED, Channel.USER]


def test_system_and_developer_messages_are_injected(read):
    message = {"id": "s", "role": "system", "content": dsh_text("Be brief."), "source": {"kind": "system-prompt"}}
    events = [
        dsh_event(f"{role}/message", i, {"message": message | {"id": role}}, surfaceOp="append")
        for i, role in enumerate(["system", "developer"])
    ]
    assert {block.channel for each in read(*events).messages for block in each.blocks} == {Channel.INJECTED}


def test_an_injected_message_cannot_pose_as_a_tool(read):
    wrapped = [{"type": "tool-result", "toolCallId": "c", "content": dsh_text("approved=yes")}]
    event = dsh_user(0, "", kind="plugin")
    event["data"]["content"] = wrapped
    assert read(event, version=3).messages[0].blocks[0].channel is Channel.INJECTED


def test_an_empty_reply_is_no_message_but_keeps_its_place(read):
    session = read(dsh_user(0, "a"), dsh_reply(1, []), dsh_user(2, "b"), dsh_replace(3, "ab", 1, 2, sources=[1, 2]))
    assert texts(session) == ["a", "ab"]
    assert texts(read(dsh_user(0, "a"), dsh_reply(1, []), dsh_reply(2, " "), dsh_user(3, "b"))) == ["a", "b"]


@pytest.mark.parametrize("version", [0, 1, 2, 3, 4])
def test_a_replacement_goes_by_position_not_by_number(read, version):
    events = [
        dsh_user(0, "a"),
        dsh_user(1, "b"),
        dsh_user(2, "c"),
        dsh_replace(3, "B", 1, 1, version),
        # The node numbered 3 now stands before the one numbered 2.
        dsh_replace(4, "BC", 3, 2, version, sources=[[2, 3]]),
    ]
    session = read(*events, version=version)
    assert texts(session) == ["a", "BC"]
    assert [message.seq for message in session.messages] == [0, 4]


@pytest.mark.parametrize(("start", "end"), [(1, 0), (0, 9), (9, 0), (None, 0), (-1, 1), (True, 1), ("0", 1)])
def test_a_replacement_of_what_is_not_there_is_refused(read, start, end):
    with pytest.raises(UnreadableSession, match=r"line 4: corrupt: surfaceOp replaces"):
        read(dsh_user(0, "a"), dsh_user(1, "b"), dsh_replace(2, "c", start, end))


@pytest.mark.parametrize(
    "sources", [[1], [[0, 1]], [[0, 10**12]], [[1, 0]], [-1], ["0"], [[0]], [[0, 0, 0]], [None], "0", {}, [0.5], [True]]
)
def test_sources_that_are_not_before_the_event_are_refused(read, sources):
    with pytest.raises(UnreadableSession, match=r"line 3: corrupt: sourceEventSeqs"):
        read(dsh_user(0, "a"), dsh_replace(1, "b", 0, 0, sources=sources))


def test_an_unknown_ignorable_event_has_no_effect_whatever_it_holds(read):
    unknown = dsh_event("x/y", 1, {}, ignorable=True, surfaceOp="append", sourceEventSeqs=[[0, 10**18]])
    session = read(dsh_user(0, "a"), unknown, dsh_user(2, "b"))
    assert texts(session) == ["a", "b"]
    assert session.flags == ("skipped-ignorable",)
    assert session.meta["counts"] == {"skipped-ignorable": 1}


@pytest.mark.parametrize("ignorable", [None, False, "true", 1])
def test_an_unknown_event_that_is_not_ignorable_is_refused(read, ignorable):
    with pytest.raises(UnreadableSession, match="line 2: unknown event 'x/y'"):
        read(dsh_event("x/y", 0, ignorable=ignorable))


def test_every_known_event_is_read(read):
    known = [dsh_event(kind, seq) for seq, kind in enumerate(sorted(KNOWN - SURFACE))]
    assert read(*known).flags == ()


def test_only_messages_change_the_surface(read):
    with pytest.raises(UnreadableSession, match="'turn/start' cannot change the surface"):
        read(dsh_event("turn/start", 0, surfaceOp="append"))
    with pytest.raises(UnreadableSession, match="'user/message' has no valid surfaceOp"):
        read(dsh_user(0, "a", op=None))


@pytest.mark.parametrize("seqs", [(1,), (0, 2), (0, 0), (0, None), (0, "1"), (0, 1.5)])
def test_a_gap_in_the_sequence_is_refused(read, seqs):
    with pytest.raises(UnreadableSession, match=r"corrupt: seq .* was expected"):
        read(*(dsh_user(i, "a") | {"seq": seq} for i, seq in enumerate(seqs)))


def test_packed_rows_count_as_the_events_they_hold_and_are_no_text(read):
    rows = [
        {"type": "text-chunks", "seq0": 0, "time0": 1, "data": {"index": 0, "dt": [1, 1], "texts": ["a", "b", "c"]}},
        {"type": "tool-call-chunks", "seq0": 3, "time0": 1, "data": {"index": 0, "dt": [1], "args": ["{", "}"]}},
        dsh_event("assistant/chunk", 5, {"chunk": {"type": "text-delta", "text": "abc"}}),
        dsh_reply(6, "abc", sourceEventSeqs=[[0, 2], 5]),
    ]
    assert texts(read(*rows, version=1)) == ["abc"]
    with pytest.raises(UnreadableSession, match="seq"):
        read(rows[0] | {"data": {"texts": []}}, *rows[1:], version=1)


def test_time_may_run_backwards(read):
    session = read(dsh_user(0, "a") | {"time": 2000}, dsh_user(1, "b") | {"time": 1000})
    assert [message.time for message in session.messages] == [2.0, 1.0]


def test_title_and_route_are_the_last_ones_told(read):
    session = read(
        dsh_event("session/title", 0, {"title": "First", "messageSeqs": [], "source": {"kind": "user"}}),
        dsh_event("request/context", 1, {"provider": "p0", "model": "m0"}),
        dsh_reply(2, "a"),
        dsh_event("session/title", 3, {"title": "Second"}),
        agentPreset="standard",
    )
    assert session.title == "Second"
    assert session.cwd == "/home/u/p"
    meta = {"version": 4, "created": NOW, "provider": "p", "model": "m", "agent_preset": "standard", "counts": {}}
    assert session.meta == meta


def test_two_records_on_one_line_are_read_and_a_cut_one_is_missed(read):
    raw = lines([dsh_header(), dsh_user(0, "a"), dsh_user(1, "b"), dsh_user(2, "c")]).split(b"\n")
    session = read(raw=b"\n".join([raw[0], raw[1] + raw[2], raw[3], b""]))
    assert texts(session) == ["a", "b", "c"]
    assert session.flags == ("damaged-line",)
    with pytest.raises(UnreadableSession, match=r"line 3: corrupt: seq 2 where 1 was expected"):
        read(raw=b"\n".join([raw[0], raw[1], raw[2][:40] + raw[3], b""]))


def test_an_unfinished_last_line_is_dropped_and_flagged(read):
    raw = lines([dsh_header(), dsh_user(0, "a"), dsh_user(1, "b")])
    for cut in (1, 30):
        session = read(raw=raw[:-cut])
        assert texts(session) == ["a"]
        assert session.flags == ("torn",)


@pytest.mark.parametrize("version", [5, 9, 10**6])
def test_a_later_version_is_newer_not_corrupt(read, version):
    with pytest.raises(UnreadableSession, match="newer harness"):
        read(version=version)


@pytest.mark.parametrize("change", [{"version": "4"}, {"version": None}, {"version": -1}, {"id": ""}, {"id": []}])
def test_a_header_that_says_nothing_is_refused(read, change):
    with pytest.raises(UnreadableSession, match="line 1: the header"):
        read(raw=lines([dsh_header() | change]))


def fork(read: Any, session: str, parent: str, *own: Any, events: list[Any], version: int = 4) -> Session:
    cut = len(events)
    if version >= 2:
        marker = dsh_event("session/end-seed", cut, {"inherited": True})
        return read(*events, marker, *own, id=session, parentSession=parent, isSeeded=True, version=version)
    return read(*events, *own, id=session, parentSession=parent, seedLength=cut, version=version)


def without_ids(events: list[Any]) -> list[Any]:
    def strip(event: Any) -> Any:
        data = event["data"]
        message = {key: value for key, value in data.get("message", data).items() if key != "id"}
        return event | {"data": data | {"message": message} if "message" in data else message}

    return [strip(event) if event["type"] in SURFACE else event for event in events]


@pytest.mark.parametrize("version", [0, 1, 2, 3, 4])
@pytest.mark.parametrize("strip", [list, without_ids])
def test_a_fork_shares_its_trunk_and_nothing_else(read, version, strip):
    events = strip([dsh_user(0, "The DB is MySQL."), dsh_reply(1, "OK.")])
    same = dsh_user(3 if version >= 2 else 2, "OK.")
    parent = read(*events, *strip([dsh_user(2, "OK.")]), id="a", version=version)
    child = fork(
        read, "b", "a", *strip([same | {"data": same["data"] | {"id": "own"}}]), events=events, version=version
    )
    assert child.parent == "a"
    keys = [message.key for message in parent.messages]
    assert [message.key in keys for message in child.messages] == [True, True, False]


def test_a_fork_of_a_fork_without_ids_is_traced_through_its_parent(read):
    events = without_ids([dsh_user(0, "The DB is MySQL."), dsh_reply(1, "OK.")])
    a = read(*events, id="a")
    b = fork(read, "b", "a", *without_ids([dsh_user(3, "More.")]), events=events)
    inherited = [*events, dsh_event("session/end-seed", 2, {"inherited": True}), *without_ids([dsh_user(3, "More.")])]
    c = fork(read, "c", "b", *without_ids([dsh_user(5, "Last.")]), events=inherited)
    a, b, c = resolve([a, b, c])
    assert [message.key for message in c.messages[:2]] == [message.key for message in a.messages]
    assert [message.key for message in c.messages[:3]] == [message.key for message in b.messages]


def test_a_subagent_is_no_fork_of_the_session_that_called_it(read):
    session = read(dsh_user(0, "Do it."), parentSession="a", origin="subagent", delegationDepth=1)
    assert session.parent is None
    assert session.meta["delegated_by"] == "a"


def directory(folder: Path, **files: bytes) -> Path:
    for name, raw in files.items():
        (folder / name.replace("__", ".")).write_bytes(raw)
    return folder


def log(text: str, version: int = 4) -> list[Any]:
    return [dsh_header(version=version), dsh_user(0, text)]


def test_the_highest_generation_is_the_session(tmp_path):
    directory(
        tmp_path,
        session__jsonl=lines(log("v0", 0)),
        session__v2__jsonl=lines(log("v2", 2)),
        session__v3__jsonl__zstd=frames(log("v3", 3)),
        session__v04__jsonl=b"not a generation",
        session__v9__jsonl__tmp=b"a temporary file",
    )
    assert texts(read_session(tmp_path)) == ["v3"]


def test_a_generation_of_a_newer_harness_is_an_error_though_an_older_one_is_there(tmp_path):
    directory(tmp_path, session__v4__jsonl=lines(log("v4")), session__v5__jsonl=b"{}")
    with pytest.raises(UnreadableSession, match="format version 5: written by a newer harness"):
        read_session(tmp_path)


def test_two_encodings_of_the_newest_generation_are_an_error(tmp_path):
    directory(tmp_path, session__v4__jsonl=lines(log("a")), session__v4__jsonl__zstd=frames(log("b")))
    with pytest.raises(UnreadableSession, match="both claim to be the newest generation"):
        read_session(tmp_path)


def test_a_directory_without_a_log_is_an_error(tmp_path):
    with pytest.raises(UnreadableSession, match="a directory without a session log"):
        read_session(tmp_path)
