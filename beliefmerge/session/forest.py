"""From a tree of messages to a conversation whose branches share their trunk."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace

from beliefmerge.session.model import Message, Session
from beliefmerge.session.reader import Conversation, distinct, flags, kept
from beliefmerge.session.text import shortest_names
from beliefmerge.session.tree import Tree


def branching(
    base: Session, tree: Tree[str], messages: Mapping[str, Message], current: str | None, counts: Counter[str]
) -> Conversation:
    """The conversation of `base`, a branch for each leaf of `tree` once nodes without a message are passed through.

    `messages` are by node; their place in a branch becomes their `seq`. The active branch ends at the message nearest
    above the node `current`; where `current` is None or unknown, at the leaf with the latest time. A `current` that has
    messages below it is a branch of its own. The active branch has the id of `base`, another one ``id@branch``.
    """
    spoken = tree.contract(messages.__contains__)
    leaves = spoken.leaves()
    active = _nearest(tree, messages, current) or _latest(leaves, messages)
    tips = [active, *(leaf for leaf in reversed(leaves) if leaf != active)] if active is not None else []
    names = {short: leaf for leaf, short in shortest_names(tips).items()}
    first = next(iter(names), base.id)
    placed: dict[tuple[str, int], Message] = {}

    def load(branch: str) -> Session:
        path = spoken.path(names[branch]) if names else []
        for seq, node in enumerate(path):
            if (node, seq) not in placed:
                placed[node, seq] = _at(messages[node], seq)
        own = counts.copy()
        return replace(
            base,
            id=base.id if branch == first else f"{base.id}@{branch}",
            messages=distinct([placed[node, seq] for seq, node in enumerate(path)], own),
            branch=branch if len(names) > 1 else None,
            branches=max(1, len(names)),
            flags=flags(own),
            meta={**base.meta, "counts": kept(own)},
        )

    return Conversation(base.id, tuple(names) or (base.id,), load, base.title)


def _at(message: Message, seq: int) -> Message:
    return Message(message.blocks, seq, message.session, message.id, message.time, message.origin)


def _nearest(tree: Tree[str], messages: Mapping[str, Message], node: str | None) -> str | None:
    while node is not None and node not in messages:
        node = tree.parent.get(node)
    return node


def _latest(leaves: list[str], messages: Mapping[str, Message]) -> str | None:
    """The leaf with the latest time; of equal ones, the one written last."""
    order = {leaf: (messages[leaf].time or 0.0, i) for i, leaf in enumerate(leaves)}
    return max(order, key=lambda leaf: order[leaf], default=None)
