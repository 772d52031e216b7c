"""From a tree of messages to a conversation whose branches share their trunk."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from beliefmerge.session.model import Message, Session
from beliefmerge.session.reader import Conversation, flags, gathered, kept
from beliefmerge.session.shelf import Spoken
from beliefmerge.session.text import shortest_names
from beliefmerge.session.tree import NONE, Tree


class Nodes(Protocol):
    """What the nodes of a tree say."""

    @property
    def speaks(self) -> Sequence[int]:
        """A true value for each node that says something."""
        ...

    @property
    def large(self) -> bool:
        """Whether the messages are too many to hold together."""
        ...

    def spoken(self, node: int) -> Spoken:
        """What a node that speaks says."""
        ...

    def id_hash(self, node: int) -> int:
        """0 for a message without an id; equal ids have equal ones."""
        ...

    def name(self, node: int) -> str:
        """No two nodes have one name."""
        ...


@dataclass(frozen=True)
class Said:
    """The nodes of a small tree: names, and what is said, by number."""

    names: Sequence[str]
    said: Sequence[Spoken | None]
    large: bool = False

    @property
    def speaks(self) -> Sequence[int]:
        """A true value for each node that says something."""
        return [spoken is not None for spoken in self.said]

    def spoken(self, node: int) -> Spoken:
        """What a node that speaks says."""
        spoken = self.said[node]
        if spoken is None:
            raise LookupError(f"node {node} says nothing")
        return spoken

    def id_hash(self, node: int) -> int:
        """0 for a message without an id; equal ids have equal ones."""
        name = self.spoken(node).id
        return 0 if name is None else hash(name) or 1

    def name(self, node: int) -> str:
        """The node's key in the file."""
        return self.names[node]


def branching(base: Session, tree: Tree, nodes: Nodes, current: int | None, counts: Counter[str]) -> Conversation:
    """The conversation of `base`, a branch for each leaf of `tree` once nodes that say nothing are passed through.

    How many messages stand above one is its ``seq``, the same on every branch. The active branch ends at the message
    nearest above the node `current`; where `current` is None, at the leaf with the latest time. A `current` that has
    messages below it is a branch of its own. The active branch has the id of `base`, another one ``id@branch``.
    """
    speaks = nodes.speaks
    said = tree.contract(speaks)
    leaves = said.leaves()
    active = _nearest(tree, speaks, current)
    if active is None:
        active = _latest(leaves, nodes)
    tips = [active, *(leaf for leaf in reversed(leaves) if leaf != active)] if active is not None else []
    shortened = shortest_names(nodes.name(tip) for tip in tips)
    names = {shortened[nodes.name(tip)]: tip for tip in tips}
    first = next(iter(names), base.id)
    made: dict[int, Message] = {}

    def load(branch: str) -> Session:
        path = said.path(names[branch]) if names else []
        own = counts.copy()

        def make(seq: int) -> Message:
            node = path[seq]
            if node in made:
                return made[node]
            message = nodes.spoken(node).message(seq, base.id)
            if not nodes.large:
                made[node] = message
            return message

        hashes = [nodes.id_hash(node) for node in path] if nodes.large else None
        return replace(
            base,
            id=base.id if branch == first else f"{base.id}@{branch}",
            messages=gathered(len(path), make, own, hashes),
            branch=branch if len(names) > 1 else None,
            branches=max(1, len(names)),
            flags=flags(own),
            meta={**base.meta, "counts": kept(own)},
        )

    return Conversation(base.id, tuple(names) or (base.id,), load, base.title)


def _nearest(tree: Tree, speaks: Sequence[int], node: int | None) -> int | None:
    while node is not None and node != NONE and not speaks[node]:
        node = tree.parent[node]
    return None if node == NONE else node


def _latest(leaves: list[int], nodes: Nodes) -> int | None:
    """The leaf with the latest time; of equal ones, the one written last."""
    return max(leaves, key=lambda leaf: (nodes.spoken(leaf).time or 0.0, leaf), default=None)
