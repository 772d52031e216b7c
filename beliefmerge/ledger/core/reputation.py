"""Sources' reputations: Beta counts that only passes change (Jøsang & Ismail 2002, the beta reputation system)."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass, field

PRIOR = (1, 1)
"""Alpha and beta of a source nothing is known of."""


@dataclass(slots=True)
class _Changes:
    """One source's changes in the order of the log, and the counts after each."""

    seqs: list[int] = field(default_factory=list)
    deltas: list[tuple[int, int, int]] = field(default_factory=list)
    """Alpha, beta, sequence number of the cascade that caused it."""
    counts: list[tuple[int, int]] = field(default_factory=lambda: [PRIOR])


class Reputations:
    """The counts of every source at every sequence number."""

    def __init__(self) -> None:
        self._sources: dict[str, _Changes] = {}
        self._caused: dict[int, dict[str, tuple[int, int]]] = {}

    def change(self, seq: int, source: str, alpha: int, beta: int, cause: int) -> None:
        """Record a change at `seq`, caused by the cascade at `cause`."""
        self._add(seq, source, alpha, beta, cause)
        caused = self._caused.setdefault(cause, {})
        before = caused.get(source, (0, 0))
        caused[source] = (before[0] + alpha, before[1] + beta)

    def _add(self, seq: int, source: str, alpha: int, beta: int, cause: int) -> None:
        changes = self._sources.setdefault(source, _Changes())
        before = changes.counts[-1]
        changes.seqs.append(seq)
        changes.deltas.append((alpha, beta, cause))
        changes.counts.append((before[0] + alpha, before[1] + beta))

    def undo(self, cause: int) -> None:
        """Forget what the cascade at `cause` changed."""
        for source in self._caused.pop(cause, {}):
            changes = self._sources.pop(source)
            for seq, (alpha, beta, why) in zip(changes.seqs, changes.deltas, strict=True):
                if why != cause:
                    self._add(seq, source, alpha, beta, why)

    def before(self, source: str, seq: int) -> tuple[int, int]:
        """Alpha and beta of `source` from the changes recorded before `seq`."""
        changes = self._sources.get(source)
        return changes.counts[bisect_left(changes.seqs, seq)] if changes else PRIOR

    def now(self) -> dict[str, tuple[int, int]]:
        """Alpha and beta of the sources that have changed, by name."""
        return {source: changes.counts[-1] for source, changes in sorted(self._sources.items())}

    def caused(self, cause: int) -> dict[str, tuple[int, int]]:
        """What the cascade at `cause` has changed so far: alpha and beta added, by source."""
        return dict(self._caused.get(cause, {}))
