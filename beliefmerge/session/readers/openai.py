"""Chat messages of OpenAI-compatible interfaces: an object with `messages`, a bare array, or either on each line.

The format has no ids of its own: without one in the file a session is named by a digest of its content, so that the
same conversation read twice is one session, and its messages are keyed by that name and their place. Lines that are
conversations are several conversations; lines that are messages are one.
"""

from __future__ import annotations

import hashlib
from array import array
from collections import Counter
from collections.abc import Iterator
from typing import Any

from beliefmerge.session.jsontext import compact
from beliefmerge.session.model import Block, Channel, Message, Session
from beliefmerge.session.reader import Conversation, block, flags, gathered, kept
from beliefmerge.session.shelf import Shelf, Spoken
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
_SUMMARY = "compact-checkpoint"
_QUOTING = ("beliefmerge", _SUMMARY)
"""Names under which other sessions are quoted in a chat by `beliefmerge.injection` and `beliefmerge.fusion`."""
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
            chat = _Chat(Shelf())
            for element in source.elements(counts):
                chat.add(element.value, counts)
            yield chat.conversation(source, {}, counts)
        else:
            yield from _lines(source, counts)


READER = _OpenAI()


def _is_message(value: Any) -> bool:
    return (
        isinstance(value, dict)
        and isinstance(value.get("role"), str)
        and ("content" in value or "tool_calls" in value or "function_call" in value)
    )


def _is_conversation(value: Any) -> bool:
    messages = value.get("messages") if isinstance(value, dict) else value
    return isinstance(messages, list) and bool(messages) and all(map(_is_message, messages[:8]))


def _lines(source: Source, counts: Counter[str]) -> Iterator[Conversation]:
    shelf, own = Shelf(), Counter[str]()
    loose = _Chat(shelf)
    found: list[tuple[Conversation, Counter[str]]] = []
    for line, value in source.records(counts, lambda value: _is_message(value) or _is_conversation(value)):
        if _is_message(value):
            loose.add(value, own)
        elif _is_conversation(value):
            apart = Counter[str]()
            found.append((_conversation(source, value, apart, shelf), apart))
        else:
            raise source.error("neither a message nor a conversation", line)
    if loose.seen:
        found.append((loose.conversation(source, {}, own), own))
    # What is wrong with the file is known at its end, and is of concern to each conversation in it.
    for conversation, apart in found:
        apart.update(counts)
        yield conversation


def _conversation(source: Source, value: Any, counts: Counter[str], shelf: Shelf | None = None) -> Conversation:
    head = as_dict(value)
    chat = _Chat(Shelf() if shelf is None else shelf)
    for each in as_list(head.get("messages", value)):
        chat.add(each, counts)
    return chat.conversation(source, head, counts)


class _Chat:
    """The messages of one conversation as they come; conversations of one file share a shelf."""

    def __init__(self, shelf: Shelf) -> None:
        self._shelf = shelf
        self._places, self._seqs = array("i"), array("i")
        self._digest = hashlib.blake2b(digest_size=8)
        self.seen = 0

    def add(self, value: Any, counts: Counter[str]) -> None:
        """Take the next message; one that says nothing has a place only."""
        seq = self.seen
        self.seen += 1
        if not isinstance(value, dict):
            counts["skipped-message"] += 1
            return
        role = value.get("role")
        channel = _CHANNEL.get(role) if isinstance(role, str) else None
        counts["unknown-role"] += channel is None
        quoting = value.get("name") if channel is Channel.USER else None
        if quoting in _QUOTING:
            channel = Channel.INJECTED
        blocks = _blocks(value, channel or Channel.INJECTED)
        if not blocks:
            return
        time = seconds(value.get("created_at", value.get("timestamp")))
        said = Spoken(blocks, as_id(value.get("id")), time, quoting == _SUMMARY)
        self._places.append(self._shelf.add(said))
        self._seqs.append(seq)
        for each in blocks:
            # Formatting a member of an enumeration takes longer than hashing a text.
            self._digest.update("\x1f".join((str(seq), each.channel, each.kind, f"{each.text}\x1e")).encode())

    def conversation(self, source: Source, head: dict[str, Any], counts: Counter[str]) -> Conversation:
        """The conversation of the messages taken, named by their digest where `head` gives no id."""
        digest = f"openai-{self._digest.hexdigest()}"
        name = as_id(head.get("id")) or as_id(head.get("conversation_id")) or digest
        title = as_text(head.get("title")) or None

        def make(i: int) -> Message:
            return self._shelf[self._places[i]].message(self._seqs[i], name)

        def load(_: str) -> Session:
            own = counts.copy()
            hashes = [self._shelf.id_hashes[place] for place in self._places] if self._shelf.large else None
            return Session(
                id=name,
                format="openai",
                messages=gathered(len(self._places), make, own, hashes),
                title=title,
                flags=flags(own),
                path=str(source.path),
                meta={"counts": kept(own)},
            )

        return Conversation(name, (name,), load, title)


def _blocks(message: dict[str, Any], channel: Channel) -> tuple[Block, ...]:
    blocks: tuple[Block, ...] = ()
    if channel is Channel.MODEL and ("reasoning_content" in message or "reasoning" in message):
        blocks += block(Channel.REASONING, as_text(message.get("reasoning_content", message.get("reasoning"))))
    content = message.get("content")
    if isinstance(content, str):
        blocks += block(channel, clean(content))
        content = []
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
    if "tool_calls" not in message and "function_call" not in message:
        return blocks
    for call in [*as_list(message.get("tool_calls")), {"function": message.get("function_call")}]:
        function = as_dict(as_dict(call).get("function"))
        if function:
            arguments = function.get("arguments")
            written = arguments if isinstance(arguments, str) else compact(arguments)
            blocks += block(channel, clean(f"{as_text(function.get('name'))} {written}"), "tool-call")
    return blocks
