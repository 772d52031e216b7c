"""Exports of ChatGPT and Claude.ai: trees of messages, many conversations in a file."""

from __future__ import annotations

import json
from typing import Any

import pytest

from beliefmerge.errors import UnreadableSession
from beliefmerge.session.model import Channel, Session
from beliefmerge.session.readers import read_session, read_sessions
from tests.builders import chatgpt_conversation, chatgpt_node, claude_ai_row


@pytest.fixture
def read(tmp_path):
    def from_document(document: Any) -> list[Session]:
        path = tmp_path / "export"
        path.write_text(json.dumps(document))
        return read_sessions(path)

    return from_document


def texts(session: Session) -> list[str]:
    return [message.text for message in session.messages]


def blocks(session: Session) -> list[tuple[Channel, str]]:
    return [(block.channel, block.text) for message in session.messages for block in message.blocks]


TREE = [
    {"id": "root", "parent": None, "children": ["n1"], "message": None},
    chatgpt_node("n1", "root", "user", "Pick a DB."),
    chatgpt_node("n2", "n1", "assistant", "MySQL."),
    chatgpt_node("n3", "n1", "assistant", "PostgreSQL."),
    {"id": "n4", "parent": "n3", "children": ["n5"], "message": None},
    chatgpt_node("n5", "n4", "user", "Good."),
]


@pytest.mark.parametrize("current", ["n5", None])
def test_the_active_branch_runs_up_from_the_current_node(read, current):
    active, other = read(chatgpt_conversation(TREE, current))
    assert texts(active) == ["Pick a DB.", "PostgreSQL.", "Good."]
    assert texts(other) == ["Pick a DB.", "MySQL."]
    assert active.messages[0] is other.messages[0]


def test_the_current_node_may_be_an_inner_one(read):
    sessions = read(chatgpt_conversation(TREE, "n4"))
    assert [texts(session)[1:] for session in sessions] == [["PostgreSQL."], ["PostgreSQL.", "Good."], ["MySQL."]]


def test_children_are_not_needed_and_parents_can_be_made_up_from_them(read):
    bare = [{key: value for key, value in node.items() if key != "children"} for node in TREE]
    assert texts(read(chatgpt_conversation(bare, "n5"))[0]) == ["Pick a DB.", "PostgreSQL.", "Good."]
    kin = {"root": ["n1"], "n1": ["n2", "n3"], "n3": ["n4"], "n4": ["n5"]}
    downward = [
        {key: value for key, value in node.items() if key != "parent"} | {"children": kin.get(node["id"], [])}
        for node in TREE
    ]
    assert texts(read(chatgpt_conversation(downward, "n5"))[0]) == ["Pick a DB.", "PostgreSQL.", "Good."]


def test_lost_and_circular_parents_are_mended_and_flagged(read):
    nodes = [chatgpt_node("a", "gone", text="A."), chatgpt_node("b", "c", text="B."), chatgpt_node("c", "b", text="C.")]
    sessions = read(chatgpt_conversation(nodes, "nowhere"))
    assert {text for session in sessions for text in texts(session)} == {"A.", "B.", "C."}
    assert sessions[0].flags == ("lost-current-node", "orphan-parent", "parent-cycle")


def test_content_of_every_kind_is_read_or_passed_over(read):
    image = {"content_type": "image_asset_pointer", "asset_pointer": "file-service://x"}
    spoken = {"content_type": "audio_transcription", "text": "Spoken."}
    contents: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
        (
            "user",
            {"content_type": "user_editable_context", "user_profile": "Likes tea.", "user_instructions": "Be brief."},
            {},
        ),
        (
            "user",
            {"content_type": "text", "parts": ["Hidden."]},
            {"metadata": {"is_visually_hidden_from_conversation": True}},
        ),
        ("user", {"content_type": "multimodal_text", "parts": [image, "Look.", spoken]}, {}),
        ("user", {"content_type": "text", "parts": {"0": "numeric ", "1": "keys"}}, {}),
        ("assistant", {"content_type": "code", "text": "search()"}, {"recipient": "web"}),
        ("assistant", {"content_type": "code", "text": "print(1)"}, {}),
        ("assistant", {"content_type": "thoughts", "thoughts": [{"summary": "s", "content": "Think."}, None]}, {}),
        ("assistant", {"content_type": "text", "parts": ["Analysed."]}, {"channel": "analysis"}),
        ("tool", {"content_type": "execution_output", "text": "1"}, {}),
        ("tool", {"content_type": "tether_browsing_display", "result": "Found.", "summary": None}, {}),
        ("assistant", {"content_type": "text", "parts": [None, 5, ""]}, {}),
        ("stranger", {"content_type": "text", "parts": ["Who?"]}, {}),
        ("assistant", None, {}),
    ]
    nodes = [
        chatgpt_node(f"n{i}", f"n{i - 1}" if i else None, role, content=content, **more)
        for i, (role, content, more) in enumerate(contents)
    ]
    (session,) = read(chatgpt_conversation(nodes, f"n{len(nodes) - 1}"))
    assert blocks(session) == [
        (Channel.INJECTED, "Likes tea."),
        (Channel.INJECTED, "Be brief."),
        (Channel.INJECTED, "Hidden."),
        (Channel.USER, "Look."),
        (Channel.USER, "Spoken."),
        (Channel.USER, "numeric keys"),
        (Channel.MODEL, "web search()"),
        (Channel.MODEL, "print(1)"),
        (Channel.REASONING, "Think."),
        (Channel.REASONING, "Analysed."),
        (Channel.TOOL, "1"),
        (Channel.TOOL, "Found."),
        (Channel.MODEL, "5"),
        (Channel.INJECTED, "Who?"),
    ]
    assert session.messages[4].blocks[0].kind == "tool-call"


def export(*names: str) -> list[Any]:
    return [chatgpt_conversation([chatgpt_node(f"{name}-1", None, text=name)], None, name) for name in names]


def test_a_file_of_many_conversations_wants_one_named(tmp_path):
    path = tmp_path / "conversations.json"
    path.write_text(json.dumps([*export("g-one", "g-two"), {"mapping": None}]))
    assert [session.id for session in read_sessions(path)] == ["g-one", "g-two"]
    with pytest.raises(
        UnreadableSession, match=r"holds 2 conversations; name one as the branch \(known: g-one, g-two\)"
    ):
        read_session(path)
    assert texts(read_session(path, branch="g-two")) == ["g-two"]
    assert texts(read_session(path, branch="g-o")) == ["g-one"]
    with pytest.raises(UnreadableSession, match="several branches begin with 'g-'"):
        read_session(path, branch="g-")
    with pytest.raises(UnreadableSession, match="unknown branch 'g_two'; did you mean 'g-two'"):
        read_session(path, branch="g_two")
    with pytest.raises(UnreadableSession, match="unknown branch ''"):
        read_session(path, branch="")


def test_an_export_without_a_conversation_is_empty(read):
    with pytest.raises(UnreadableSession, match=r"unknown session format|empty"):
        read([])


def row(uuid: str, parent: str | None, sender: str, text: str, **more: Any) -> Any:
    return claude_ai_row(uuid, parent, sender, [{"type": "text", "text": text}]) | more


def test_branches_of_claude_ai_follow_the_parents(read):
    rows = [
        row("r1", None, "human", "Pick a DB."),
        row("r2", "r1", "assistant", "MySQL."),
        row("r3", "r1", "assistant", "PostgreSQL."),
    ]
    conversation = {"uuid": "w-1", "name": "DB", "chat_messages": rows}
    first, second = read([conversation | {"current_leaf_message_uuid": "r2"}])
    assert (texts(first), texts(second)) == (["Pick a DB.", "MySQL."], ["Pick a DB.", "PostgreSQL."])
    assert (first.title, first.branch, first.branches) == ("DB", "r2", 2)
    assert texts(read([conversation])[0]) == ["Pick a DB.", "PostgreSQL."]


def test_an_older_export_without_parents_is_one_thread(read):
    rows = [
        {"uuid": f"r{i}", "sender": s, "text": t} for i, (s, t) in enumerate([("human", "A?"), ("assistant", "B.")])
    ]
    (session,) = read([{"uuid": "w-1", "name": "", "chat_messages": [*rows, None, rows[0]]}])
    assert texts(session) == ["A?", "B."]
    assert session.flags == ("duplicate-message", "skipped-message")
    assert session.title is None


def test_parts_of_claude_ai_have_the_channel_of_what_they_are(read):
    parts = [
        {"type": "thinking", "thinking": "Think."},
        {"type": "tool_use", "name": "search", "input": {"q": "x"}},
        {"type": "tool_result", "content": [{"type": "text", "text": "Found."}]},
        {"type": "text", "text": "Say."},
        {"type": "token_budget"},
    ]
    rows = [
        claude_ai_row("r1", None, "human", [{"type": "text", "text": "Read it."}])
        | {"attachments": [{"extracted_content": "The port is 1."}]},
        claude_ai_row("r2", "r1", "assistant", parts),
    ]
    (session,) = read([{"uuid": "w-1", "name": "x", "chat_messages": rows}])
    assert blocks(session) == [
        (Channel.USER, "Read it."),
        (Channel.INJECTED, "The port is 1."),
        (Channel.REASONING, "Think."),
        (Channel.MODEL, 'search {"q":"x"}'),
        (Channel.TOOL, "Found."),
        (Channel.MODEL, "Say."),
    ]
