"""Chat messages of OpenAI-compatible interfaces: an object with `messages`, a bare array, or either on each line.

The format has no ids of its own: without one in the file a session is named by a digest of its content, so that the
same conversation read twice is one session, and its messages are keyed by that name and their place. Lines that are
conversations are several conversations; lines that are messages are one.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from beliefmerge.session.jsontext import compact
from beliefmerge.session.model import Block, Channel, Message, Session
from beliefmerge.session.reader import Conversation, block, distinct, flags, kept, single
from beliefmerge.session.source import Head, Shape, Source
from beliefmerge.session.text import as_dict, as_id, as_list, as_text, clean, seconds

_CHANNEL = {
    "user": Channel.USER,
    "assistant": Channel.MODEL,
    "tool": Channel.TOOL,
    "function": Channel.TOOL,
    "system": Channel.INJECTED,
    "developer": Channel.INJECTED,
}
_TEXT_PARTS = frozenset({"text", "input_text", "output_text", None})


class _OpenAI:
    def sniff(self, head: Head) -> float:
        """Messages are objects with a role and a content, tool calls or a function call."""
        values = head.values
        if not values:
            return 0.0
        if head.shape is Shape.OBJECT:
            return 0.9 if _is_conversation(values[0]) else 0.0
        if head.shape is Shape.ARRAY:
            return 0.9 if all(map(_is_message, values)) else 0.0
        sound = [value for value in values if _is_conversation(value) or _is_message(value)]
        return 0.9 * (2 * len(sound) > len(values))

    def read(self, source: Source) -> Iterator[Conversation]:
        """One conversation, or one for each line that holds one."""
        counts: Counter[str] = Counter()
        if source.head.shape is Shape.OBJECT:
            yield _conversation(source, source.document, counts)
        elif source.head.shape is Shape.ARRAY:
            yield _conversation(source, list(source.elements(counts)), counts)
        else:
            yield from _lines(source, counts)


READER = _OpenAI()


def _is_message(value: Any) -> bool:
    return (
        isinstance(value, dict)
        and isinstance(value.get("role"), str)
        and any(key in value for key in ("content", "tool_calls", "function_call"))
    )


def _is_conversation(value: Any) -> bool:
    messages = value.get("messages") if isinstance(value, dict) else value
    return isinstance(messages, list) and bool(messages) and all(map(_is_message, messages[:8]))


def _lines(source: Source, counts: Counter[str]) -> Iterator[Conversation]:
    loose: list[Any] = []
    for line, value in source.records(counts, lambda value: _is_message(value) or _is_conversation(value)):
        if _is_message(value):
            loose.append(value)
        elif _is_conversation(value):
            yield _conversation(source, value, counts)
        else:
            raise source.error("neither a message nor a conversation", line)
    if loose:
        yield _conversation(source, loose, counts)


def _conversation(source: Source, value: Any, counts: Counter[str]) -> Conversation:
    head = as_dict(value)
    counts = counts.copy()
    rows = list(_rows(head.get("messages", value), counts))
    name = as_id(head.get("id")) or as_id(head.get("conversation_id")) or _digest(rows)
    made = distinct([Message(blocks, seq, name, own_id, time) for seq, blocks, own_id, time in rows], counts)
    session = Session(
        id=name,
        format="openai",
        messages=made,
        title=as_text(head.get("title")) or None,
        flags=flags(counts),
        path=str(source.path),
        meta={"counts": kept(counts)},
    )
    return single(session)


_Row = tuple[int, tuple[Block, ...], str | None, float | None]


def _digest(rows: Iterable[_Row]) -> str:
    running = hashlib.blake2b(digest_size=8)
    for seq, blocks, *_ in rows:
        for each in blocks:
            running.update(f"{seq}\x1f{each.channel}\x1f{each.kind}\x1f{each.text}\x1e".encode())
    return f"openai-{running.hexdigest()}"


def _rows(values: Any, counts: Counter[str]) -> Iterator[_Row]:
    """(place, blocks, own id, time) of each message that says something."""
    for seq, value in enumerate(as_list(values)):
        if not isinstance(value, dict):
            counts["skipped-message"] += 1
            continue
        role = value.get("role")
        channel = _CHANNEL.get(role) if isinstance(role, str) else None
        counts["unknown-role"] += channel is None
        blocks = _blocks(value, channel or Channel.INJECTED)
        if blocks:
            time = seconds(value.get("created_at", value.get("timestamp")))
            yield seq, blocks, as_id(value.get("id")), time


def _blocks(message: dict[str, Any], channel: Channel) -> tuple[Block, ...]:
    blocks: tuple[Block, ...] = ()
    if channel is Channel.MODEL:
        blocks += block(Channel.REASONING, as_text(message.get("reasoning_content", message.get("reasoning"))))
    content = message.get("content")
    for part in content if isinstance(content, list) else [content]:
        kind = part.get("type") if isinstance(part, dict) else None
        if not isinstance(kind, str | None):
            continue
        if kind in ("reasoning", "thinking") and channel is Channel.MODEL:
            blocks += block(Channel.REASONING, as_text(as_dict(part).get("text", as_dict(part).get("thinking"))))
        elif kind == "refusal":
            blocks += block(channel, as_text(as_dict(part).get("refusal")))
        elif kind in _TEXT_PARTS:
            blocks += block(channel, as_text(part))
    for call in [*as_list(message.get("tool_calls")), {"function": message.get("function_call")}]:
        function = as_dict(as_dict(call).get("function"))
        if function:
            arguments = function.get("arguments")
            written = arguments if isinstance(arguments, str) else compact(arguments)
            blocks += block(channel, clean(f"{as_text(function.get('name'))} {written}"), "tool-call")
    return blocks
