"""A claim as a state keeps it."""

from __future__ import annotations

import msgspec

from beliefmerge.ledger.core.trust import Tier


class Node(msgspec.Struct, gc=False):
    """A claim as the state keeps it."""

    kind: Tier
    text: str
    claim: str | None
    parents: tuple[int, ...] = ()
    source: str | None = None
    url: str | None = None
