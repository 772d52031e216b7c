"""A ledger's state as a labelled, budgeted context for a model: contracts v1 and v2, and the inverse."""

from __future__ import annotations

from beliefmerge.ledger.context.contracts import CONTRACTS, HEADING, Line, Rendered, render
from beliefmerge.ledger.context.entry import TIERS, effective_tier, invalidated, retracted
from beliefmerge.ledger.context.parse import parse

__all__ = [
    "CONTRACTS",
    "HEADING",
    "TIERS",
    "Line",
    "Rendered",
    "effective_tier",
    "invalidated",
    "parse",
    "render",
    "retracted",
]
