"""Claude.ai data exports: conversations with `chat_messages`, a tree by `parent_message_uuid` in newer exports."""

from __future__ import annotations

from collections import Counter
from typing import Any

from beliefmerge.session.forest import Said, branching
from beliefmerge.session.jsontext import compact
from beliefmerge.session.model import Block, Channel, Session
from beliefmerge.session.reader import Conversation, block
from beliefmerge.session.readers._export import Export
from beliefmerge.session.shelf import Spoken
from beliefmerge.session.source import Source
from beliefmerge.session.text import as_dict, as_id, as_list, as_text, clean, seconds
from beliefmerge.session.tree import Tree, numbered

_ROOT = "00000000-0000-4000-8000-000000000000"
_CHANNEL = {"human": Channel.USER, "assistant": Channel.MODEL}


class _ClaudeAI(Export):
    def is_conversation(self, value: Any) -> bool:
        """An object with `chat_messages`."""
        return isinstance(value, dict) and isinstance(value.get("chat_messages"), list)

    def conversation(self, source: Source, value: dict[str, Any], counts: Counter[str]) -> Conversation:
        """The tree by `parent_message_uuid`; one thread in exports that have none."""
        rows = [each for each in value["chat_messages"] if isinstance(each, dict)]
        counts["skipped-message"] += len(value["chat_messages"]) - len(rows)
        linked = any("parent_message_uuid" in row for row in rows)
        parents: dict[str, str | None] = {}
        said: list[Spoken | None] = []
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
            said.append(Spoken(blocks, uuid, seconds(row.get("created_at"))) if blocks else None)
        base = Session(
            id=as_id(value.get("uuid")) or source.path.stem,
            format="claude_ai",
            title=as_text(value.get("name")) or None,
            path=str(source.path),
        )
        tree, names = Tree(numbered(parents), counts), list(parents)
        leaf = as_id(value.get("current_leaf_message_uuid"))
        current = names.index(leaf) if leaf in parents else None
        return branching(base, tree, Said(names, said), current, counts)


READER = _ClaudeAI()


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
