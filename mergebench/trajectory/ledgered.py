"""A ledger's state as a working set."""

from __future__ import annotations

from collections.abc import Sequence

from beliefmerge.ledger.context import HEADING, invalidated, render
from beliefmerge.ledger.core.views import ContextEntry
from beliefmerge.ledger.transcript import TEMPLATE, entries_of
from mergebench.trajectory.arm import Request, WorkingSet


def rendered(
    entries: Sequence[ContextEntry], request: Request, *, contract: str = "v2", corroboration: bool = True
) -> WorkingSet:
    """`entries` under a contract, within the budget."""
    found = render(
        entries, contract=contract, budget=request.budget, tokens=request.tokens, corroboration=corroboration
    )
    standing = frozenset(line.entry.id for line in found.shown if not invalidated(line.entry))
    return WorkingSet(HEADING, TEMPLATE, entries_of(found), standing)
