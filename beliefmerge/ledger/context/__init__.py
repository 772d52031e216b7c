"""A ledger's state as a labelled, budgeted context for a model: contracts v1 and v2, and the inverse."""

from __future__ import annotations

from beliefmerge.ledger.context.contracts import CONTRACTS, HEADING, Line, Rendered, render
from beliefmerge.ledger.context.entry import ACTIVE, SEALED, TIERS, effective_tier, stands
from beliefmerge.ledger.context.parse import parse

__all__ = [
    "ACTIVE",
    "CONTRACTS",
    "HEADING",
    "SEALED",
    "TIERS",
    "Line",
    "Rendered",
    "effective_tier",
    "parse",
    "render",
    "stands",
]
