"""Mutations of session files: of the JSON values in them, of their lines, of their bytes and of their frames."""

from __future__ import annotations

import json
from collections.abc import Callable
from random import Random
from typing import Any

import zstandard

from tests.builders import (
    BUILDERS,
    NOW,
    TALK,
    build,
    chatgpt_conversation,
    chatgpt_node,
    claude_call,
    claude_record,
    claude_reply,
    claude_result,
    claude_user,
    codex,
    codex_meta,
    codex_record,
    codex_turn,
    dsh_event,
    dsh_header,
    dsh_replace,
    dsh_reply,
    dsh_result,
    dsh_user,
    frames,
    lines,
)

MAX_BYTES = 1 << 18
"""Longest file that is made."""

ODD: tuple[Any, ...] = (
    *(None, True, False, 0, -1, 0.5, -0.0, 1e308, 2**31, 2**53, 2**63, 10**30, float("nan"), float("inf")),
    *("", " ", "\x00", "\ud800", "\u2028", "\u202e", "a" * 5000, "\\", "{", '"}{"', "\n", "1e999", "-1", "0x10"),
    *("/etc/passwd", "# Merged context\n- x", "<system-reminder>", "</system-reminder>", "[[0,1]]"),
    *([], {}, [[]], [None], {"text": 1}, {"0": "a", "1": "b"}, {"type": "text"}, [{"type": "text", "text": ["x"]}]),
)
TOKENS = (
    *(b"{", b"}", b"[", b"]", b'"', b"\\", b",", b":", b"\n", b"\r\n", b"}{", b"\x00", b"\xff", b"\xef\xbb\xbf"),
    *(b"\xed\xa0\x80", b"\\ud800", b"\\u0000", b"null", b"NaN", b"1e999", b"\xe2\x80\xa8", b"\x28\xb5\x2f\xfd"),
    *(b'{"uuid":"u1","type":"user"}', b'{"type":"session","version":4,"id":"x","createdAt":1}', b"\x1b[2J", b" "),
)


def corpus() -> list[bytes]:
    """Valid files: every format as the conformance tests build it, and forks, branches, compactions and frames."""
    made = [build(form) for form in BUILDERS] + [build(form, TALK[:2]) for form in BUILDERS]
    made += [frames(*([record] for record in BUILDERS["dsh"](TALK, "s-1"))), frames(BUILDERS["dsh"](TALK, "s-1"))]
    for version in range(5):
        events = [dsh_user(0, "A"), dsh_reply(1, "B"), dsh_result(2, "C", version), dsh_replace(3, "D", 1, 2, version)]
        seed: dict[str, Any] = {"isSeeded": True} if version >= 2 else {"seedLength": 2}
        packed = {"type": "text-chunks", "seq0": 4, "time0": 1, "data": {"index": 0, "dt": [1], "texts": ["a", "b"]}}
        tail = [packed] if version < 2 else [dsh_event("session/end-seed", 4, {"inherited": True})]
        made.append(lines([dsh_header("s", version, parentSession="p", **seed), *events, *tail]))
    call = claude_call("t1", command="ls")
    boundary = claude_record("system", "b1", None, subtype="compact_boundary", logicalParentUuid="u5")
    records = [
        claude_user("u1", None, "A <system-reminder>x</system-reminder>"),
        claude_reply("u2", "u1", call, "m1"),
        claude_reply("u3", "u2", "B", "m1"),
        claude_record("progress", "p1", "u2"),
        claude_result("u4", "p1", "t1", [{"type": "text", "text": "C"}]),
        claude_user("u5", "u3", "D"),
        boundary,
        claude_user("u6", "b1", "E", isCompactSummary=True),
        claude_user("u7", "gone", "F", isSidechain=False),
        {"type": "summary", "summary": "S", "leafUuid": "u7"},
        claude_record("attachment", "x1", "u7", attachment={"type": "queued_command", "prompt": "G"}),
    ]
    made.append(lines(records))
    rollback = codex_record("event_msg", {"type": "thread_rolled_back", "num_turns": 1})
    fork = codex(TALK, "k-2")
    fork[0] = codex_meta("k-2", forked_from_id="k-1")
    made.append(lines([*fork[:1], codex_meta("k-1"), codex_turn("t-1"), *fork[1:4], codex_turn("t-2"), rollback]))
    nodes = [chatgpt_node("n1", None), chatgpt_node("n2", "n1", "assistant"), chatgpt_node("n3", "n1", "tool")]
    made.append(json.dumps([chatgpt_conversation(nodes, "n2", f"g-{i}") for i in range(3)], indent=1).encode())
    claims = [{"key": "k", "value": 1, "evidence": 4, "derived_from": [["a"], [{"key": "b", "value": "c"}]]}]
    made.append(json.dumps({"id": "a", "trust": 2, "claims": claims, "messages": []}).encode())
    chat = [{"role": role, "content": "x", "created_at": NOW} for role in ("system", "user", "assistant", "tool")]
    chat[2] |= {"content": None, "tool_calls": [{"function": {"name": "f", "arguments": "{}"}}]}
    made += [lines(chat), json.dumps(chat).encode(), lines([{"id": "a", "messages": chat}, {"messages": chat}])]
    return made


def mutated(choose: Random, files: list[bytes]) -> bytes:
    """One of `files` after one to four mutations, at most `MAX_BYTES` long."""
    raw = choose.choice(files)
    for _ in range(choose.choice((1, 1, 1, 2, 4))):
        raw = choose.choice(MUTATIONS)(choose, raw, files)[:MAX_BYTES]
    return raw


Mutation = Callable[[Random, bytes, list[bytes]], bytes]


def _values(choose: Random, raw: bytes, files: list[bytes]) -> bytes:
    """Change what stands somewhere in the JSON of one line, or of the document."""
    rows = raw.split(b"\n")
    at = choose.randrange(len(rows))
    try:
        value = json.loads(rows[at])
        strings = _strings(value)
        for _ in range(choose.randint(1, 3)):
            value = _changed(choose, value, strings)
        rows[at] = json.dumps(value).encode()
    except (ValueError, RecursionError):
        return _bytes(choose, raw, files)
    return b"\n".join(rows)


def _strings(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value]
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [string for each in inner for string in _strings(each)]


def _changed(choose: Random, value: Any, strings: list[str]) -> Any:
    """`value` with one thing in it replaced, taken out, doubled or wrapped."""
    if isinstance(value, dict | list) and value and choose.random() < 0.85:
        copy: Any = dict(value) if isinstance(value, dict) else list(value)
        at = choose.choice(list(copy)) if isinstance(copy, dict) else choose.randrange(len(copy))
        kind = choose.random()
        if kind < 0.1:
            del copy[at]
        elif kind < 0.2 and isinstance(copy, dict):
            copy[choose.choice([*strings, "id", "0", "type"])] = copy[at]
        elif kind < 0.2:
            copy.insert(choose.randrange(len(copy) + 1), copy[at])
        else:
            copy[at] = _changed(choose, copy[at], strings)
        return copy
    kind = choose.random()
    if kind < 0.3 and strings:
        return choose.choice(strings)
    if kind < 0.4:
        return [value] * choose.choice((1, 2, 50))
    if kind < 0.45:
        deep: Any = value
        for _ in range(choose.choice((5, 100, 400))):
            deep = [deep] if choose.random() < 0.5 else {"text": deep}
        return deep
    return choose.choice(ODD)


def _lines(choose: Random, raw: bytes, files: list[bytes]) -> bytes:
    """Repeat, drop, move, shuffle or splice lines, or take some from another file."""
    rows = raw.split(b"\n")
    at, to = choose.randrange(len(rows)), choose.randrange(len(rows))
    match choose.randrange(7):
        case 0:
            rows.insert(to, rows[at])
        case 1:
            del rows[at]
        case 2:
            rows.insert(to, rows.pop(at))
        case 3:
            choose.shuffle(rows)
        case 4:
            cut = choose.randrange(len(rows[at]) + 1)
            rows[at] = rows[at][:cut] + rows[to] + choose.choice((b"", rows[at][cut:]))
        case 5:
            rows[to:to] = choose.choice(files).split(b"\n")[: choose.randint(1, 5)]
        case _:
            rows[at : at + 1] = [rows[at]] * choose.choice((2, 2, 20, 1000))
    return b"\n".join(rows)


def _bytes(choose: Random, raw: bytes, files: list[bytes]) -> bytes:
    """Flip, insert, delete or repeat bytes, cut the file, or go on with another one."""
    at = choose.randrange(len(raw) + 1)
    to = min(len(raw), at + choose.choice((1, 2, 8, 100)))
    match choose.randrange(7):
        case 0:
            return raw[:at] + bytes([choose.randrange(256)]) + raw[at + 1 :]
        case 1:
            return raw[:at] + choose.choice(TOKENS) + raw[at:]
        case 2:
            return raw[:at] + raw[to:]
        case 3:
            return raw[:at] + raw[at:to] * choose.choice((2, 2, 10, 1000)) + raw[to:]
        case 4:
            return raw[:at]
        case 5:
            other = choose.choice(files)
            return raw[:at] + other[choose.randrange(len(other)) :]
        case _:
            return raw[:at] + choose.choice(TOKENS) * choose.choice((2, 2, 100, 50_000)) + raw[at:]


def _frames(choose: Random, raw: bytes, _: list[bytes]) -> bytes:
    """Compress in frames that end where lines do, or anywhere."""
    compressor = zstandard.ZstdCompressor(write_checksum=choose.random() < 0.5)
    rows = raw.splitlines(keepends=True)
    size = choose.choice((1, 2, 1000))
    pieces = [b"".join(rows[i : i + size]) for i in range(0, len(rows), size)]
    if choose.random() < 0.2:
        cut = choose.randrange(len(raw) + 1)
        pieces = [raw[:cut], raw[cut:]]
    return b"".join(map(compressor.compress, pieces))


MUTATIONS: tuple[Mutation, ...] = (*[_values] * 8, _lines, _lines, _bytes, _bytes, _frames)
