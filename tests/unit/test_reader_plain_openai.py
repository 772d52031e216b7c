"""Our own format and chat messages: what may be written by hand, and what is told when it is wrong."""

from __future__ import annotations

import json
from typing import Any

import pytest

from beliefmerge.algebra.evidence import Evidence, Trust
from beliefmerge.errors import UnreadableSession
from beliefmerge.session.model import Channel, Session
from beliefmerge.session.readers import read_session, read_sessions
from tests.builders import TALK, lines, openai, plain


@pytest.fixture
def read(tmp_path):
    def from_json(*documents: Any, indent: int | None = None) -> Session:
        path = tmp_path / "file"
        path.write_text(json.dumps(documents[0], indent=indent))
        return read_session(path)

    return from_json


def said(channel: str, text: Any, **more: Any) -> Any:
    return {"channel": channel, "text": text} | more


def claim(**more: Any) -> Any:
    return {"id": "a", "claims": [{"key": "k", "value": "v"} | more]}


def test_messages_and_claims_may_stand_together(read):
    session = read(
        {"id": 7, "title": "T", "cwd": "/p", "messages": [said("user", "Hi.", id=3, time=60)]}
        | {"claims": claim()["claims"]}
    )
    assert (session.id, session.title, session.cwd) == ("7", "T", "/p")
    (message,) = session.messages
    assert (message.id, message.time, message.seq, message.session) == ("3", 60.0, 0, "7")
    assert session.claims[0].seq == 1


def test_an_unknown_channel_gets_the_nearest_match(read):
    with pytest.raises(UnreadableSession, match=r"messages\[1\]: unknown channel 'usr'; did you mean 'user'\?"):
        read({"id": "a", "messages": [said("user", "x"), said("usr", "x")]})
    with pytest.raises(UnreadableSession, match=r"claims\[0\]: unknown channel 'tools'; did you mean 'tool'\?"):
        read(claim(channel="tools"))


def test_text_of_any_type_is_taken_and_blank_text_is_no_message(read):
    texts = ["a", 5, True, None, "", " \n", {"0": "x", "1": "y"}, ["p", "q"]]
    session = read({"id": "a", "messages": [said("user", text) for text in texts]})
    assert [(message.seq, message.text) for message in session.messages] == [
        (0, "a"),
        (1, "5"),
        (2, "true"),
        (6, "xy"),
        (7, "p\nq"),
    ]


@pytest.mark.parametrize(
    ("given", "channel", "evidence"),
    [
        ({}, Channel.MODEL, Evidence.INFERRED),
        ({"evidence": 4}, Channel.USER, Evidence.USER_STATED),
        ({"evidence": 3}, Channel.TOOL, Evidence.TOOL_VERIFIED),
        ({"evidence": 2}, Channel.MODEL, Evidence.INFERRED),
        ({"evidence": 1}, Channel.REASONING, Evidence.SPECULATIVE),
        ({"channel": "user"}, Channel.USER, Evidence.USER_STATED),
        ({"channel": "injected"}, Channel.INJECTED, Evidence.SPECULATIVE),
        ({"channel": "user", "evidence": 2}, Channel.USER, Evidence.INFERRED),
        ({"channel": "injected", "evidence": 4}, Channel.INJECTED, Evidence.SPECULATIVE),
    ],
)
def test_channel_and_evidence_of_a_claim_follow_from_each_other(read, given, channel, evidence):
    session = read(claim(**given))
    assert (session.claims[0].channel, session.claims[0].evidence) == (channel, evidence)
    assert session.flags == (("evidence-capped",) if given.get("evidence", 0) > evidence else ())


@pytest.mark.parametrize("evidence", [0, 5, "4", 2.5, True, []])
def test_evidence_out_of_range_is_refused(read, evidence):
    with pytest.raises(UnreadableSession, match=r"claims\[0\]: evidence is not a whole number from 1 to 4"):
        read(claim(evidence=evidence))


@pytest.mark.parametrize(("stated", "trust"), [(None, None), (0, 0), (1, 1), (2, 1)])
def test_trust_in_a_file_can_only_lower(read, stated, trust):
    session = read({"id": "a", "trust": stated, "current": True, "messages": [said("user", "x")]})
    assert session.trust == (None if trust is None else Trust(trust))


@pytest.mark.parametrize("trust", [-1, 3, "2", True])
def test_trust_out_of_range_is_refused(read, trust):
    with pytest.raises(UnreadableSession, match="trust is not a whole number from 0 to 2"):
        read({"id": "a", "trust": trust, "messages": [said("user", "x")]})


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        (None, ()),
        ([], ()),
        ("p", ((("p", None),),)),
        (["p"], ((("p", None),),)),
        (["p", "q"], ((("p", None), ("q", None)),)),
        ([["p"], ["q"]], ((("p", None),), (("q", None),))),
        ([["p", {"key": "q", "value": 3}]], ((("p", None), ("q", "3")),)),
        ([{"key": "p"}, {"key": "q", "value": True}], ((("p", None), ("q", "yes")),)),
        ([["p"], []], ((("p", None),), ())),
    ],
)
def test_a_flat_list_of_premises_is_one_conjunction_and_a_list_of_lists_alternatives(read, written, meant):
    assert read(claim(derived_from=written)).claims[0].derived_from == meant


@pytest.mark.parametrize(
    "written", [["p", ["q"]], [[["p"]]], [5], [None], [{}], [{"key": ""}], [{"key": "p", "value": []}]]
)
def test_premises_that_can_be_read_in_two_ways_are_refused(read, written):
    with pytest.raises(UnreadableSession, match=r"claims\[0\]: .*(derived_from|premise)"):
        read(claim(derived_from=written))


@pytest.mark.parametrize("value", [("a", "a"), (5, "5"), (True, "yes"), (False, "no")])
def test_values_may_be_numbers_and_booleans(read, value):
    written, meant = value
    session = read(claim(value=written, denied=True, multi=True, type="Decision"))
    made = session.claims[0]
    assert (made.value, made.denied, made.multi, made.type) == (meant, True, True, "Decision")


@pytest.mark.parametrize(
    "wrong", [{"key": None}, {"key": ""}, {"value": None}, {"value": []}, {"denied": "no"}, {"type": 5}]
)
def test_a_claim_that_says_nothing_is_refused_with_its_place(read, wrong):
    with pytest.raises(UnreadableSession, match=r"claims\[0\]"):
        read(claim(**wrong))


@pytest.mark.parametrize(
    ("document", "cause"),
    [
        ({"messages": [said("user", "x")]}, "no id"),
        ({"id": "a", "claims": [], "messages": {}}, "messages is not a list"),
        ({"id": "a", "claims": [5]}, r"claims\[0\] is not an object"),
        ({"id": "a", "messages": [said("user", "x"), {"text": "x"}]}, r"messages\[1\] has no channel"),
    ],
)
def test_what_is_missing_is_named(read, document, cause):
    for indent in (None, 1):
        with pytest.raises(UnreadableSession, match=cause):
            read(document, indent=indent)


def test_an_object_a_line_is_a_session_a_line(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(lines([plain(TALK, "a"), claim() | {"id": "b"}]))
    assert [session.id for session in read_sessions(path)] == ["a", "b"]
    path.write_bytes(lines([plain(TALK, "a"), claim(evidence=9) | {"id": "b"}]))
    with pytest.raises(UnreadableSession, match="line 2: claims"):
        read_sessions(path)


def test_a_message_told_twice_is_one_and_one_id_with_two_texts_is_two(read):
    messages = [said("user", "x", id="m"), said("user", "x", id="m"), said("user", "y", id="m"), said("user", "x")]
    session = read({"id": "a", "messages": messages})
    assert [message.text for message in session.messages] == ["x", "y", "x"]
    assert session.flags == ("conflicting-id", "duplicate-message")


def test_chat_messages_have_the_channel_of_their_role(read):
    messages = [
        {"role": "system", "content": "Be brief."},
        {
            "role": "user",
            "content": [{"type": "text", "text": "Look."}, {"type": "image_url", "image_url": {"url": "x"}}],
        },
        {
            "role": "assistant",
            "content": None,
            "tool_calls": [{"id": "c", "function": {"name": "ls", "arguments": "{}"}}],
        },
        {"role": "assistant", "content": "", "function_call": {"name": "ls", "arguments": {"a": 1}}},
        {"role": "tool", "tool_call_id": "c", "content": [{"type": "text", "text": "a.py"}]},
        {"role": "assistant", "reasoning_content": "Think.", "content": [{"type": "refusal", "refusal": "No."}]},
        {
            "role": "assistant",
            "content": [{"type": "thinking", "thinking": "More."}, {"type": "output_text", "text": "Yes."}],
        },
        {"role": "stranger", "content": "Who?"},
        5,
    ]
    session = read({"messages": messages})
    assert [(m.seq, b.channel, b.text, b.kind) for m in session.messages for b in m.blocks] == [
        (0, Channel.INJECTED, "Be brief.", "text"),
        (1, Channel.USER, "Look.", "text"),
        (2, Channel.MODEL, "ls {}", "tool-call"),
        (3, Channel.MODEL, 'ls {"a":1}', "tool-call"),
        (4, Channel.TOOL, "a.py", "text"),
        (5, Channel.REASONING, "Think.", "text"),
        (5, Channel.MODEL, "No.", "text"),
        (6, Channel.REASONING, "More.", "text"),
        (6, Channel.MODEL, "Yes.", "text"),
        (7, Channel.INJECTED, "Who?", "text"),
    ]
    assert session.meta["counts"] == {"skipped-message": 1, "unknown-role": 1}


def test_the_same_chat_is_one_session_wherever_it_lies_and_however_it_is_written(tmp_path):
    chat = openai(TALK)
    files = [
        json.dumps(chat),
        json.dumps(chat, indent=2),
        json.dumps(chat["messages"]),
        json.dumps(chat["messages"], indent=1),
        "\n".join(map(json.dumps, chat["messages"])),
    ]
    ids, keys = set(), set()
    for i, text in enumerate(files):
        (tmp_path / f"{i}").write_text(text)
        session = read_session(tmp_path / f"{i}")
        ids.add(session.id)
        keys.add(tuple(message.key for message in session.messages))
    assert len(ids) == len(keys) == 1
    (tmp_path / "other").write_text(json.dumps(openai([*TALK, ("user", "More.")])))
    other = read_session(tmp_path / "other")
    assert other.id not in ids
    assert not {message.key for message in other.messages} & set(*keys)


def test_an_id_in_the_file_names_the_session(read):
    assert read(openai(TALK, "chat-1")).id == "chat-1"
    assert read(openai(TALK) | {"conversation_id": 5, "title": "T"}).id == "5"


def test_lines_that_are_conversations_are_several_sessions(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(lines([openai(TALK, "a"), openai(TALK[:2])["messages"], openai(TALK, "c")]))
    sessions = read_sessions(path)
    assert [len(session.messages) for session in sessions] == [7, 2, 7]
    assert read_session(path, branch="c").id == "c"
    with pytest.raises(UnreadableSession, match="holds 3 conversations"):
        read_session(path)


def test_a_line_that_is_neither_is_refused(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(lines([openai(TALK, "a"), openai(TALK, "b"), {"x": 1}]))
    with pytest.raises(UnreadableSession, match="line 3: neither a message nor a conversation"):
        read_sessions(path)
