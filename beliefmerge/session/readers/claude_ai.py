"""Claude.ai data exports: conversations with `chat_messages`, a tree by `parent_message_uuid` in newer exports."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from beliefmerge.session.forest import Spoken, branching
from beliefmerge.session.jsontext import compact
from beliefmerge.session.model import Block, Channel, Session
from beliefmerge.session.reader import Conversation, block
from beliefmerge.session.source import Head, Shape, Source
from beliefmerge.session.text import as_dict, as_id, as_list, as_text, clean, seconds
from beliefmerge.session.tree import Tree

_ROOT = "00000000-0000-4000-8000-000000000000"
_CHANNEL = {"human": Channel.USER, "assistant": Channel.MODEL}


class _ClaudeAI:
    def sniff(self, head: Head) -> float:
        """Objects with `chat_messages`."""
        values = head.values if head.shape is not Shape.LINES else ()
        return 1.0 if 2 * sum(map(_is_conversation, values)) > len(values) else 0.0

    def read(self, source: Source) -> Iterator[Conversation]:
        """A conversation for each element; branches are named by the uuid of their last message."""
        counts: Counter[str] = Counter()
        whole = source.head.shape is Shape.OBJECT
        for value in [source.document] if whole else source.elements(counts):
            if _is_conversation(value):
                yield _conversation(source, value, counts.copy())
            else:
                counts["skipped-conversation"] += 1


READER = _ClaudeAI()


def _is_conversation(value: Any) -> bool:
    return isinstance(value, dict) and isinstance(value.get("chat_messages"), list)


def _conversation(source: Source, value: dict[str, Any], counts: Counter[str]) -> Conversation:
    name = as_id(value.get("uuid")) or source.path.stem
    rows = [each for each in value["chat_messages"] if isinstance(each, dict)]
    counts["skipped-message"] += len(value["chat_messages"]) - len(rows)
    linked = any("parent_message_uuid" in row for row in rows)
    parents: dict[str, str | None] = {}
    spoken: dict[str, Spoken] = {}
    previous: str | None = None
    for i, row in enumerate(rows):
        uuid = as_id(row.get("uuid"))
        key = uuid or f"#{i}"
        if key in parents:
            counts["duplicate-message"] += 1
            continue
        parent = as_id(row.get("parent_message_uuid")) if linked else previous
        parents[key] = None if parent == _ROOT else parent
        previous = key
        blocks = _blocks(row)
        if blocks:
            spoken[key] = Spoken(blocks, uuid, seconds(row.get("created_at")))
    base = Session(id=name, format="claude_ai", title=as_text(value.get("name")) or None, path=str(source.path))
    return branching(base, Tree(parents, counts), spoken, as_id(value.get("current_leaf_message_uuid")), counts)


def _blocks(row: dict[str, Any]) -> tuple[Block, ...]:
    sender = row.get("sender")
    channel = _CHANNEL.get(sender, Channel.INJECTED) if isinstance(sender, str) else Channel.INJECTED
    blocks: tuple[Block, ...] = ()
    for part in as_list(row.get("content")):
        blocks += _part(as_dict(part), channel)
    if not blocks:
        blocks = block(channel, as_text(row.get("text")))
    # A pasted document is the user's, its statements are not.
    for attachment in as_list(row.get("attachments")):
        blocks += block(Channel.INJECTED, as_text(as_dict(attachment).get("extracted_content")))
    return blocks


def _part(part: dict[str, Any], channel: Channel) -> tuple[Block, ...]:
    match part.get("type"):
        case "text" | "voice_note":
            return block(channel, as_text(part.get("text")))
        case "thinking":
            return block(Channel.REASONING if channel is Channel.MODEL else channel, as_text(part.get("thinking")))
        case "tool_use":
            call = f"{as_text(part.get('name'))} {compact(part.get('input'))}"
            return block(channel, clean(call), "tool-call")
        case "tool_result":
            return block(Channel.TOOL, as_text(part.get("content")))
        case _:
            return ()
