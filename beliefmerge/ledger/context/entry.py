"""What a renderer asks of an entry: whether it stands, and at which tier it is presented."""

from __future__ import annotations

from beliefmerge.ledger.core.trust import FALL
from beliefmerge.ledger.core.views import ContextEntry

TIERS = ("conjecture", "derived", "sealed_unverified", "sealed_verified")
"""Weakest first."""
_TAKEN_BACK = ("retracted", "quarantined")


def retracted(entry: ContextEntry) -> bool:
    """Whether `entry` itself was taken back: the target of a passing contradiction, or quarantined."""
    return entry.status in _TAKEN_BACK


def invalidated(entry: ContextEntry) -> bool:
    """Whether `entry` was taken back, or rested so wholly on what was that no more than f of certainty is left.

    A dependent that a pass reaches by weak edges only is downgraded and survives: also one of which little was believed
    before, if half of that is left.
    """
    half_left = entry.founding_ppm is not None and 2 * entry.belief_ppm >= entry.founding_ppm > 0
    return retracted(entry) or (entry.status == "fallen" and entry.belief_ppm <= FALL and not half_left)


def effective_tier(entry: ContextEntry) -> str:
    """The tier `entry` is presented at: its stored one, or what corroboration makes of it, whichever is higher."""
    return max(entry.tier, entry.render_tier, key=TIERS.index)
