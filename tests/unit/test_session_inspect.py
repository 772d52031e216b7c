"""The report of what was read, as JSON and for a terminal."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace

import pytest

from beliefmerge.session.inspect import describe, describe_text
from beliefmerge.session.model import Block
from tests.builders import build, chatgpt_conversation, chatgpt_node, claude_call, claude_reply, claude_user, lines


def test_a_message_has_a_row_for_each_run_of_one_channel(tmp_path):
    path = tmp_path / "c.jsonl"
    thinking = {"type": "thinking", "thinking": "Hm."}
    parts = ["One.", claude_call("t1"), "Two.", thinking, "Three."]
    records = [claude_user("u0", None, "Go.")]
    records += [claude_reply(f"u{i}", f"u{i - 1}", part, "m1", i) for i, part in enumerate(parts, 1)]
    path.write_bytes(lines(records))
    report = describe(path)
    assert report["message_count"] == 2
    assert [(row["id"], row["channel"], row["text"], row["seq"]) for row in report["messages"]] == [
        ("u0", "user", "Go.", 0),
        ("m1", "model", "One.\nTwo.", 1),
        ("m1", "reasoning", "Hm.", 1),
        ("m1", "model", "Three.", 1),
    ]
    assert report["format"] == "claude_code"
    assert report["branches"] == 1
    assert report["flags"] == []
    assert report["secrets"] == {}


def test_a_message_without_an_id_is_named_by_its_place(tmp_path):
    path = tmp_path / "k.jsonl"
    path.write_bytes(build("codex", [("user", "Go.")], "k-1"))
    assert describe(path)["messages"][0]["id"] == "k-1#0"


def test_secrets_are_counted_by_kind_and_their_values_shown_nowhere(tmp_path):
    path = tmp_path / "a.json"
    path.write_bytes(build("plain", [("tool", "export API_TOKEN=zz_test_4f9a8b7c6d5e4f3a2b1c"), ("user", "Go.")], "a"))
    report = describe(path)
    assert sum(report["secrets"].values()) == 1
    for text in (json.dumps(report), describe_text(report)):
        assert "zz_test_4f9a8b7c6d5e4f3a2b1c" not in text
        assert "REDACTED" in text


def test_redaction_is_what_the_caller_says(tmp_path):
    path = tmp_path / "a.json"
    path.write_bytes(build("plain", [("user", "Go.")], "a"))

    def hide(sessions):
        messages = [replace(m, blocks=tuple(Block(b.channel, "***") for b in m.blocks)) for m in sessions[0].messages]
        return [replace(sessions[0], messages=tuple(messages))], Counter(word=1)

    report = describe(path, redact=hide)
    assert report["messages"][0]["text"] == "***"
    assert report["secrets"] == {"word": 1}


def test_branches_are_listed_and_can_be_chosen(tmp_path):
    nodes = [chatgpt_node("n1", None, text="A"), chatgpt_node("n2", "n1", text="B"), chatgpt_node("n3", "n1", text="C")]
    path = tmp_path / "g.json"
    path.write_text(json.dumps([chatgpt_conversation(nodes, "n2")]))
    report = describe(path)
    assert (report["branch"], report["branches"], report["branch_names"]) == ("n2", 2, ["n2", "n3"])
    assert "branch n2 of 2: n2, n3" in describe_text(report)
    assert [row["text"] for row in describe(path, branch="n3")["messages"]] == ["A", "C"]


def test_the_text_is_safe_to_print_and_says_what_was_mended(tmp_path):
    path = tmp_path / "c.jsonl"
    path.write_bytes(lines([claude_user("u1", "gone", "\x1b[2J\u202e first\nsecond " + "x" * 500)]))
    text = describe_text(describe(path))
    assert all(character.isprintable() or character == "\n" for character in text)
    assert "\\x1b[2J\\u202e first second xxx" in text
    assert "skipped or mended: orphan-parent (1)" in text
    assert "secrets: none" in text
    assert max(map(len, text.splitlines())) < 160


@pytest.mark.parametrize("form", ["plain", "codex", "dsh", "openai"])
def test_the_report_is_json(tmp_path, form):
    path = tmp_path / "file"
    path.write_bytes(build(form))
    report = describe(path)
    assert json.loads(json.dumps(report)) == report
    assert {"format", "branches", "message_count", "messages", "flags", "secrets"} <= set(report)
    assert describe_text(report).startswith(f"{form} session ")


def test_claims_given_as_data_are_counted(tmp_path):
    path = tmp_path / "a.json"
    path.write_text(json.dumps({"id": "a", "claims": [{"key": "k", "value": "v"}]}))
    assert "0 messages, 1 claims given as data" in describe_text(describe(path))
