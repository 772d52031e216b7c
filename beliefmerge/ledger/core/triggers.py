"""Passes in force: which claims they retract, and whose votes count in them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(slots=True)
class Pass:
    """A recorded pass."""

    seq: int
    contradiction: int
    target: int
    votes: tuple[int, ...]
    due: dict[str, tuple[int, int]]
    """The reputation changes it calls for: alpha and beta added, by source."""
    restored: int | None = None
    """Sequence number of the restoration that undid it."""


class Triggers:
    """The passes in force."""

    def __init__(self) -> None:
        self.on: dict[int, list[int]] = {}
        """The passes in force on each claim that is the target of any, in the order of the log."""
        self.voted: dict[int, int] = {}
        """In how many passes in force the vote of an observation counts, where it does in any."""

    def add(self, found: Pass) -> bool:
        """Put a pass in force; whether it is the first on its target."""
        for vote in found.votes:
            self.voted[vote] = self.voted.get(vote, 0) + 1
        on = self.on.setdefault(found.target, [])
        on.append(found.seq)
        return len(on) == 1

    def remove(self, found: Pass) -> bool:
        """Put a pass out of force; whether it was the last on its target."""
        for vote in found.votes:
            self.voted[vote] -= 1
            if not self.voted[vote]:
                del self.voted[vote]
        on = self.on[found.target]
        on.remove(found.seq)
        if not on:
            del self.on[found.target]
        return not on
