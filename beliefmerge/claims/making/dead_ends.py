"""Dead ends: the claims of what a sentence rules out, or denies as a whole."""

from __future__ import annotations

from dataclasses import replace

from beliefmerge.claims.claim import Claim, ClaimType
from beliefmerge.claims.clauses.bare import without_lead
from beliefmerge.claims.said import chatter

_SALIENCE = 0.3
"""What ruling something out adds to the salience of its sentence: it keeps others from trying it again."""


def dead_end(claim: Claim) -> Claim:
    """`claim`, which denies what its sentence rules out, as `Refuted`, and as worth keeping."""
    plainly = chatter.salience(without_lead(claim.span.quote))
    return replace(claim, type=ClaimType.REFUTED, salience=round(min(1.0, plainly + _SALIENCE), 3))
