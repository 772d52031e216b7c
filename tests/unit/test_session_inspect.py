"""The report of what was read, as JSON and for a terminal."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from beliefmerge.session import parts
from beliefmerge.session.inspect import describe, describe_text, inspect, rows
from beliefmerge.session.readers import read_session
from beliefmerge.session.redact import redact
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


def test_a_file_of_several_conversations_is_listed(tmp_path):
    path = tmp_path / "g.json"
    talks = [chatgpt_conversation([chatgpt_node("n1", None, text="A")], "n1", name) for name in ("g-1", "g-2")]
    talks[1]["title"] = "export API_TOKEN=zz_test_4f9a8b7c6d5e4f3a2b1c"
    path.write_text(json.dumps(talks))
    report = describe(path)
    assert report["conversations"][0] == {"id": "g-1", "title": "Ports", "message_count": 1, "branches": 1}
    assert "chatgpt file of 2 conversations: FILE#ID chooses one\n  g-1  1 message  Ports" in describe_text(report)
    assert "zz_test" not in json.dumps(report)
    assert describe(path, branch="g-2")["message_count"] == 1


SECRETS = ("zz_test_4f9a8b7c6d5e4f3a2b1c", "zz_test_9d8c7b6a5f4e3d2c1b0a")
SAID = st.sampled_from(
    [
        "Go.",
        *SECRETS,
        *(f"export API_TOKEN={s}" for s in SECRETS),
        f"Bearer {SECRETS[0]}API_TOKEN={SECRETS[1]}",
        "a" * 50,
    ]
)


@settings(max_examples=60)
@given(st.lists(st.tuples(st.sampled_from(["user", "tool", "model"]), SAID), max_size=8), st.integers(1, 80))
def test_a_session_redacted_in_parts_is_redacted_as_a_whole(tmp_path_factory, talk, part):
    path = tmp_path_factory.getbasetemp() / "parts.json"
    path.write_bytes(build("plain", talk, "a"))
    (whole,), counts = redact([read_session(path)])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(parts, "PART", part)
        report = describe(path)
    assert report["messages"] == [row for message in whole.messages for row in rows(message)]
    assert report["secrets"] == dict(sorted(counts.items()))


def test_the_report_is_printed_in_pieces_that_are_json(tmp_path):
    for talk in ([], [("user", "Go."), ("model", "[]")]):
        path = tmp_path / "a.json"
        path.write_bytes(build("plain", talk, "a"))
        assert json.loads("".join(inspect(path).json())) == describe(path)
        assert "\n".join(inspect(path).text()) == describe_text(describe(path))
