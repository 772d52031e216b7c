"""Codex rollouts: what is told twice, what is taken back, and what a fork replays."""

from __future__ import annotations

import json
from typing import Any

import pytest

from beliefmerge.session.lineage import resolve
from beliefmerge.session.model import Channel, Session
from beliefmerge.session.readers import read_session
from tests.builders import codex_meta, codex_record, codex_said, codex_turn, lines


@pytest.fixture
def read(tmp_path):
    def from_records(*records: Any) -> Session:
        path = tmp_path / "rollout"
        path.write_bytes(lines(records))
        return read_session(path)

    return from_records


def blocks(session: Session) -> list[tuple[Channel, str]]:
    return [(block.channel, block.text) for message in session.messages for block in message.blocks]


def item(kind: str, **more: Any) -> Any:
    return codex_record("response_item", {"type": kind} | more)


def test_items_have_the_channel_of_what_they_are(read):
    session = read(
        codex_meta(),
        codex_said("developer", "Be brief."),
        codex_said("user", "Go."),
        item("reasoning", summary=[{"type": "summary_text", "text": "Think."}], content=None, encrypted_content="x"),
        item("function_call", name="shell", arguments='{"command":["ls"]}', call_id="c"),
        item("function_call_output", call_id="c", output="a.py"),
        item("function_call_output", call_id="c", output={"content": "b.py", "success": True}),
        item("function_call_output", call_id="c", output=json.dumps({"output": "c.py", "metadata": {"exit_code": 0}})),
        item("custom_tool_call", name="apply_patch", input="*** Begin", call_id="d"),
        item("custom_tool_call_output", call_id="d", output=[{"type": "input_text", "text": "Done."}]),
        item("web_search_call", action={"query": "x"}),
        codex_record("compacted", {"message": "Earlier: A."}),
        codex_said("assistant", "Went."),
    )
    assert blocks(session) == [
        (Channel.INJECTED, "Be brief."),
        (Channel.USER, "Go."),
        (Channel.REASONING, "Think."),
        (Channel.MODEL, 'shell {"command":["ls"]}'),
        (Channel.TOOL, "a.py"),
        (Channel.TOOL, "b.py"),
        (Channel.TOOL, "c.py"),
        (Channel.MODEL, "apply_patch *** Begin"),
        (Channel.TOOL, "Done."),
        (Channel.INJECTED, "Earlier: A."),
        (Channel.MODEL, "Went."),
    ]
    assert all(message.id is None for message in session.messages)


@pytest.mark.parametrize(
    "text", ["<environment_context>\nx", "<turn_aborted>", "# AGENTS.md instructions for /p\n\n<INSTRUCTIONS>"]
)
def test_what_the_harness_puts_into_the_users_mouth_is_injected(read, text):
    assert blocks(read(codex_meta(), codex_said("user", text))) == [(Channel.INJECTED, text)]


def test_turns_that_were_taken_back_are_out(read):
    session = read(
        codex_meta(),
        codex_said("user", "One."),
        codex_said("assistant", "Yes."),
        codex_said("user", "Two."),
        codex_said("assistant", "No."),
        codex_record("event_msg", {"type": "thread_rolled_back", "num_turns": 1}),
        codex_said("user", "Three."),
    )
    assert [text for _, text in blocks(session)] == ["One.", "Yes.", "Three."]
    assert session.flags == ("rolled-back",)
    gone = read(
        codex_meta(),
        codex_said("user", "One."),
        codex_record("event_msg", {"type": "thread_rolled_back", "num_turns": 9}),
    )
    assert gone.messages == ()


def test_a_rollout_of_the_first_layout_is_read(read):
    head = {"id": "k-0", "timestamp": "2025-06-01T10:00:00.000Z", "instructions": None}
    said = {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "Go."}]}
    session = read(head, {"record_type": "state"}, said, {"type": "reasoning", "summary": []})
    assert (session.id, blocks(session)) == ("k-0", [(Channel.USER, "Go.")])


BEFORE, AFTER = "019a0000-0000-7000-8000-000000000001", "019b0000-0000-7000-8000-000000000002"
CHILD = "019a8000-0000-7000-8000-000000000003"


def parent(turn: str = BEFORE) -> list[Any]:
    return [codex_turn(turn), codex_said("user", "The DB is MySQL."), codex_said("assistant", "OK.")]


@pytest.mark.parametrize(
    ("child", "old", "new", "later"),
    [
        (CHILD, BEFORE, AFTER, 0),
        ("k-2", "turn-a", "turn-b", 30),
        ("k-2", "turn-a", "turn-b", 0),
        (CHILD, "turn-a", "turn-b", 0),
    ],
)
def test_a_fork_shares_what_it_replays_and_nothing_else(read, child, old, new, later):
    first = read(codex_meta("k-1"), *parent(old), codex_said("user", "OK."))
    fork = read(
        codex_meta(child, forked_from_id="k-1"),
        codex_meta("k-1"),
        *parent(old),
        codex_turn(new, later),
        codex_said("user", "OK.", later),
        codex_said("assistant", "OK.", later),
    )
    assert (fork.id, fork.parent) == (child, "k-1")
    keys = {message.key for message in first.messages}
    assert [message.key in keys for message in fork.messages] == [True, True, False, False]


def test_a_replay_of_many_turns_ends_where_the_forks_own_begin(read):
    second = "019a4000-0000-7000-8000-000000000009"
    told = [*parent(), codex_turn(second), codex_said("user", "And TTL is 60.")]
    first = read(codex_meta("k-1"), *told)
    fork = read(codex_meta(CHILD, forked_from_id="k-1"), *told, codex_turn(AFTER), codex_said("user", "Own."))
    assert [message.key for message in fork.messages[:3]] == [message.key for message in first.messages]
    assert fork.messages[3].origin is None


def test_a_fork_that_replays_nothing_has_messages_of_its_own(read):
    fork = read(codex_meta(CHILD, forked_from_id="k-1"), codex_turn(AFTER), codex_said("user", "Own."))
    assert [message.origin for message in fork.messages] == [None]


def test_a_fork_that_only_replays_is_its_parents_history(read):
    fork = read(codex_meta(CHILD, forked_from_id="k-1"), *parent())
    assert [message.origin for message in fork.messages] == ["k-1#0", "k-1#1"]


def test_the_fork_of_a_fork_is_traced_to_the_first_telling(read):
    third, later = "019c0000-0000-7000-8000-000000000003", "019d0000-0000-7000-8000-000000000004"
    a = read(codex_meta("k-1"), *parent())
    own = [codex_turn(AFTER), codex_said("user", "More.")]
    b = read(codex_meta(CHILD, forked_from_id="k-1"), *parent(), *own)
    c = read(codex_meta(third, forked_from_id=CHILD), *parent(), *own, codex_turn(later), codex_said("user", "Last."))
    a, b, c = resolve([a, b, c])
    assert [m.key for m in c.messages[:2]] == [m.key for m in a.messages]
    assert [m.key for m in c.messages[:3]] == [m.key for m in b.messages]
