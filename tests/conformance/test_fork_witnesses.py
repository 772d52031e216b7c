"""Copied claims count once: in every format that can fork, with and without message ids, through the real merge.

A case gives files that hold copies of one trunk, and their own ends. Each is read as a stranger would read it.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from beliefmerge.pipeline import merge
from beliefmerge.session.model import Session
from beliefmerge.session.readers import read_sessions
from tests.builders import (
    chatgpt_conversation,
    chatgpt_node,
    claude_ai_row,
    claude_reply,
    claude_result,
    claude_user,
    codex_meta,
    codex_record,
    codex_said,
    codex_turn,
    dsh_event,
    dsh_header,
    dsh_reply,
    dsh_result,
    dsh_user,
    lines,
    stamp,
)

USER, MODEL, TOOL = "The database is MySQL.", "The cache TTL is 60 seconds.", "region=eu-west-1"
ENDS = ("The queue is Kafka.", "The search engine is Solr.")
TRUNK_VALUES = {"MySQL", "60 seconds", "eu-west-1"}


def _dsh(version: int, *, ids: bool) -> list[bytes]:
    def events(*made: Any) -> list[Any]:
        return list(made) if ids else [_without(event, "id") for event in made]

    trunk = events(dsh_user(0, USER), dsh_reply(1, MODEL), dsh_result(2, TOOL, version))
    mark = [dsh_event("session/end-seed", 3, {"inherited": True})] if version >= 2 else []
    seed: dict[str, Any] = {"isSeeded": True} if version >= 2 else {"seedLength": 3}
    files = [lines([dsh_header("a", version), *trunk])]
    for name, end in zip("bc", ENDS, strict=True):
        own = events(dsh_user(3 + len(mark), end, id=f"own-{name}"))
        header = dsh_header(name, version, parentSession="a", **seed)
        files.append(lines([header, *trunk, *mark, *own]))
    return files


def _without(value: Any, key: str) -> Any:
    if isinstance(value, dict):
        return {name: _without(each, key) for name, each in value.items() if name != key}
    return [_without(each, key) for each in value] if isinstance(value, list) else value


def _claude_trunk() -> list[Any]:
    result = claude_result("u3", "u2", "t1", TOOL)
    return [claude_user("u1", None, USER), claude_reply("u2", "u1", MODEL), result]


def _claude_code(*, ids: bool) -> list[bytes]:
    """``/branch`` writes a new file with the same uuids; `ids` are those of the replies."""
    files = [_claude_trunk()]
    for name, end in zip("bc", ENDS, strict=True):
        copies = [record | {"sessionId": name, "forkedFrom": {"sessionId": "c-1"}} for record in _claude_trunk()]
        files.append([*copies, claude_user(f"own-{name}", "u3", end) | {"sessionId": name}])
    if not ids:
        for record in (record for records in files for record in records):
            record["message"].pop("id", None)
    return [lines(records) for records in files]


def _claude_siblings(*, ids: bool) -> list[bytes]:
    """An edited prompt is a branch of the same file."""
    records = [*_claude_trunk(), *(claude_user(f"own-{i}", "u3", end) for i, end in enumerate(ENDS))]
    if not ids:
        for record in records:
            record["message"].pop("id", None)
    return [lines(records)]


def _codex(*, timed: bool) -> list[bytes]:
    """Rollouts have no message ids; a replay ends where the turn ids tell, by their time or by being others."""
    told = "019a0000-0000-7000-8000-000000000001" if timed else "turn-a"
    output = codex_record("response_item", {"type": "function_call_output", "call_id": "c", "output": TOOL})
    trunk = [codex_turn(told), codex_said("user", USER), codex_said("assistant", MODEL), output]
    files = [lines([codex_meta("a"), *trunk])]
    for i, end in enumerate(ENDS, 1):
        name = f"019a8000-0000-7000-8000-00000000000{i}" if timed else f"fork-{i}"
        own = f"019b0000-0000-7000-8000-00000000000{i}" if timed else f"turn-{i}"
        meta = codex_meta(name, forked_from_id="a")
        files.append(lines([meta, codex_meta("a"), *trunk, codex_turn(own, 30), codex_said("user", end, 30)]))
    return files


def _chatgpt(*, ids: bool) -> list[bytes]:
    nodes = [
        chatgpt_node("n1", None, text=USER),
        chatgpt_node("n2", "n1", "assistant", MODEL),
        chatgpt_node("n3", "n2", "tool", TOOL),
        *(chatgpt_node(f"own-{i}", "n3", text=end) for i, end in enumerate(ENDS)),
    ]
    if not ids:
        for node in nodes:
            del node["message"]["id"]
    return [json.dumps([chatgpt_conversation(nodes, "own-1")]).encode()]


def _chatgpt_exports(*, ids: bool) -> list[bytes]:
    """The same conversation exported twice, talked on in between."""
    (both,) = _chatgpt(ids=ids)
    (conversation,) = json.loads(both)
    earlier = conversation | {"current_node": "n3"}
    earlier["mapping"] = {key: node for key, node in earlier["mapping"].items() if not key.startswith("own")}
    return [json.dumps([earlier]).encode(), both]


def _claude_ai(*, ids: bool) -> list[bytes]:
    """Without uuids there are no branches in a file: two exports of one conversation, one talked on."""
    tool = {"type": "tool_result", "content": [{"type": "text", "text": TOOL}]}
    rows = [
        claude_ai_row("r1", None, "human", [{"type": "text", "text": USER}]),
        claude_ai_row("r2", "r1", "assistant", [{"type": "text", "text": MODEL}, tool]),
        *(claude_ai_row(f"own-{i}", "r2", "human", [{"type": "text", "text": end}]) for i, end in enumerate(ENDS)),
    ]
    if ids:
        return [json.dumps([{"uuid": "w-1", "name": "Talk", "chat_messages": rows}]).encode()]
    bare = [{"sender": row["sender"], "content": row["content"], "created_at": stamp(0)} for row in rows]
    exports = (bare[:2], bare[:3], bare)
    return [json.dumps([{"uuid": "w-1", "name": "Talk", "chat_messages": each}]).encode() for each in exports]


CASES: dict[str, Callable[[], list[bytes]]] = {
    **{f"dsh v{v}, ids": lambda v=v: _dsh(v, ids=True) for v in range(5)},  # type: ignore[misc]
    **{f"dsh v{v}, no ids": lambda v=v: _dsh(v, ids=False) for v in range(5)},  # type: ignore[misc]
    "claude_code /branch, ids": lambda: _claude_code(ids=True),
    "claude_code /branch, no reply ids": lambda: _claude_code(ids=False),
    "claude_code siblings, ids": lambda: _claude_siblings(ids=True),
    "claude_code siblings, no reply ids": lambda: _claude_siblings(ids=False),
    "codex, timed turns": lambda: _codex(timed=True),
    "codex, plain turns": lambda: _codex(timed=False),
    "chatgpt branches, ids": lambda: _chatgpt(ids=True),
    "chatgpt branches, node keys": lambda: _chatgpt(ids=False),
    "chatgpt exports, ids": lambda: _chatgpt_exports(ids=True),
    "chatgpt exports, node keys": lambda: _chatgpt_exports(ids=False),
    "claude_ai branches, ids": lambda: _claude_ai(ids=True),
    "claude_ai exports, no ids": lambda: _claude_ai(ids=False),
}
every_fork = pytest.mark.parametrize("case", CASES)


def sessions_of(case: str, folder: Path) -> list[Session]:
    found: list[Session] = []
    for i, raw in enumerate(CASES[case]()):
        path = folder / f"file{i}"
        path.write_bytes(raw)
        found += read_sessions(path)
    return found


def heard(sessions: list[Session]) -> dict[str, int]:
    """Witnesses of every value."""
    return {value: n for slot in merge(sessions).slots for value, n in slot.heard}


@every_fork
def test_what_was_copied_counts_once(case, tmp_path):
    sessions = sessions_of(case, tmp_path)
    assert len(sessions) >= 2
    for order in (sessions, sessions[::-1], [*sessions, *sessions]):
        found = heard(order)
        assert found.keys() >= TRUNK_VALUES, "the trunk is read"
        assert {value: found[value] for value in TRUNK_VALUES} == dict.fromkeys(TRUNK_VALUES, 1)
        assert found.keys() >= {"Kafka", "Solr"}, "the ends are read"


@every_fork
def test_the_same_words_in_sessions_that_share_nothing_count_each_time(case, tmp_path):
    """The mutant: where the copies are told apart, the count shows it."""
    sessions = [
        replace(
            session,
            id=f"{session.id}-{i}",
            messages=tuple(
                replace(message, session=f"{session.id}-{i}", id=None, origin=None) for message in session.messages
            ),
        )
        for i, session in enumerate(sessions_of(case, tmp_path))
    ]
    found = heard(sessions)
    assert {found[value] for value in TRUNK_VALUES} == {len(sessions)}
