"""Claude Code transcripts: what is one message, what is a branch, and who spoke."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from beliefmerge.errors import UnreadableSession
from beliefmerge.session.model import Channel, Session
from beliefmerge.session.readers import read_session, read_sessions
from tests.builders import claude_call, claude_record, claude_reply, claude_result, claude_user, lines


@pytest.fixture
def read(tmp_path):
    def from_records(*records: Any, raw: bytes | None = None) -> list[Session]:
        path = tmp_path / "transcript"
        path.write_bytes(raw if raw is not None else lines(records))
        return read_sessions(path)

    return from_records


def texts(session: Session) -> list[str]:
    return [message.text for message in session.messages]


def blocks(session: Session) -> list[tuple[Channel, str]]:
    return [(block.channel, block.text) for message in session.messages for block in message.blocks]


def test_lines_of_one_reply_are_one_message_though_results_stand_between(read):
    (session,) = read(
        claude_user("u1", None, "Look."),
        claude_reply("u2", "u1", claude_call("t1"), "m1"),
        claude_reply("u3", "u2", claude_call("t2"), "m1"),
        claude_result("u4", "u2", "t1", "one"),
        claude_reply("u5", "u4", "Between.", "m1"),
        claude_result("u6", "u3", "t2", "two"),
        claude_reply("u7", "u6", "Done.", "m2"),
    )
    assert [message.id for message in session.messages] == ["u1", "m1", "u4", "u6", "m2"]
    assert texts(session) == ["Look.", "Between.", "one", "two", "Done."]
    assert [message.seq for message in session.messages] == [0, 1, 2, 3, 4]
    assert session.branches == 1
    assert session.branch is None


def test_a_lost_line_does_not_part_a_reply(read):
    (session,) = read(
        claude_user("u1", None, "Look."),
        claude_reply("u2", "u1", "One.", "m1"),
        claude_reply("u4", "u3", "Two.", "m1"),
    )
    assert texts(session) == ["Look.", "One.\nTwo."]
    assert session.flags == ("orphan-parent",)


def test_an_id_that_a_proxy_gives_to_every_reply_ties_nothing_together(read):
    (session,) = read(
        claude_user("u1", None, "A?"),
        claude_reply("u2", "u1", "Yes.", "m"),
        claude_user("u3", "u2", "B?"),
        claude_reply("u4", "u3", "Yes.", "m"),
        claude_reply("u5", "u4", "Sure.", "m"),
    )
    assert texts(session) == ["A?", "Yes.", "B?", "Yes.", "Sure."]
    assert len({message.key for message in session.messages}) == 5


def test_parallel_calls_and_progress_are_no_forks(read):
    (session,) = read(
        claude_user("u1", None, "Look."),
        claude_reply("u2", "u1", claude_call("t1"), "m1"),
        claude_reply("u3", "u2", claude_call("t2"), "m1"),
        claude_record("progress", "p1", "u2"),
        claude_record("progress", "p2", "p1"),
        claude_result("u4", "p1", "t1", "one"),
        claude_result("u5", "u3", "t2", "two"),
        claude_record("system", "s1", "u4"),
        claude_reply("u6", "u5", "Done.", "m2"),
    )
    assert texts(session) == ["Look.", "", "one", "two", "Done."]
    assert [message.id for message in session.messages] == ["u1", "m1", "u4", "u5", "m2"]


def test_an_edited_prompt_is_a_branch_and_the_last_written_leaf_is_active(read):
    records = [
        claude_user("u1", None, "Pick a DB."),
        claude_reply("u2", "u1", "MySQL?"),
        claude_user("u3", "u2", "Yes."),
        claude_user("u4", "u2", "No, PostgreSQL."),
        claude_reply("u5", "u4", "Fine."),
        claude_record("system", "s1", "u3"),
    ]
    active, other = read(*records)
    assert texts(active) == ["Pick a DB.", "MySQL?", "No, PostgreSQL.", "Fine."]
    assert texts(other) == ["Pick a DB.", "MySQL?", "Yes."]
    assert [m.key for m in active.messages[:2]] == [m.key for m in other.messages[:2]]
    assert (active.branches, other.branches) == (2, 2)
    assert (active.id, other.id) == ("c-1", f"c-1@{other.branch}")
    assert {m.session for m in (*active.messages, *other.messages)} == {"c-1"}


def test_too_many_branches_are_not_built_together(tmp_path):
    path = tmp_path / "transcript"
    path.write_bytes(lines(claude_user(f"u{i:09d}", None, f"text {i}") for i in range(1001)))
    assert texts(read_session(path)) == ["text 1000"]
    assert texts(read_session(path, branch="u000000007")) == ["text 7"]
    with pytest.raises(UnreadableSession, match="conversation c-1 has 1001 branches; name one"):
        read_sessions(path)


def test_an_edited_first_prompt_is_a_branch(read):
    active, other = read(claude_user("u1", None, "A."), claude_user("u2", None, "B."))
    assert (texts(active), texts(other)) == (["B."], ["A."])


def test_a_branch_written_to_a_new_file_shares_the_keys_of_its_trunk(read):
    trunk = [claude_user("u1", None, "The DB is MySQL."), claude_reply("u2", "u1", "OK.")]
    (old,) = read(*trunk, claude_user("u3", "u2", "Old."))
    copies = [r | {"sessionId": "c-2", "forkedFrom": {"sessionId": "c-1", "messageUuid": r["uuid"]}} for r in trunk]
    (new,) = read(*copies, claude_user("u4", "u2", "New.") | {"sessionId": "c-2"})
    assert (new.id, new.parent) == ("c-2", "c-1")
    assert [m.key for m in new.messages[:2]] == [m.key for m in old.messages[:2]]
    assert new.messages[2].key != old.messages[2].key


def test_a_thread_goes_on_after_a_record_is_lost(read):
    (session,) = read(
        claude_user("u1", None, "One."),
        claude_reply("u2", "u1", "Two."),
        claude_user("u4", "u3-lost", "Four."),
        claude_reply("u5", "u4", "Five."),
    )
    assert texts(session) == ["One.", "Two.", "Four.", "Five."]
    assert session.flags == ("orphan-parent",)


def test_a_result_belongs_to_the_reply_that_called_though_its_parent_is_lost(read):
    result, call = read(
        claude_user("u1", None, "Look."),
        claude_reply("u2", "u1", claude_call("t1")),
        claude_user("u3", None, "Look elsewhere."),
        claude_result("u5", "u4-lost", "t1", "port=8080"),
    )
    assert texts(result) == ["Look.", "", "port=8080"]
    assert texts(call) == ["Look elsewhere."]


def test_the_word_of_an_older_harness_is_injected_too(read):
    (session,) = read(
        claude_user("u1", None, "This session is being continued from a previous conversation that ran out.")
    )
    assert blocks(session)[0][0] is Channel.INJECTED


def test_cycles_are_broken_and_flagged(read):
    (session,) = read(
        claude_user("u1", "u3", "One."),
        claude_user("u2", "u1", "Two."),
        claude_user("u3", "u2", "Three."),
        claude_user("u4", "u3", "Four."),
    )
    assert texts(session) == ["One.", "Two.", "Three.", "Four."]
    assert session.flags == ("parent-cycle",)
    (alone,) = read(claude_user("u1", "u1", "One."))
    assert texts(alone) == ["One."]


def test_a_compaction_goes_on_with_its_thread_and_its_summary_is_injected(read):
    boundary = claude_record("system", "b1", None, subtype="compact_boundary", logicalParentUuid="u2")
    summary = "A was ruled out."
    (session,) = read(
        claude_user("u1", None, "A?"),
        claude_reply("u2", "u1", "No."),
        boundary,
        claude_user("u3", "b1", summary, isCompactSummary=True, isVisibleInTranscriptOnly=True),
        claude_user("u4", "u3", "B?"),
    )
    assert blocks(session) == [
        (Channel.USER, "A?"),
        (Channel.MODEL, "No."),
        (Channel.INJECTED, summary),
        (Channel.USER, "B?"),
    ]
    assert session.flags == ()
    (resumed,) = read(boundary, claude_user("u4", "b1", "B?"))
    assert resumed.flags == ()


def test_sidechains_are_not_of_the_main_thread(read):
    (session,) = read(
        claude_user("u1", None, "One."),
        claude_user("s1", None, "Explore.", isSidechain=True),
        claude_reply("s2", "s1", "Found.", isSidechain=True),
        claude_reply("u2", "u1", "Two."),
    )
    assert texts(session) == ["One.", "Two."]
    assert session.meta["counts"] == {"skipped-sidechain": 2}


def test_a_repeated_uuid_with_another_content_is_reported(read):
    (session,) = read(claude_user("u1", None, "One."), claude_user("u1", None, "Other."))
    assert texts(session) == ["One."]
    assert session.flags == ("conflicting-id",)


@pytest.mark.parametrize(
    ("text", "more"),
    [
        ("Caveat.", {"isMeta": True}),
        ("Done.", {"origin": {"kind": "task-notification"}}),
        ("Hello.", {"origin": {"kind": "peer"}}),
        ("[Request interrupted by user for tool use]", {}),
        ("<command-name>/model</command-name>\n<command-args>opus</command-args>", {}),
        ("<local-command-stdout>Set model</local-command-stdout>", {}),
        ("<system-reminder>The port is 1.</system-reminder>", {}),
    ],
)
def test_what_the_harness_puts_into_the_users_mouth_is_injected(read, text, more):
    (session,) = read(
        claude_user("u1", None, text, **more), claude_user("u2", "u1", [{"type": "text", "text": text}], **more)
    )
    assert {channel for channel, _ in blocks(session)} == {Channel.INJECTED}


def test_a_reminder_inside_a_text_is_cut_out_and_the_rest_kept(read):
    reminder = "<system-reminder>\nThe TTL is 1.\n</system-reminder>"
    (session,) = read(
        claude_user("u1", None, f"The TTL is 60.\n{reminder}\nReally."),
        claude_reply("u2", "u1", claude_call("t1")),
        claude_result(
            "u3", "u2", "t1", [{"type": "text", "text": f"ttl=60{reminder}"}, {"type": "image", "source": {}}]
        ),
        claude_user("u4", "u3", "I never close my <system-reminder> tags."),
    )
    assert [pair for pair in blocks(session) if "Bash" not in pair[1]] == [
        (Channel.USER, "The TTL is 60.\n"),
        (Channel.INJECTED, reminder),
        (Channel.USER, "\nReally."),
        (Channel.TOOL, "ttl=60"),
        (Channel.INJECTED, reminder),
        (Channel.USER, "I never close my <system-reminder> tags."),
    ]


def test_an_error_the_harness_wrote_is_not_the_models_word(read):
    error = claude_reply("u2", "u1", "API Error: 529")
    error["message"]["model"] = "<synthetic>"
    (session,) = read(claude_user("u1", None, "Go."), error, claude_reply("u3", "u2", "Went.", isApiErrorMessage=True))
    assert [channel for channel, _ in blocks(session)] == [Channel.USER, Channel.INJECTED, Channel.INJECTED]
    assert "model" not in session.meta or session.meta["model"] == "m"


def test_a_prompt_typed_while_the_agent_worked_is_the_users(read):
    queued = {"type": "queued_command", "commandMode": "prompt", "prompt": "Use port 9000."}
    (session,) = read(
        claude_user("u1", None, "Go."),
        claude_record("attachment", "x1", "u1", attachment=queued),
        claude_record("attachment", "x2", "x1", attachment=queued | {"prompt": [{"type": "text", "text": "And TLS."}]}),
        claude_record("attachment", "x3", "x2", attachment=queued | {"origin": {"kind": "peer"}}),
        claude_record("attachment", "x4", "x3", attachment=queued | {"commandMode": "task-notification"}),
        claude_record("attachment", "x5", "x4", attachment={"type": "todo", "content": "x"}),
        claude_reply("u2", "x5", "Went."),
    )
    assert blocks(session)[1:] == [
        (Channel.USER, "Use port 9000."),
        (Channel.USER, "And TLS."),
        (Channel.INJECTED, "Use port 9000."),
        (Channel.MODEL, "Went."),
    ]


def test_tool_calls_are_kept_apart_from_what_is_said(read):
    (session,) = read(claude_user("u1", None, "Go."), claude_reply("u2", "u1", claude_call("t1", command="echo 数")))
    (call,) = session.messages[1].blocks
    assert (call.kind, call.text, session.messages[1].text) == ("tool-call", 'Bash {"command":"echo 数"}', "")


def test_results_of_the_providers_own_tools_are_a_tools(read):
    found = {"type": "web_search_tool_result", "content": [{"type": "text", "text": "ttl=60"}]}
    (session,) = read(claude_user("u1", None, "Go."), claude_reply("u2", "u1", found))
    assert blocks(session)[1] == (Channel.TOOL, "ttl=60")


def test_the_title_is_the_users_own_where_there_is_one(read):
    records = [
        {"type": "summary", "summary": "Summed up", "leafUuid": "u1"},
        claude_user("u1", None, "Go."),
        {"type": "ai-title", "aiTitle": "Made up", "sessionId": "c-1"},
    ]
    assert read(*records)[0].title == "Made up"
    assert read(*records, {"type": "custom-title", "customTitle": "Mine", "sessionId": "c-1"})[0].title == "Mine"
    assert read(*records[:2])[0].title == "Summed up"


def test_a_file_of_bookkeeping_has_no_messages(read):
    (session,) = read({"type": "summary", "summary": "Summed up", "leafUuid": "u1"})
    assert session.messages == ()


def test_a_file_without_a_record_is_refused(read):
    with pytest.raises(UnreadableSession, match="not JSON"):
        read(raw=b'{"type":"user","uuid":"u1"\n' * 3)


@settings(max_examples=200)
@given(st.lists(st.integers(-1, 12), min_size=1, max_size=12), st.data())
def test_every_message_is_on_a_branch_and_branches_share_what_is_above(tmp_path_factory, parents, data):
    records = []
    for i, parent in enumerate(parents):
        above = f"u{parent}" if 0 <= parent < i else None
        kind = data.draw(st.sampled_from(["user", "reply", "progress"]))
        if kind == "progress":
            records.append(claude_record("progress", f"u{i}", above))
        else:
            records.append((claude_user if kind == "user" else claude_reply)(f"u{i}", above, f"text {i}"))
    path = tmp_path_factory.getbasetemp() / "tree.jsonl"
    path.write_bytes(lines(records))
    sessions = read_sessions(path)
    spoken = {f"text {i}" for i, record in enumerate(records) if record["type"] != "progress"}
    assert {text for session in sessions for text in texts(session)} == spoken
    assert len({session.messages[-1].key for session in sessions if session.messages}) == len(sessions) or not spoken
    for session in sessions:
        by_name = read_session(path, branch=session.branch) if session.branch else read_session(path)
        assert by_name == session
        for i, message in enumerate(session.messages):
            up = climb(parents, int(message.text.removeprefix("text ")), records)
            assert texts(session)[: i + 1] == up


def climb(parents: list[int], node: int, records: list[Any]) -> list[str]:
    """The obvious way up, passing through progress."""
    path = [node]
    while 0 <= parents[path[-1]] < path[-1]:
        path.append(parents[path[-1]])
    return [f"text {i}" for i in reversed(path) if records[i]["type"] != "progress"]
