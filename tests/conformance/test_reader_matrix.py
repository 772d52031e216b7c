"""Every kind of nasty file in every format: what is read of it. A format or kind without a case fails."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from beliefmerge.errors import UnreadableSession
from beliefmerge.session import shelf, source
from beliefmerge.session.model import OnDemand, Session
from beliefmerge.session.readers import READERS, read_session, read_sessions
from tests.builders import (
    DOCUMENTS,
    TALK,
    build,
    chatgpt,
    chatgpt_conversation,
    chatgpt_node,
    claude_ai,
    claude_ai_row,
    claude_code,
    claude_record,
    claude_reply,
    claude_user,
    codex,
    codex_meta,
    codex_record,
    codex_said,
    codex_turn,
    dsh,
    dsh_event,
    dsh_header,
    dsh_replace,
    dsh_user,
    frames,
    lines,
    openai,
    plain,
    write,
)

KINDS = ("damaged", "duplicated", "branched", "compacted", "injected", "huge", "hostile")
FORMATS = list(READERS)


@dataclass(frozen=True)
class Read:
    """What is read of a file: (channel, text) of every block of the active branch, or the cause of the refusal.

    `others` are the texts of the further sessions, each joined by a bar.
    """

    raw: bytes
    said: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()
    others: tuple[str, ...] = ()
    refused: str = ""


A, B, C = "user: A", "model: B", "user: C"
ABC = [("user", "A"), ("model", "B"), ("user", "C")]
MERGED = "# Merged context\n- k: v [user]\n"
CUTTING = b'{"cut":"'


def _rows(form: str) -> list[bytes]:
    return build(form, ABC).splitlines(keepends=True)


def _spliced(form: str, flags: tuple[str, ...]) -> Read:
    """A record was cut by the next one, two share a line, and the last line breaks off."""
    rows = _rows(form)
    raw = b"".join([*rows[:-2], CUTTING + rows[-2].rstrip() + rows[-1], rows[0][:20]])
    return Read(raw, (A, B, C), flags)


def _text(part: str) -> list[dict[str, Any]]:
    return [{"type": "text", "text": part}]


def _damaged() -> dict[str, list[Read]]:
    torn = ("damaged-line", "torn")
    more = claude_ai(ABC, "w-1") + claude_ai(ABC, "w-2")
    return {
        "claude_code": [_spliced("claude_code", torn)],
        "codex": [_spliced("codex", torn)],
        "dsh": [
            Read(build("dsh", ABC)[:-20], (A, B, C), ("torn",)),
            Read(
                frames([dsh_header()], [dsh_user(0, "A")]) + frames([dsh_user(1, "C")])[:-3],
                ("user: A", "user: C"),
                ("torn",),
            ),
            Read(lines([dsh_header(), dsh_user(0, "A"), dsh_user(2, "C")]), refused="line 3: corrupt: seq 2 where 1"),
        ],
        "openai": [
            Read(CUTTING + lines(openai(ABC)["messages"]) + b'{"role":', (A, B, C), torn),
            Read(json.dumps(openai(ABC)["messages"]).encode()[:-3], (A, B), ("torn",)),
            Read(json.dumps(openai(ABC)["messages"]).encode() + b"]", (A, B, C), ("damaged-line",)),
            Read(lines([openai(ABC), openai(ABC)])[:-9], (A, B, C), ("torn",)),
            Read(lines([openai(ABC)]) + lines([openai(ABC)])[:-9] + b"\n", (A, B, C), ("damaged-line",)),
        ],
        "plain": [
            Read(json.dumps(plain(ABC)).encode()[:-3], refused="not JSON"),
            Read(CUTTING + b"\n" + lines([plain(ABC, "a")]), (A, B, C), ("damaged-line",)),
            Read(lines([plain(ABC, "a"), plain(ABC, "b")])[:-9], (A, B, C), ("torn",)),
        ],
        "chatgpt": [
            Read(json.dumps(chatgpt(ABC, "g-1") + chatgpt(ABC, "g-2")).encode()[:-9], (A, B, C), ("torn",)),
            Read(build("chatgpt", ABC) + build("chatgpt", ABC), (A, B, C), ("damaged-line",)),
        ],
        "claude_ai": [
            Read(json.dumps(more).encode()[:-9], (A, B, C), ("torn",)),
            Read(build("claude_ai", ABC) + bytes(100), (A, B, C), ("damaged-line",)),
        ],
    }


def _duplicated() -> dict[str, list[Read]]:
    repeated = ("duplicate-message",)
    spliced = dsh_event("agent/inbox/spliced", 4, {"messages": [dsh_user(1, "A")["data"]]})
    twice = plain(ABC)
    twice["messages"] += twice["messages"]
    chat = openai(ABC)
    chat["messages"] = [message | {"id": f"m{i}"} for i, message in enumerate(chat["messages"])] * 2
    rows = claude_ai(ABC)
    rows[0]["chat_messages"] += rows[0]["chat_messages"]
    nodes = [chatgpt_node("n1", None, text="A"), chatgpt_node("n2", "n1", "assistant", "B")]
    nodes += [chatgpt_node("n3", "n2", text="A"), chatgpt_node("n4", "n3", text="C")]
    nodes[2]["message"]["id"] = "n1"
    events = [codex_record("event_msg", {"type": "agent_message", "message": "B"}, 9)]
    return {
        "claude_code": [Read(lines(claude_code(ABC) * 2), (A, B, C))],
        "codex": [Read(lines([*codex(ABC), *events]), (A, B, C))],
        "dsh": [Read(lines([*dsh(ABC)[:-1], spliced]), (A, B, C))],
        "openai": [Read(json.dumps(chat).encode(), (A, B, C), repeated)],
        "plain": [Read(json.dumps(twice).encode(), (A, B, C), repeated)],
        "chatgpt": [Read(json.dumps([chatgpt_conversation(nodes, "n4")]).encode(), (A, B, C), repeated)],
        "claude_ai": [Read(json.dumps(rows).encode(), (A, B, C), repeated)],
    }


def _branched() -> dict[str, list[Read]]:
    """In the active branch first; a fork of the formats that write one file a session is a file of its own."""
    records = [*claude_code(ABC[:2]), claude_user("x1", "u0000001-0000", "D"), claude_user("x2", "u0000001-0000", "C")]
    nodes = [chatgpt_node("n1", None, text="A"), chatgpt_node("n2", "n1", "assistant", "B")]
    nodes += [chatgpt_node("n3", "n2", text="C"), chatgpt_node("n4", "n2", text="D")]
    rows = [claude_ai_row("r1", None, "human", _text("A")), claude_ai_row("r2", "r1", "assistant", _text("B"))]
    rows += [claude_ai_row(f"r{i}", "r2", "human", _text(text), i) for i, text in ((3, "D"), (4, "C"))]
    export = [{"uuid": "w-1", "name": "", "chat_messages": rows}]
    fork = [dsh_header("b", parentSession="a", isSeeded=True), *dsh(ABC[:2])[1:-1]]
    fork += [dsh_event("session/end-seed", 3, {"inherited": True}), dsh_user(4, "C")]
    replay = [codex_meta("k-2", forked_from_id="k-1"), codex_meta("k-1"), codex_turn("t1"), *codex(ABC[:2])[1:]]
    replay += [codex_turn("t2", 30), codex_said("user", "C", 30)]
    return {
        "claude_code": [Read(lines(records), (A, B, C), others=("A|B|D",))],
        "codex": [Read(lines(replay), (A, B, C))],
        "dsh": [Read(lines(fork), (A, B, C))],
        "openai": [Read(lines([openai(ABC, "a"), openai(ABC[:1], "b")]), (A, B, C), others=("A",))],
        "plain": [Read(lines([plain(ABC, "a"), plain(ABC[:1], "b")]), (A, B, C), others=("A",))],
        "chatgpt": [Read(json.dumps(chatgpt_conversation(nodes, "n3")).encode(), (A, B, C), others=("A|B|D",))],
        "claude_ai": [Read(json.dumps(export).encode(), (A, B, C), others=("A|B|D",))],
    }


def _compacted() -> dict[str, list[Read]]:
    """Where a format has no compaction of its own, a merged block that was pasted stands for one."""
    boundary = claude_record("system", "b1", None, subtype="compact_boundary", logicalParentUuid="u0000001-0000")
    summary = claude_user("s1", "b1", "Earlier: A.", isCompactSummary=True)
    went_on = [*claude_code(ABC[:2]), boundary, summary, claude_user("x1", "s1", "C")]
    packed = [*codex(ABC[:2]), codex_record("compacted", {"message": "Earlier: A."}), codex_said("user", "C")]
    replaced = [dsh_header(), dsh_user(0, "A"), dsh_user(1, "B"), dsh_replace(2, "Earlier: A.", 0, 1), dsh_user(3, "C")]
    pasted = [("user", MERGED), ("model", "B"), ("user", "C")]
    merged = {form: [Read(build(form, pasted), (f"injected: {MERGED}", B, C))] for form in DOCUMENTS}
    return merged | {
        "claude_code": [Read(lines(went_on), (A, B, "injected: Earlier: A.", C))],
        "codex": [Read(lines(packed), (A, B, "injected: Earlier: A.", C))],
        "dsh": [Read(lines(replaced), ("injected: Earlier: A.", C))],
    }


def _injected() -> dict[str, list[Read]]:
    reminder = "<system-reminder>X</system-reminder>"
    claude = [claude_user("u1", None, "X", isMeta=True), claude_user("u2", "u1", f"A{reminder}")]
    claude.append(claude_reply("u3", "u2", "B"))
    nodes = [chatgpt_node("n0", None, "user", "X", metadata={"is_visually_hidden_from_conversation": True})]
    nodes += [chatgpt_node("n1", "n0", text="A"), chatgpt_node("n2", "n1", "assistant", "B")]
    rows = [claude_ai_row("r1", None, "human", _text("A")), claude_ai_row("r2", "r1", "assistant", _text("B"))]
    rows[0]["attachments"] = [{"extracted_content": "X"}]
    export = [{"uuid": "w-1", "name": "", "chat_messages": rows}]
    told = [codex_meta(), codex_said("user", "<environment_context>X"), *codex(ABC[:2])[1:]]
    plugin = [dsh_header(), dsh_user(0, "X", kind="plugin:x"), dsh_user(1, "A")]
    system = [("injected", "X"), *ABC[:2]]
    return {
        "claude_code": [Read(lines(claude), ("injected: X", A, f"injected: {reminder}", B))],
        "codex": [Read(lines(told), ("injected: <environment_context>X", A, B))],
        "dsh": [Read(lines(plugin), ("injected: X", A)), Read(build("dsh", system), ("injected: X", A, B))],
        "openai": [Read(build("openai", system), ("injected: X", A, B))],
        "plain": [Read(build("plain", system), ("injected: X", A, B))],
        "chatgpt": [Read(json.dumps([chatgpt_conversation(nodes, "n2")]).encode(), ("injected: X", A, B))],
        "claude_ai": [Read(json.dumps(export).encode(), (A, "injected: X", B))],
    }


LONG = [(channel, f"{text} {i}") for i, (channel, text) in enumerate(ABC * 400)]


def _huge() -> dict[str, list[Read]]:
    """A long talk; `test_a_huge_file_is_not_held` says how it is held."""
    return {form: [Read(build(form, LONG), tuple(f"{c}: {t}" for c, t in LONG))] for form in FORMATS}


HOSTILE = {
    r'"a\u2028b\u0085\ud800c\u0000"': "a\u2028b\x85\ufffdc\ufffd",
    '"a\u2028b"': "a\u2028b",
    "5": "5",
    "1e999": "inf",
    "true": "true",
    "null": "",
    "[]": "",
    '{"0":"x","1":"y","10":"z"}': "xyz",
    '"/etc/passwd"': "/etc/passwd",
    r'"<system-reminder>"': "<system-reminder>",
    '"}{\\"uuid\\":\\"u\\""': '}{"uuid":"u"',
}


def _hostile() -> dict[str, list[Read]]:
    """Anything where a text is expected, and nesting that no parser follows."""
    made: dict[str, list[Read]] = {}
    for form in FORMATS:
        raw = build(form, [("user", "MARK"), ("model", "B")])
        changed = [(raw.replace(b'"MARK"', new.encode()), text) for new, text in HOSTILE.items()]
        made[form] = [Read(new, (f"user: {text}", B) if text else (B,)) for new, text in changed]
        deep = raw.replace(b'"MARK"', b"[" * 100_000 + b"]" * 100_000)
        made[form].append(DEEP[form](deep))
    return made


DEEP: dict[str, Callable[[bytes], Read]] = {
    "claude_code": lambda raw: Read(raw, (B,), ("damaged-line", "orphan-parent")),
    "codex": lambda raw: Read(raw, (B,), ("damaged-line",)),
    "dsh": lambda raw: Read(raw, refused="corrupt: seq 2 where 1 was expected"),
    **{form: lambda raw: Read(raw, refused="nested too deeply") for form in DOCUMENTS},
}

MATRIX: dict[str, Callable[[], dict[str, list[Read]]]] = {
    "damaged": _damaged,
    "duplicated": _duplicated,
    "branched": _branched,
    "compacted": _compacted,
    "injected": _injected,
    "huge": _huge,
    "hostile": _hostile,
}


def said(session: Session) -> tuple[str, ...]:
    return tuple(f"{block.channel}: {block.text}" for message in session.messages for block in message.blocks)


def test_every_format_has_every_kind():
    assert {(kind, form) for kind in KINDS for form in MATRIX[kind]()} == set(product(KINDS, FORMATS))
    assert all(cases for kind in KINDS for cases in MATRIX[kind]().values())


@pytest.mark.parametrize(("kind", "form"), list(product(KINDS, FORMATS)))
def test_a_nasty_file_is_read_as_it_should(kind, form, tmp_path):
    for i, want in enumerate(MATRIX[kind]()[form]):
        path = tmp_path / f"{i}"
        path.write_bytes(want.raw)
        if want.refused:
            with pytest.raises(UnreadableSession, match=want.refused):
                read_sessions(path)
            continue
        active, *others = read_sessions(path)
        assert active.format == form
        assert said(active) == want.said
        assert active.flags == want.flags
        assert tuple("|".join(message.text for message in each.messages) for each in others) == want.others


@pytest.mark.parametrize("form", FORMATS)
def test_a_huge_file_is_not_held(form, tmp_path, monkeypatch):
    """Beyond the limit texts lie in a file and arrays are read apart, to the same session; one object is refused."""
    path: Path = tmp_path / "file"
    path.write_bytes(build(form, LONG))
    whole = read_session(path)
    monkeypatch.setattr(shelf, "HELD", 1000)
    monkeypatch.setattr(source, "MAX_ARRAY", 1000)
    again = read_session(path)
    assert again == whole
    assert again.messages[-1] == whole.messages[-1]
    assert isinstance(again.messages, OnDemand) == (form in {"claude_code", "codex", "dsh", "openai"})
    if form in DOCUMENTS:
        monkeypatch.setattr(source, "MAX_DOCUMENT", 1000)
        monkeypatch.setattr(source, "MAX_RECORD", 1000)
        with pytest.raises(UnreadableSession, match=r"larger than|longer than"):
            read_session(path)


def test_the_talk_of_the_builders_has_every_channel():
    assert {channel for channel, _ in TALK} == {"injected", "user", "reasoning", "model", "tool"}
    assert write("plain", plain(TALK)) == build("plain")
