"""A tenant's books: the folded state of its log, as the writer keeps it."""

from __future__ import annotations

from beliefmerge.ledger.core.embedding import Embed
from beliefmerge.ledger.core.entries import Entry, decode
from beliefmerge.ledger.core.state import State, Unknown
from beliefmerge.ledger.core.trust import Tier
from beliefmerge.ledger.core.validity import check
from beliefmerge.ledger.store.log import Row


class Books:
    """The state of `tenant`'s log so far; `embed` tells near-copies."""

    def __init__(self, tenant: str, embed: Embed | None = None) -> None:
        self.tenant = tenant
        self.state = State(embed)

    def apply(self, row: Row) -> None:
        """Take in the next row."""
        self.state.apply(decode(row.record), row.hash)

    def check(self, entry: Entry) -> None:
        """Raise Unknown or Invalid where `entry` may not be added."""
        check(self.state, entry)

    def seal(self, name: str) -> int:
        """The sequence number of the seal of that id. Raises Unknown for any other entry too."""
        place = self.state.place(name)
        node = self.state.nodes.get(place)
        if node is None or node.kind is not Tier.SEALED_UNVERIFIED:
            raise Unknown(f"no seal {name[:64]!r}")
        return place
