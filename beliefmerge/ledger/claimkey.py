"""What a statement claims, as a key: origins whose keys are equal say the same of the same thing.

The key is a slot and a normalised value, ``cache ttl = 60 s``, read by the deterministic extractor. Most sentences of
everyday prose have one; a text that says several things, or nothing that can be read alone, has none, and then it
corroborates nobody.
"""

from __future__ import annotations

from functools import lru_cache

LONGEST = 512
"""Characters that the ledger takes as a claim."""
_LONGEST_TEXT = 2_000


@lru_cache(maxsize=1 << 12)
def claim_key(text: str) -> str | None:
    """The key of the one claim that `text` makes; None where it makes none, or several."""
    from beliefmerge.claims.heuristic import extract
    from beliefmerge.claims.words.keys import fold_name
    from beliefmerge.session.model import Block, Channel, Message, Session

    if len(text) > _LONGEST_TEXT:
        return None
    message = Message((Block(Channel.TOOL, text),), seq=0, session="claim")
    found = {
        (fold_name(claim.key), claim.assertion.value, claim.assertion.denied)
        for claim in extract([Session("claim", "seal", (message,))]).claims
    }
    if len(found) != 1:
        return None
    slot, value, denied = found.pop()
    key = f"{slot} {'≠' if denied else '='} {value}"
    return key if len(key) <= LONGEST else None
