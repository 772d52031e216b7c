"""Codex rollouts: `{timestamp, type, payload}` a line, the conversation in the `response_item` records.

`event_msg` records tell the same again and are left out, save for a rollback of turns. Messages have no ids. A fork
begins with a replay of its parent's history under new time stamps: those messages are keyed by the parent and their
place in its log. The replay ends with the first turn that the fork itself began.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from beliefmerge.session.jsontext import Damaged, compact, parse
from beliefmerge.session.model import Block, Channel, Message, Session
from beliefmerge.session.reader import Conversation, block, flags, gathered, kept, known, single
from beliefmerge.session.shelf import Shelf, Spoken
from beliefmerge.session.source import Head, Source
from beliefmerge.session.text import as_dict, as_id, as_list, as_text, clean, seconds

_TYPES = frozenset({"session_meta", "response_item", "event_msg", "turn_context", "compacted"})
_ITEMS = frozenset({"message", "reasoning", "function_call", "function_call_output", "local_shell_call"})
# What the harness puts into the user's mouth.
_INJECTED = (
    "<environment_context>",
    "<user_instructions>",
    "<turn_aborted>",
    "<user_shell_command>",
    "<skill>",
    "<subagent_notification>",
    "<permissions instructions>",
    "<collaboration_mode>",
    "<user_action>",
    "# AGENTS.md instructions",
    "<INSTRUCTIONS>",
    "Another language model started to solve this problem",
)
_CLOSE = 2.0
"""Seconds within which a whole replay is stamped."""


@dataclass
class _Rollout:
    """A rollout as it is read. Messages are numbered as they come, which is also their number on the shelf.

    `kept` are those that were not taken back, `starts` the places in it of the user's. `turns` are (turn id, time of
    its record, messages before it).
    """

    id: str | None = None
    parent: str | None = None
    cwd: str | None = None
    model: str | None = None
    version: str | None = None
    begun: float | None = None
    shelf: Shelf = field(default_factory=Shelf)
    kept: array[int] = field(default_factory=lambda: array("i"))
    starts: array[int] = field(default_factory=lambda: array("i"))
    turns: list[tuple[str, float | None, int]] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)


class _Codex:
    def sniff(self, head: Head) -> float:
        """Records with a payload under one of the known types; before 2025-09 bare items after a head with an id."""
        values = [value for value in head.values if isinstance(value, dict)]
        kinds = [value.get("type") for value in values[:8] if isinstance(value.get("payload"), dict)]
        if any(isinstance(kind, str) and kind in _TYPES for kind in kinds):
            return 1.0
        bare = [value for value in values if _is_item(value)]
        return 0.7 if bare and "timestamp" in values[0] and "id" in values[0] else 0.0

    def read(self, source: Source) -> Iterator[Conversation]:
        """One conversation without branches: a fork is a rollout of its own."""
        rollout = _Rollout()
        records = 0
        for _, record in source.records(rollout.counts, _is_record):
            records += 1
            if isinstance(record, dict):
                _take(rollout, record)
        if not records:
            raise source.error("no record can be read")
        yield single(_session(rollout, source))


READER = _Codex()


def _is_record(value: Any) -> bool:
    return isinstance(value, dict) and ("payload" in value or _is_item(value))


def _is_item(value: Any) -> bool:
    return isinstance(value, dict) and isinstance(value.get("type"), str) and value["type"] in _ITEMS


def _take(rollout: _Rollout, record: dict[str, Any]) -> None:
    kind = record.get("type")
    time = seconds(record.get("timestamp"))
    payload = as_dict(record.get("payload"))
    if kind == "session_meta" or (kind is None and rollout.id is None and "id" in record):
        _take_meta(rollout, payload or record, time)
    elif kind == "turn_context":
        rollout.cwd = rollout.cwd or as_id(payload.get("cwd"))
        rollout.model = as_id(payload.get("model")) or rollout.model
        _take_turn(rollout, as_id(payload.get("turn_id")), time)
    elif kind == "response_item":
        _say(rollout, _item(payload), time)
    elif kind == "compacted":
        _say(rollout, block(Channel.INJECTED, as_text(payload.get("message"))), time, checkpoint=True)
    elif kind == "event_msg":
        if payload.get("type") in ("task_started", "turn_started"):
            _take_turn(rollout, as_id(payload.get("turn_id")), time)
        elif payload.get("type") == "thread_rolled_back":
            _roll_back(rollout, payload.get("num_turns"))
    elif _is_item(record):
        _say(rollout, _item(record), time)


def _take_meta(rollout: _Rollout, meta: dict[str, Any], time: float | None) -> None:
    """The first one is the session's own, later ones are replayed with the parent's history."""
    if rollout.id is not None:
        return
    rollout.id = as_id(meta.get("id"))
    rollout.parent = as_id(meta.get("forked_from_id"))
    rollout.cwd = as_id(meta.get("cwd"))
    rollout.version = as_id(meta.get("cli_version"))
    rollout.begun = time if time is not None else seconds(meta.get("timestamp"))


def _take_turn(rollout: _Rollout, turn: str | None, time: float | None) -> None:
    if turn is not None and (not rollout.turns or rollout.turns[-1][0] != turn):
        rollout.turns.append((turn, time, len(rollout.shelf)))


def _say(rollout: _Rollout, blocks: tuple[Block, ...], time: float | None, *, checkpoint: bool = False) -> None:
    if blocks:
        if blocks[0].channel is Channel.USER:
            rollout.starts.append(len(rollout.kept))
        rollout.kept.append(rollout.shelf.add(Spoken(blocks, None, time, checkpoint)))


def _roll_back(rollout: _Rollout, turns: Any) -> None:
    """The user took back the last `turns` turns: from their first message on they are out."""
    count = turns if isinstance(turns, int) and not isinstance(turns, bool) else 0
    if count <= 0:
        return
    rollout.counts["rolled-back"] += 1
    back = min(count, len(rollout.starts))
    if back:
        del rollout.kept[rollout.starts[-back] :]
        del rollout.starts[-back:]


def _item(item: dict[str, Any]) -> tuple[Block, ...]:
    match item.get("type"):
        case "message":
            return _spoken(item)
        case "reasoning":
            parts = [*as_list(item.get("summary")), *as_list(item.get("content"))]
            return tuple(each for part in parts for each in block(Channel.REASONING, as_text(part)))
        case "function_call":
            return _call(item.get("name"), item.get("arguments"))
        case "custom_tool_call":
            return _call(item.get("name"), item.get("input"))
        case "local_shell_call":
            return _call("shell", item.get("action"))
        case "function_call_output" | "custom_tool_call_output":
            return block(Channel.TOOL, _output(item.get("output")))
        case _:
            return ()


def _spoken(item: dict[str, Any]) -> tuple[Block, ...]:
    role = item.get("role")
    channel = Channel.USER if role == "user" else Channel.MODEL if role == "assistant" else Channel.INJECTED
    content = item.get("content")
    blocks: tuple[Block, ...] = ()
    for part in content if isinstance(content, list) else [content]:
        text = as_text(part)
        injected = channel is Channel.USER and text.lstrip().startswith(_INJECTED)
        blocks += block(Channel.INJECTED if injected else channel, text)
    return blocks


def _call(name: Any, arguments: Any) -> tuple[Block, ...]:
    written = arguments if isinstance(arguments, str) else compact(arguments)
    return block(Channel.MODEL, clean(f"{as_text(name)} {written}"), "tool-call")


def _output(output: Any) -> str:
    """The text of a result; older ones are JSON in a string, with the text under `output`."""
    if isinstance(output, str) and output.startswith('{"'):
        try:
            inner = parse(output.encode("utf-8", "surrogatepass"))
        except Damaged:
            return as_text(output)
        if isinstance(inner, dict) and isinstance(inner.get("output"), str):
            return as_text(inner["output"])
    return as_text(output.get("content", output) if isinstance(output, dict) else output)


def _own_from(rollout: _Rollout) -> int:
    """The number of the first message that is the fork's own.

    Turn ids are UUIDs of version 7, which hold the time at which the turn first ran: the fork's own begin no earlier
    than the fork. Where ids are none, the replay is what was stamped at once with the session's start; where that
    tells nothing either, it ends where the turn id first changes.
    """
    if rollout.parent is None or not rollout.turns:
        return 0
    begun = _minted(rollout.id or "") or rollout.begun
    minted = [(_minted(turn), first) for turn, _, first in rollout.turns]
    if begun is not None and all(time is not None for time, _ in minted):
        return next((first for time, first in minted if time is not None and time >= begun), len(rollout.shelf))
    later = [
        first
        for _, time, first in rollout.turns
        if time is not None and rollout.begun is not None and time > rollout.begun + _CLOSE
    ]
    if later and later[0] > rollout.turns[0][2]:
        return later[0]
    return rollout.turns[1][2] if len(rollout.turns) > 1 else 0


def _minted(uuid: str) -> float | None:
    """Seconds since the epoch at which a version 7 UUID was made (RFC 9562, 5.7), else None."""
    digits = uuid.replace("-", "")
    if len(digits) != 32 or digits[12] != "7":
        return None
    try:
        return int(digits[:12], 16) / 1000
    except ValueError:
        return None


def _session(rollout: _Rollout, source: Source) -> Session:
    name = rollout.id or source.path.stem
    own = _own_from(rollout)

    def make(i: int) -> Message:
        seq = rollout.kept[i]
        return rollout.shelf[seq].message(seq, name, f"{rollout.parent}#{seq}" if seq < own else None)

    messages = gathered(len(rollout.kept), make, rollout.counts, [] if rollout.shelf.large else None)
    return Session(
        id=name,
        format="codex",
        messages=messages,
        cwd=rollout.cwd,
        parent=rollout.parent,
        flags=flags(rollout.counts),
        path=str(source.path),
        meta={**known(model=rollout.model, version=rollout.version), "counts": kept(rollout.counts)},
    )
