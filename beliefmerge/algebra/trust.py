"""The trust an assertion starts with. What becomes of it is `beliefmerge.algebra.derivation`'s.

Merging never raises trust: join (max) over supporters, meet (min) along a derivation, and an assertion's own trust is
bounded by the channel, by whose session it is, and by what its file says of itself.
"""

from __future__ import annotations

from beliefmerge.algebra.evidence import Trust

_EXTERNAL_CHANNELS = frozenset({"user", "tool", "model", "reasoning"})


def own_trust(channel: str, *, is_current: bool, declared: Trust | None) -> Trust:
    """TRUSTED for the current session's own user, UNTRUSTED for injected or unknown channels, else EXTERNAL.

    `declared` is the file's word about itself; it can only lower.
    """
    if channel not in _EXTERNAL_CHANNELS:
        ceiling = Trust.UNTRUSTED
    elif channel == "user" and is_current:
        ceiling = Trust.TRUSTED
    else:
        ceiling = Trust.EXTERNAL
    return ceiling if declared is None else min(ceiling, declared)
