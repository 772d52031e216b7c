"""ChatGPT data exports: conversations whose messages are a `mapping` of nodes, each with a parent.

The active branch runs from `current_node` up; first or last children say nothing. Exports without `children` have the
same tree, since `parent` is all that is read. Nodes without a message, and messages without a text, are passed through.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from beliefmerge.session.forest import Said, branching
from beliefmerge.session.model import Block, Channel, Session
from beliefmerge.session.reader import Conversation, block, known
from beliefmerge.session.readers._export import Export
from beliefmerge.session.shelf import Spoken
from beliefmerge.session.source import Source
from beliefmerge.session.text import as_dict, as_id, as_list, as_text, seconds
from beliefmerge.session.tree import Tree, numbered

_CHANNEL = {"user": Channel.USER, "assistant": Channel.MODEL, "tool": Channel.TOOL}
_INJECTED_CONTENT = ("user_editable_context", "model_editable_context", "system_error", "app_pairing_content")


class _ChatGPT(Export):
    def is_conversation(self, value: Any) -> bool:
        """An object with a `mapping` of nodes."""
        return isinstance(value, dict) and isinstance(value.get("mapping"), dict)

    def conversation(self, source: Source, value: dict[str, Any], counts: Counter[str]) -> Conversation:
        """The tree of `mapping`; a node without a name in `parent` is a root."""
        nodes = {key: node for key, node in value["mapping"].items() if isinstance(node, dict)}
        counts["skipped-message"] += len(value["mapping"]) - len(nodes)
        base = Session(
            id=as_id(value.get("conversation_id")) or as_id(value.get("id")) or source.path.stem,
            format="chatgpt",
            title=as_text(value.get("title")) or None,
            path=str(source.path),
            meta=known(model=as_id(value.get("default_model_slug"))),
        )
        tree = Tree(numbered(_parents(nodes)), counts)
        said = Said(list(nodes), [_said(key, node) for key, node in nodes.items()])
        return branching(base, tree, said, _current(said.names, as_id(value.get("current_node")), counts), counts)


READER = _ChatGPT()


def _parents(nodes: dict[str, dict[str, Any]]) -> dict[str, str | None]:
    """Parents as the nodes name them; where none does, as their parents' `children` do."""
    parents = {key: as_id(node.get("parent")) for key, node in nodes.items()}
    if any(parent is not None for parent in parents.values()):
        return parents
    for key, node in nodes.items():
        for child in as_list(node.get("children")):
            if isinstance(child, str) and child in parents and parents[child] is None and child != key:
                parents[child] = key
    return parents


def _current(names: Sequence[str], node: str | None, counts: Counter[str]) -> int | None:
    if node is not None and node not in names:
        counts["lost-current-node"] += 1
        return None
    return None if node is None else names.index(node)


def _said(key: str, node: dict[str, Any]) -> Spoken | None:
    message = as_dict(node.get("message"))
    blocks = _blocks(message)
    return Spoken(blocks, as_id(message.get("id")) or key, seconds(message.get("create_time"))) if blocks else None


def _blocks(message: dict[str, Any]) -> tuple[Block, ...]:
    content = message.get("content")
    if not isinstance(content, dict):
        return block(_channel(message, None), as_text(content))
    kind = content.get("content_type")
    channel = _channel(message, kind)
    if kind == "thoughts":
        thoughts = [as_dict(each) for each in as_list(content.get("thoughts"))]
        said = (block(channel, as_text(each.get("content", each.get("summary")))) for each in thoughts)
        return tuple(each for blocks in said for each in blocks)
    if kind == "code" and message.get("recipient") not in (None, "all"):
        call = f"{as_text(message.get('recipient'))} {as_text(content.get('text'))}"
        return block(channel, call, "tool-call")
    blocks: tuple[Block, ...] = ()
    for part in _parts(content):
        blocks += block(channel, as_text(part))
    return blocks


def _parts(content: dict[str, Any]) -> list[Any]:
    parts = content.get("parts")
    if isinstance(parts, list):
        return parts
    if isinstance(parts, dict):
        return [parts]
    fields = ("text", "result", "content", "user_profile", "user_instructions", "model_set_context")
    return [content[field] for field in fields if field in content]


def _channel(message: dict[str, Any], kind: Any) -> Channel:
    role = as_dict(message.get("author")).get("role")
    metadata = as_dict(message.get("metadata"))
    channel = _CHANNEL.get(role, Channel.INJECTED) if isinstance(role, str) else Channel.INJECTED
    hidden = metadata.get("is_visually_hidden_from_conversation") is True
    if kind in _INJECTED_CONTENT or (channel is Channel.USER and (hidden or metadata.get("is_user_system_message"))):
        return Channel.INJECTED
    if channel is Channel.MODEL and (kind in ("thoughts", "reasoning_recap") or message.get("channel") == "analysis"):
        return Channel.REASONING
    return channel
