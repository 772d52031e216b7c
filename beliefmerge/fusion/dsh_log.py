"""A fused session as a DeepSeek Harness log of format version 4: a header, then events with a dense `seq`.

Title, manifest, a system prompt of one rule and the boundary come first, then the messages as native events in closed
turns and steps of their own: a turn for each message of the user with the answers to it, a step for each answer. The
harness refuses a log in which turns do not count from 1, an assistant's message stands outside an open step or names
no provider and model, or the header has a key that it does not know. It appends its system prompt to a log that has
none, and then refuses that log, because a system prompt can only be the first message.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from beliefmerge.fusion.boundary import PRODUCER, SYSTEM_RULE
from beliefmerge.fusion.message import FusedMessage, Role
from beliefmerge.session.strands import EVENT

VERSION = 4
UNKNOWN = "unknown"
"""Provider or model of an assistant's message whose log does not say."""


@dataclass(frozen=True, slots=True)
class Heading:
    """What a log says of itself. `created` is in milliseconds since the epoch; `cwd` is absolute."""

    id: str
    created: int
    cwd: str | None
    title: str
    provider: str | None = None
    model: str | None = None
    agent_preset: str | None = None


@dataclass
class _Log:
    """Events as they are written, and the turn and step that are open."""

    heading: Heading
    events: list[dict[str, Any]] = field(default_factory=list)
    turn: int = 0
    step: int = 0
    open: bool = False

    def add(self, kind: str, time: int, data: dict[str, Any], **more: Any) -> int:
        self.events.append({"type": kind, "seq": len(self.events), "time": time, "data": data, **more})
        return len(self.events) - 1

    def start_turn(self, time: int) -> None:
        self.end_turn(time)
        self.turn, self.step, self.open = self.turn + 1, 0, True
        self.add("turn/start", time, {"turn": self.turn})
        self.start_step(time)

    def start_step(self, time: int) -> None:
        if self.step:
            self.add("step/end", time, {"turn": self.turn, "step": self.step})
        self.step += 1
        self.add("step/start", time, {"turn": self.turn, "step": self.step})

    def end_turn(self, time: int) -> None:
        if self.open:
            self.add("step/end", time, {"turn": self.turn, "step": self.step})
            self.add("turn/end", time, {"turn": self.turn, "reason": {"kind": "completed"}})
            self.open = False


def first_seqs(messages: Sequence[FusedMessage]) -> list[int]:
    """The sequence number that each of `messages` gets in the log."""
    log = _Log(Heading("", 0, None, ""))
    return _write(log, "", {}, messages)


def events(
    heading: Heading, boundary: str, manifest: dict[str, Any], messages: Sequence[FusedMessage]
) -> list[dict[str, Any]]:
    """The header line and the events."""
    log = _Log(heading)
    _write(log, boundary, manifest, messages)
    if heading.provider and heading.model:
        log.add("model/selection", heading.created, {"provider": heading.provider, "model": heading.model})
    header: dict[str, Any] = {"type": "session", "version": VERSION, "id": heading.id, "createdAt": heading.created}
    header |= {"cwd": heading.cwd} if heading.cwd is not None else {}
    header |= {"isSeeded": False, "delegationDepth": 0}
    header |= {"agentPreset": heading.agent_preset} if heading.agent_preset else {}
    return [header, *log.events]


def encode(records: Sequence[dict[str, Any]], *, compressed: bool) -> bytes:
    """The bytes of a log: lines of JSON, or two zstd frames, the first of which is exactly the header line."""
    lines = [json.dumps(record, ensure_ascii=False, separators=(",", ":")).encode() + b"\n" for record in records]
    if not compressed:
        return b"".join(lines)
    import zstandard

    compressor = zstandard.ZstdCompressor(write_checksum=True)
    return compressor.compress(lines[0]) + compressor.compress(b"".join(lines[1:]))


def _write(log: _Log, boundary: str, manifest: dict[str, Any], messages: Sequence[FusedMessage]) -> list[int]:
    created = log.heading.created
    log.add("session/title", created, {"title": log.heading.title, "messageSeqs": [], "source": {"kind": "user"}})
    log.add(EVENT, created, manifest, ignorable=True)
    log.start_turn(created)
    rule: dict[str, Any] = {"id": f"{log.heading.id}-rule", "role": "system", "content": _content((SYSTEM_RULE,))}
    rule["source"] = {"kind": "system-prompt"}
    log.add("system/message", created, {"turn": log.turn, "step": log.step, "message": rule}, surfaceOp="append")
    opening = {"id": f"{log.heading.id}-boundary", "role": "user", "content": _content((boundary,))}
    log.add("user/message", created, opening | {"source": {"kind": PRODUCER}}, surfaceOp="append")
    log.end_turn(created)
    seqs: list[int] = []
    time = next((message.time for message in messages if message.time is not None), created)
    answered = False
    for message in messages:
        time = time if message.time is None else message.time
        if not log.open or message.role is not Role.ASSISTANT:
            log.start_turn(time)
        elif answered:
            log.start_step(time)
        answered = message.role is Role.ASSISTANT
        seqs.append(_add_message(log, message, time))
    log.end_turn(time)
    return seqs


def _add_message(log: _Log, message: FusedMessage, time: int) -> int:
    said = {"id": message.id, "content": _content(message.texts)}
    if message.role is Role.ASSISTANT:
        source = {"kind": "model", "provider": message.provider or UNKNOWN, "model": message.model or UNKNOWN}
        data = {
            "turn": log.turn,
            "step": log.step,
            "stream": [],
            "message": said | {"role": "assistant", "source": source},
        }
        return log.add("assistant/message", time, data, surfaceOp="append")
    kind = "compact-checkpoint" if message.role is Role.CHECKPOINT else "user"
    return log.add("user/message", time, said | {"role": "user", "source": {"kind": kind}}, surfaceOp="append")


def _content(texts: Sequence[str]) -> list[dict[str, str]]:
    return [{"type": "text", "text": text} for text in texts]
