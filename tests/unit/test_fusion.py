"""What a fusion takes, keeps, calls itself and refuses."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from beliefmerge.errors import UnreadableSession, UsageError
from beliefmerge.fusion import Caller, FusionConfig, FusionOptions, fuse
from beliefmerge.fusion.boundary import BOUNDARY, SYSTEM_RULE
from beliefmerge.fusion.manifest import read_manifest
from beliefmerge.session.model import Channel
from beliefmerge.session.readers import read_session
from beliefmerge.session.source import Source
from beliefmerge.session.strands import EVENT
from tests.builders import (
    BUILDERS,
    TALK,
    build,
    chatgpt_conversation,
    chatgpt_node,
    dsh_header,
    dsh_replace,
    dsh_reply,
    dsh_user,
    frames,
    lines,
    write,
)
from tests.fusing import CALLER, CWD, NOW, fused, options, said, session, words

A = session("a", said("user", "Which port?", "m1", 10.0), said("model", "8080.", "m2", 30.0), title="Ports")
B = session("b", said("user", "Which host?", "n1", 20.0), said("model", "stage-3.", "n2", 40.0), title="Hosts")


def records(path: str | None) -> list[dict]:
    """The lines of a log."""
    return [json.loads(line.raw) for line in Source(Path(path or "")).lines()]


def test_by_time_or_by_source(tmp_path):
    by_time = fused(tmp_path, [A, B], target="t")
    grouped = fused(tmp_path, [B, A], target="s", strategy="by-source")
    assert words(read_session(by_time.path)) == ["Which port?", "Which host?", "8080.", "stage-3."]
    assert words(read_session(grouped.path)) == ["Which host?", "stage-3.", "Which port?", "8080."]
    assert (by_time.strategy, grouped.strategy) == ("chronological", "by-source")


def test_a_clock_that_runs_backwards_or_is_missing_reorders_nothing(tmp_path):
    log = [
        said("user", "1", "a1", 50.0),
        said("model", "2", "a2", 5.0),
        said("user", "3", "a3"),
        said("model", "4", "a4", 60.0),
    ]
    fused(tmp_path, [session("a", *log), B])
    read = read_session(next(tmp_path.rglob("session.v4*")))
    assert words(read) == ["Which host?", "stage-3.", "1", "2", "3", "4"]
    assert [message.time for message in read.messages[4:]] == [50.0, 5.0, 5.0, 60.0]


def test_what_forks_share_is_kept_once_with_all_its_places(tmp_path):
    trunk = [said("user", "Which DB?", "t1", 1.0), said("model", "MySQL.", "t2", 2.0)]
    a = session("a", *trunk, said("user", "Fine.", "a1", 3.0))
    b = session("b", *trunk, said("user", "Fine.", "b1", 4.0))
    result = fused(tmp_path, [a, b])
    assert words(read_session(result.path)) == ["Which DB?", "MySQL.", "Fine.", "Fine."]
    assert (result.original_messages, result.kept_messages, result.deduplicated_messages) == (6, 4, 2)
    refs = [row["refs"] for row in read_manifest(result.path)["messages"]]
    assert refs == [[[0, 0], [1, 0]], [[0, 1], [1, 1]], [[0, 2]], [[1, 2]]]
    every = fused(tmp_path, [a, b], deduplicate=False, target="every")
    assert (every.kept_messages, every.deduplicated_messages) == (6, 0)
    assert len(read_session(every.path).messages) == 8


def test_one_id_with_two_texts_is_reported_and_both_are_kept(tmp_path):
    other = session("b", said("user", "Which socket?", "m1", 20.0))
    result = fused(tmp_path, [A, other])
    assert words(read_session(result.path)) == ["Which port?", "Which socket?", "8080."]
    assert result.warnings == ("1 message id stands for different texts (m1); each is kept",)


def test_what_is_reported_is_one_short_line_whatever_sessions_call_themselves(tmp_path):
    name = "n\n# Fused \x1b[31m\u202e" * 999
    first = session(name, said("user", "One.", "m\n## user\x9b", 1.0), flags=("torn",))
    again = session(name, said("user", "Two.", "m\n## user\x9b", 2.0))
    warnings = fused(tmp_path, [first, again]).warnings
    assert len(warnings) == 3, warnings
    assert all(warning.isprintable() and len(warning) < 800 for warning in warnings)


def test_forks_without_ids_are_told_by_lineage_and_cut(tmp_path):
    def strip(event):
        data = {key: value for key, value in event["data"].items() if key != "id"}
        return event | {"data": data}

    trunk = [strip(dsh_user(0, "Which DB?"))]
    cut = {"type": "session/end-seed", "seq": 1, "time": 5, "data": {"inherited": True}}
    (tmp_path / "a").write_bytes(lines([dsh_header("a"), *trunk, strip(dsh_user(1, "Same."))]))
    fork = dsh_header("b", isSeeded=True, parentSession="a")
    (tmp_path / "b").write_bytes(lines([fork, *trunk, cut, strip(dsh_user(2, "Same."))]))
    result = fused(tmp_path / "root", [tmp_path / "a", tmp_path / "b"])
    assert words(read_session(result.path)) == ["Which DB?", "Same.", "Same."]
    assert result.deduplicated_messages == 1


def test_only_the_text_of_user_and_model_and_checkpoints_is_kept(tmp_path):
    parts = [{"type": "reasoning", "text": "Hm."}, {"type": "text", "text": "B works."}]
    call = {"type": "tool-call", "id": "c", "name": "bash", "arguments": "{}"}
    events = [
        dsh_user(0, "Plan A?"),
        dsh_reply(1, "A fails."),
        dsh_replace(2, "Earlier: A was ruled out.", 0, 1, sources=[0, 1]),
        dsh_user(3, "Never write.", kind="plugin:sandbox"),
        dsh_reply(4, [*parts, call]),
    ]
    (tmp_path / "a").write_bytes(lines([dsh_header("a"), *events]))
    result = fused(tmp_path / "root", [tmp_path / "a", B])
    read = read_session(result.path)
    told = [(block.channel, block.text) for message in read.messages[2:] for block in message.blocks if block.text]
    assert told == [
        (Channel.USER, "Which host?"),
        (Channel.MODEL, "stage-3."),
        (Channel.INJECTED, "Earlier: A was ruled out."),
        (Channel.MODEL, "B works."),
    ]
    assert [message.checkpoint for message in read.messages] == [False, False, False, False, True, False]
    assert result.original_messages == 4


def test_a_merged_block_that_was_pasted_is_not_copied(tmp_path):
    block = "# Merged context\n> External background: x\n- port: 8080 [user-stated]\n"
    pasted = session("p", said("user", f"See:\n{block}Fine?", "p1", 1.0))
    result = fused(tmp_path, [pasted, B])
    assert "8080" not in Path(result.path or "").with_suffix("").name + json.dumps(records(result.path))


def test_the_log_obeys_the_writer_rules(tmp_path):
    log = [
        said("model", "Hi.", "x0", 1.0),
        *(said(c, f"{c} {i}", f"x{i}", 2.0 + i) for i, c in enumerate(["user", "user", "model", "model"], 1)),
    ]
    result = fused(tmp_path, [session("a", *log, meta={"provider": "p", "model": "m", "agent_preset": "std"}), B])
    header, *events = records(result.path)
    assert header == {
        "type": "session",
        "version": 4,
        "id": "fused",
        "createdAt": int(NOW * 1000),
        "cwd": CWD,
        "isSeeded": False,
        "delegationDepth": 0,
        "agentPreset": "std",
    }
    assert [event["seq"] for event in events] == list(range(len(events)))
    assert [event["type"] for event in events[:2]] == ["session/title", EVENT]
    assert events[0]["data"] == {"title": result.title, "messageSeqs": [], "source": {"kind": "user"}}
    assert events[1]["ignorable"] is True
    assert events[-1]["type"] == "model/selection"
    assert events[-1]["data"] == {"provider": "p", "model": "m"}
    turn = step = turns = 0
    for event in events:
        assert set(event) <= {"type", "seq", "time", "data", "ignorable", "surfaceOp"}
        assert isinstance(event["time"], int)
        data = event["data"]
        match event["type"]:
            case "turn/start":
                assert (turn, data["turn"]) == (0, turns + 1)
                turns = turn = data["turn"]
                steps = 0
            case "step/start":
                assert (step, data) == (0, {"turn": turn, "step": steps + 1})
                steps = step = data["step"]
            case "step/end":
                assert data == {"turn": turn, "step": step}
                step = 0
            case "turn/end":
                assert (step, data) == (0, {"turn": turn, "reason": {"kind": "completed"}})
                turn = 0
            case "user/message":
                assert turn
                assert step
                assert event["surfaceOp"] == "append"
                assert data["role"] == "user"
                assert data["id"]
                assert data["source"]["kind"]
            case "system/message":
                assert (data["turn"], data["step"], event["surfaceOp"]) == (1, 1, "append")
                assert data["message"]["source"] == {"kind": "system-prompt"}
            case "assistant/message":
                assert event["surfaceOp"] == "append"
                assert (data["turn"], data["step"], data["stream"]) == (turn, step, [])
                source = data["message"]["source"]
                assert source["kind"] == "model"
                assert source["provider"]
                assert source["model"]
    assert (turn, step) == (0, 0)


def test_the_boundary_is_short_and_injected(tmp_path):
    read = read_session(fused(tmp_path, [A, B]).path)
    rule, first = read.messages[:2]
    assert (rule.text, rule.blocks[0].channel) == (SYSTEM_RULE, Channel.INJECTED)
    assert (first.text, {block.channel for block in first.blocks}) == (BOUNDARY, {Channel.INJECTED})
    assert len(BOUNDARY) < 200
    assert not first.checkpoint


def test_the_manifest_names_sources_and_counts_and_holds_no_text(tmp_path):
    (tmp_path / "a").write_bytes(lines([dsh_header("a", version=3), dsh_user(0, "A very own text.")]))
    result = fused(tmp_path / "root", [tmp_path / "a", B])
    manifest = read_manifest(Path(result.path or "").parent)
    assert manifest["sources"][0] == {"id": "a", "sessionId": "a", "format": "dsh", "messages": 1, "formatVersion": 3}
    assert manifest["counts"]["kept"] == result.kept_messages == 3
    assert manifest["workspace"] == {"cwd": CWD, "group": "--home-u-p--"}
    assert manifest["plan"] is None
    for text in ("very own", "stage-3", "Which host"):
        assert text not in json.dumps(manifest)
    assert read_manifest(tmp_path / "a") is None


def test_sources_are_two_to_the_deployments_number_and_repeats_keep_the_first(tmp_path):
    many = [session(f"s{i}", said("user", f"Text {i}.", f"i{i}", float(i))) for i in range(9)]
    with pytest.raises(UsageError, match="2 to 8 different sessions, 1 given"):
        fused(tmp_path, [A, A])
    with pytest.raises(UsageError, match="2 to 8 different sessions, 9 given"):
        fused(tmp_path, many)
    assert fused(tmp_path, (each for each in [A, B, A])).source_count == 2
    assert fused(tmp_path, many, target="nine", config=FusionConfig(max_sources=9)).source_count == 9
    with pytest.raises(UsageError, match="maxSources is 33: a whole number from 2 to 32"):
        FusionConfig(max_sources=33)


def test_a_copy_of_a_file_is_the_same_source_and_another_with_its_id_is_not(tmp_path):
    for name in ("one", "two"):
        (tmp_path / name).write_bytes(build("dsh", TALK, "s-1"))
    (tmp_path / "three").write_bytes(build("dsh", [("user", "Other.")], "s-1"))
    with pytest.raises(UsageError, match="1 given"):
        fused(tmp_path / "root", [tmp_path / "one", tmp_path / "two"])
    result = fused(tmp_path / "root", [tmp_path / "one", tmp_path / "three"])
    assert [source["id"] for source in read_manifest(result.path)["sources"]] == ["s-1", "s-1~2"]
    assert "two sources call themselves session 's-1'; the later one is 's-1~2' here" in result.warnings


def test_two_conversations_with_one_id_in_a_file_are_two_sources(tmp_path):
    pair = [chatgpt_conversation([chatgpt_node(n, None, text=f"Say {n}.")], n, "one") for n in ("p", "q")]
    (tmp_path / "e.json").write_bytes(write("chatgpt", pair))
    named = [f"{tmp_path}/e.json#{n}" for n in ("p", "q", "p")]
    result = fused(tmp_path / "root", named)
    assert (result.source_count, words(read_session(result.path))) == (2, ["Say p.", "Say q."])


def test_another_workspace_is_refused_unless_it_is_allowed(tmp_path):
    other = session("o", said("user", "Elsewhere.", "o1", 1.0), cwd="/home/u/q")
    with pytest.raises(UsageError, match="session 'o' belongs to workspace '/home/u/q', the caller to '/home/u/p'"):
        fused(tmp_path, [A, other])
    assert not list(tmp_path.iterdir())
    assert fused(tmp_path, [A, other], target="x", allow_cross_workspace=True).kept_messages == 3
    allowed = FusionConfig(allow_cross_workspace=True)
    result = fused(tmp_path, [A, other], target="y", config=allowed)
    assert read_session(result.path).cwd == CWD
    nowhere = session("w", said("user", "No directory.", "w1"), cwd=None)
    assert (
        fused(tmp_path, [session("v", said("user", "V.", "v1"), cwd=f"{CWD}/"), nowhere], target="z").kept_messages == 2
    )


def test_a_foreign_workspace_is_named_without_secrets(tmp_path):
    secret = "ghp_" + "0123456789abcdefABCDEF0123456789abcd"
    other = session(f"o-{secret}", said("user", "Elsewhere.", "o1", 1.0), cwd=f"/home/{secret}\n")
    with pytest.raises(UsageError, match=r"session 'o-\[REDACTED:github-token\]' belongs to workspace") as caught:
        fused(tmp_path, [A, other])
    assert secret not in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_relative_directory_is_not_the_callers(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for cwd in (".", "./", "x/.."):
        other = session("o", said("user", "Elsewhere.", "o1", 1.0), cwd=cwd)
        with pytest.raises(UsageError, match="belongs to workspace"):
            fuse([other, session("p", said("user", "Here.", "p1"), cwd=None)], Caller(str(tmp_path)))


@pytest.mark.parametrize(
    ("explicit", "limit", "expected"),
    [
        ("My title", 160, "My title"),
        (None, 160, "Ports + Hosts"),
        ("  ", 160, "Ports + Hosts"),
        ("two\nlines\u202e\x1b[31m", 160, "two lines [31m"),
        ("字" * 20, 16, "字字字字…"),
        (None, 10, "Ports +…"),
    ],
)
def test_titles(tmp_path, explicit, limit, expected):
    result = fused(tmp_path, [A, B], title=explicit, config=FusionConfig(max_title_bytes=limit))
    assert result.title == expected == read_session(result.path).title
    assert len(expected.encode()) <= limit


def test_a_source_without_a_title_is_called_by_its_first_words_or_its_id(tmp_path):
    one = session("one", said("user", "Please tell me which database we should use now.", "x", 1.0))
    two = session("two", said("model", "Hello.", "y", 1.0))
    assert fused(tmp_path, [one, two]).title == "Please tell me which database we should use + two"


def test_the_target_is_new_and_named_plainly(tmp_path):
    result = fuse([A, B], CALLER, FusionOptions(root=tmp_path))
    assert result.session_id.startswith("fusion-")
    with pytest.raises(UsageError, match=f"session '{result.session_id}' already exists"):
        fused(tmp_path, [A, B], target=result.session_id)
    elsewhere = Caller("/home/u/elsewhere")
    with pytest.raises(UsageError, match="already exists"):
        fuse([A, B], elsewhere, options(tmp_path, target=result.session_id, allow_cross_workspace=True))
    for wrong in ("", "..", "a/b", "-x", "x" * 121, "a b"):
        with pytest.raises(UsageError, match="target id"):
            fused(tmp_path, [A, B], target=wrong)


def test_messages_are_limited_by_number_bytes_and_size_of_the_whole(tmp_path):
    logs = [session(s, *(said("user", f"{s} {i} " + "x" * 90, f"{s}{i}", float(i)) for i in range(10))) for s in "ab"]
    few = fused(tmp_path, logs, target="few", config=FusionConfig(max_messages=3))
    assert [text[:3] for text in words(read_session(few.path))] == ["b 8", "a 9", "b 9"]
    assert (few.kept_messages, few.omitted_messages) == (3, 17)
    small = fused(tmp_path, logs, target="small", config=FusionConfig(max_fused_bytes=1000, max_message_bytes=200))
    assert small.kept_bytes <= 1000
    assert small.kept_messages + small.omitted_messages == 20
    assert words(read_session(small.path))[-1].startswith("b 9")
    cut = fused(tmp_path, logs, target="cut", config=FusionConfig(max_message_bytes=64))
    assert cut.truncated_messages == 20
    assert all(text.endswith(" bytes left out]") for text in words(read_session(cut.path)))
    assert read_manifest(cut.path)["messages"][0]["bytesLeftOut"] > 0
    grouped = fused(tmp_path, logs, target="g", config=FusionConfig(max_messages=3), strategy="by-source")
    assert [text[:3] for text in words(read_session(grouped.path))] == ["a 9", "b 8", "b 9"]
    quotes = [session(name, said("user", '"' * 250, name, 1.0)) for name in "qr"]
    tight = FusionConfig(max_fused_bytes=256, max_message_bytes=256)
    with pytest.raises(UsageError, match="not one message fits into maxFusedBytes 256"):
        fused(tmp_path, quotes, config=tight)


def test_sources_without_a_word_are_refused(tmp_path):
    silent = [session(name, said("tool", "port=8080", name)) for name in "ab"]
    with pytest.raises(UsageError, match="no text of user or assistant"):
        fused(tmp_path, silent)


def test_secrets_are_replaced_in_all_that_is_written_and_counted(tmp_path):
    secret = "ghp_" + "0123456789abcdefABCDEF0123456789abcd"
    leaky = session(
        "a",
        said("user", f"Use {secret} for it.", "m1", 1.0),
        said("tool", f"token={secret}", "m2"),
        title=f"Key {secret}",
    )
    plain = session("b", said("model", f"I used {secret}.", "n1", 2.0))
    result = fused(tmp_path, [leaky, plain], title=f"With {secret}")
    raw = json.dumps(records(result.path), ensure_ascii=False)
    assert secret not in raw + result.title + result.line()
    assert "[REDACTED:" in words(read_session(result.path))[0]
    assert sum(result.redacted.values()) >= 3
    for form in ("openai", "markdown"):
        assert secret not in fused(tmp_path, [leaky, plain], out_format=form).text


def test_sources_are_only_read(tmp_path):
    folder = tmp_path / "sources"
    folder.mkdir()
    for name in ("dsh", "claude_code"):
        (folder / name).write_bytes(build(name, TALK, name))
        (folder / name).chmod(0o400)
    folder.chmod(0o500)

    def state():
        return {p.name: (hashlib.sha256(p.read_bytes()).hexdigest(), p.stat().st_mtime_ns) for p in folder.iterdir()}

    before = state()
    try:
        fused(tmp_path / "root", [folder / "dsh", folder / "claude_code"])
        assert state() == before
    finally:
        folder.chmod(0o700)


def test_a_source_that_cannot_be_read_ends_the_fusion(tmp_path):
    (tmp_path / "bad").write_bytes(b"not a session")
    with pytest.raises(UnreadableSession, match="bad"):
        fused(tmp_path / "root", [A, tmp_path / "bad"])
    (tmp_path / "root").mkdir()
    with pytest.raises(UnreadableSession, match="no session 'nowhere' under"):
        fused(tmp_path / "root", [A, "nowhere"])
    with pytest.raises(UnreadableSession, match="named by a path or an id"):
        fused(tmp_path / "root", [A, ""])
    assert not list((tmp_path / "root").iterdir())


def test_ids_are_looked_up_under_the_root(tmp_path):
    for name, text in (("first", "One."), ("second", "Two.")):
        folder = tmp_path / "--home-u-p--" / name
        folder.mkdir(parents=True)
        (folder / "session.v4.jsonl.zstd").write_bytes(
            frames(*([record] for record in [dsh_header(name), dsh_user(0, text)]))
        )
    (tmp_path / "odd.jsonl").write_bytes(build("claude_code", [("user", "Three.")], "third"))
    result = fused(tmp_path, ["first", "second", "third"])
    assert sorted(words(read_session(result.path))) == ["One.", "Three.", "Two."]
    with pytest.raises(UnreadableSession, match=r"no session 'secund' under .*; did you mean 'second'"):
        fused(tmp_path, ["first", "secund"], target="other")


def test_a_damaged_file_of_a_similar_name_is_in_no_ones_way(tmp_path):
    (tmp_path / "a-x.jsonl").write_bytes(b"{}")
    with pytest.raises(UnreadableSession, match=r"a-x\.jsonl: unknown session format"):
        fused(tmp_path, [A, "x"])
    (tmp_path / "x.jsonl").write_bytes(build("claude_code", [("user", "Mine.")], "x"))
    assert "Mine." in words(read_session(fused(tmp_path, [A, "x"]).path))


def test_one_id_in_two_files_is_ambiguous(tmp_path):
    for project in ("p", "q"):
        folder = tmp_path / f"--{project}--" / "twin"
        folder.mkdir(parents=True)
        (folder / "session.v4.jsonl").write_bytes(build("dsh", TALK, "twin"))
    with pytest.raises(UnreadableSession, match=r"session 'twin' is in .* and .*: name one by its path"):
        fused(tmp_path, ["twin", A])


def test_merged_content_is_the_boundary_message(tmp_path):
    a = session("a", said("user", "The staging host is stage-3.", "m1", 1.0))
    b = session("b", said("user", "The port is 8080.", "n1", 2.0))
    result = fused(tmp_path, [a, b], content="merged")
    _, only = read_session(result.path).messages
    assert {block.channel for block in only.blocks} == {Channel.INJECTED}
    assert "# Merged context" in only.text
    assert "stage-3" in only.text
    assert (result.strategy, result.kept_messages) == ("merged", 2)
    with pytest.raises(UsageError, match="nothing of the sources fits into a merged block of 1 tokens"):
        fused(tmp_path, [a, b], content="merged", budget=1, target="m2")


def test_provider_model_and_preset_come_from_the_caller_or_else_the_first_source(tmp_path):
    mine = session("me", meta={"provider": "mine", "model": "m0", "agent_preset": "own"})
    first = session("a", said("user", "A.", "a1"), meta={"provider": "p", "model": "m", "agent_preset": "std"})
    result = fuse([first, B], Caller(CWD, mine), options(tmp_path, target="one"))
    read = read_session(result.path)
    assert (read.meta["provider"], read.meta["model"], read.meta["agent_preset"]) == ("mine", "m0", "own")
    read = read_session(fused(tmp_path, [first, B], target="two").path)
    assert (read.meta["provider"], read.meta["model"], read.meta["agent_preset"]) == ("p", "m", "std")
    read = read_session(fused(tmp_path, [B, first], target="three").path)
    assert "agent_preset" not in read.meta
    assert records(str(next((tmp_path / "--home-u-p--" / "three").iterdir())))[-1]["type"] == "turn/end"


def test_a_fused_session_can_be_fused_again_and_its_copies_count_once(tmp_path):
    first = fused(tmp_path, [A, B], target="first")
    again = fused(tmp_path, [Path(first.path), A, session("c", said("user", "New.", "c1", 99.0))], target="again")
    assert words(read_session(again.path)) == ["Which port?", "Which host?", "8080.", "stage-3.", "New."]
    assert again.deduplicated_messages == 2


def test_a_message_that_was_cut_is_its_whole_copy_when_it_is_fused_again(tmp_path):
    long = session("l", said("user", "é" * 9000, "l1", 1.0))
    first = fused(tmp_path, [A, long], target="first")
    again = fused(tmp_path, [Path(first.path), long], target="again")
    assert (first.truncated_messages, again.warnings[0]) == (1, "session 'first': skipped-ignorable")
    assert (again.kept_messages, again.deduplicated_messages) == (3, 1)


@pytest.mark.parametrize("content", ["messages", "merged"])
@pytest.mark.parametrize("form", ["dsh", "openai"])
def test_what_a_fusion_says_itself_is_nobodys_claim(tmp_path, form, content):
    from beliefmerge import merge

    port = session("a", said("user", "The port is 8080.", "m1", 1.0))
    other = session("b", said("user", "The port is 8080.", "n1", 2.0))
    path = fused(tmp_path, [port, other], out_format=form, content=content, out=tmp_path / "out.json").path
    assert {slot.key for slot in merge([read_session(path)]).slots} == {"port"}


def test_copies_in_a_fused_session_are_no_further_witnesses(tmp_path):
    from beliefmerge import merge

    a = session("a", said("user", "The staging host is stage-3.", "m1", 1.0))
    b = session("b", said("user", "The port is 8080.", "n1", 2.0))
    copy = read_session(fused(tmp_path, [a, b]).path)
    (alone,) = [slot for slot in merge([a, b]).slots if "staging" in slot.key]
    (both,) = [slot for slot in merge([a, b, copy]).slots if "staging" in slot.key]
    assert alone.to_json()["witnesses"] == both.to_json()["witnesses"] == {"stage-3": 1}


@pytest.mark.parametrize("form", sorted(BUILDERS))
def test_every_format_can_be_fused(tmp_path, form):
    (tmp_path / "a").write_bytes(build(form, TALK, "s-1"))
    result = fused(tmp_path / "root", [tmp_path / "a", B])
    texts = words(read_session(result.path))
    assert [text for text in texts if text not in ("Which host?", "stage-3.")] == [
        "Which port does the proxy use?",
        "I look.",
        "The port is 8080.",
        "Good.",
    ]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"strategy": "chronologic"}, "unknown strategy 'chronologic'; did you mean 'chronological'"),
        ({"out_format": "md"}, "unknown output format 'md'"),
        ({"content": "merge"}, "unknown content 'merge'; did you mean 'merged'"),
    ],
)
def test_unknown_options_are_refused_with_the_nearest(given, message):
    with pytest.raises(UsageError, match=message):
        FusionOptions(**given)


def test_lone_surrogates_and_nul_can_be_written(tmp_path):
    odd = session("a", said("user", "a\ud800b\x00c", "m1", 1.0), title="t\udfff")
    assert words(read_session(fused(tmp_path, [odd, B]).path))[0] == "a\ufffdb\ufffdc"


def test_what_a_log_says_of_itself_cannot_blow_up_the_new_one(tmp_path):
    huge = "x" * 300_000
    log = [said("model", "One.", huge, 1.0), said("model", "Two.", f"{huge}y", 2.0), said("model", "Again.", huge, 3.0)]
    meta = {"provider": huge, "model": 7, "agent_preset": huge}
    result = fused(tmp_path, [session("a", *log, meta=meta), B], out=tmp_path / "x.jsonl")
    assert (tmp_path / "x.jsonl").stat().st_size < 10_000
    assert words(read_session(result.path)) == ["One.", "Two.", "Again.", "Which host?", "stage-3."]
    assert len(result.warnings[0]) < 400


def test_messages_without_a_time_are_written_with_the_nearest_before_or_else_after(tmp_path):
    a = session("a", said("user", "1", "a1"), said("model", "2", "a2", 10.0), said("user", "3", "a3"))
    b = session("b", said("user", "0", "b0"))
    read = read_session(fused(tmp_path, [b, a]).path)
    assert [(m.text, m.time) for m in read.messages[2:]] == [("0", 10.0), ("1", 10.0), ("2", 10.0), ("3", 10.0)]
    timeless = [session(name, said("user", name, name)) for name in "cd"]
    read = read_session(fused(tmp_path, timeless, target="t").path)
    assert [m.time for m in read.messages[2:]] == [NOW, NOW]
