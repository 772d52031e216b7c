"""From a tree of messages to a conversation whose branches share their trunk."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Mapping
from dataclasses import replace
from typing import NamedTuple

from beliefmerge.session.model import Block, Message, Session
from beliefmerge.session.reader import Conversation, distinct, flags, kept
from beliefmerge.session.text import shortest_names
from beliefmerge.session.tree import Tree


class Spoken(NamedTuple):
    """A message that has no place yet."""

    blocks: tuple[Block, ...]
    id: str | None
    time: float | None
    checkpoint: bool = False


def branching(
    base: Session, tree: Tree[str], spoken: Mapping[str, Spoken], current: str | None, counts: Counter[str]
) -> Conversation:
    """The conversation of `base`, a branch for each leaf of `tree` once nodes that say nothing are passed through.

    `spoken` is by node; how many messages stand above one is its ``seq``, the same on every branch. The active branch
    ends at the message nearest above the node `current`; where `current` is None or unknown, at the leaf with the
    latest time. A `current` that has messages below it is a branch of its own. The active branch has the id of `base`,
    another one ``id@branch``.
    """
    said = tree.contract(spoken.__contains__)
    leaves = said.leaves()
    active = _nearest(tree, spoken, current) or _latest(leaves, spoken)
    tips = [active, *(leaf for leaf in reversed(leaves) if leaf != active)] if active is not None else []
    names = {short: leaf for leaf, short in shortest_names(tips).items()}
    first = next(iter(names), base.id)
    made: dict[str, Message] = {}

    def load(branch: str) -> Session:
        path = said.path(names[branch]) if names else []
        for seq, node in enumerate(path):
            if node not in made:
                each = spoken[node]
                made[node] = Message(each.blocks, seq, base.id, each.id, each.time, checkpoint=each.checkpoint)
        own = counts.copy()
        return replace(
            base,
            id=base.id if branch == first else f"{base.id}@{branch}",
            messages=distinct([made[node] for node in path], own),
            branch=branch if len(names) > 1 else None,
            branches=max(1, len(names)),
            flags=flags(own),
            meta={**base.meta, "counts": kept(own)},
        )

    return Conversation(base.id, tuple(names) or (base.id,), load, base.title)


def _nearest(tree: Tree[str], spoken: Container[str], node: str | None) -> str | None:
    while node is not None and node not in spoken:
        node = tree.parent.get(node)
    return node


def _latest(leaves: list[str], spoken: Mapping[str, Spoken]) -> str | None:
    """The leaf with the latest time; of equal ones, the one written last."""
    order = {leaf: (spoken[leaf].time or 0.0, i) for i, leaf in enumerate(leaves)}
    return max(order, key=lambda leaf: order[leaf], default=None)
