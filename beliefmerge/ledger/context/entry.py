"""What a renderer asks of an entry: whether it stands, and at which tier it is presented."""

from __future__ import annotations

from beliefmerge.ledger.wire import Shown

SEALED = ("sealed_unverified", "sealed_verified")
TIERS = ("conjecture", "derived", *SEALED)
"""Weakest first."""
ACTIVE = "active"
"""The status of an entry that stands; every other one means that it fell."""


def stands(entry: Shown) -> bool:
    """Whether nothing has invalidated `entry`."""
    return entry.status == ACTIVE


def effective_tier(entry: Shown) -> str:
    """max(stored tier, corroboration): a sealed entry that others vouch for is presented as verified."""
    if entry.corroborated and entry.tier in SEALED:
        return "sealed_verified"
    return max(entry.tier, entry.render_tier, key=TIERS.index)
