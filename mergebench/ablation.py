"""Stages of the merge left out, one by one, to see what each is worth: extractors around the real one.

- `alignment`: sessions are read one by one, so that only what one session alone calls by one name meets in one slot;
- `chatter_filter`: small talk is read as claims and no slot is dropped for saying too little (packing still prefers
  what is salient);
- `derivation`: what was concluded stands on its own, whatever becomes of its premises;
- `trust`: nobody is the current user, and what was injected counts as the model's own word.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from beliefmerge.algebra.evidence import Trust
from beliefmerge.claims.claim import Claim, Extraction, Extractor
from beliefmerge.claims.heuristic import extract as heuristic
from beliefmerge.errors import UsageError
from beliefmerge.session.model import Channel, Session


@dataclass(frozen=True)
class Reduced:
    """The heuristic extractor without alignment across sessions, or without its filter of chatter."""

    aligned: bool = True
    filtered: bool = True
    name: str = "reduced heuristic"

    def __call__(self, sessions: Sequence[Session], *, current: str | None = None) -> Extraction:
        """Claims of `sessions`, read together or one by one."""
        groups = [sessions] if self.aligned else [[session] for session in sessions]
        found = [heuristic(group, current=current, keep_chatter=not self.filtered) for group in groups]
        claims = dict.fromkeys(claim for each in found for claim in each.claims)
        return Extraction(tuple(claims), sum((each.dropped for each in found), Counter()))


@dataclass(frozen=True)
class Flattened:
    """An extractor whose claims lose their premises, or the difference in trust between them."""

    extract: Extractor
    derivation: bool
    trust: bool
    name: str = "flattened"

    def __call__(self, sessions: Sequence[Session], *, current: str | None = None) -> Extraction:
        """The claims of the extractor, flattened."""
        found = self.extract(sessions, current=current)
        return replace(found, claims=tuple(map(self._flat, found.claims)))

    def _flat(self, claim: Claim) -> Claim:
        assertion = claim.assertion
        if not self.derivation:
            assertion = replace(assertion, justifications=())
        if self.trust:
            return replace(claim, assertion=assertion)
        channel = Channel.MODEL if claim.channel is Channel.INJECTED else claim.channel
        return replace(claim, channel=channel, assertion=replace(assertion, trust=Trust.EXTERNAL))


def without(extract: str | Extractor, *, derivation: bool, trust: bool) -> Extractor:
    """`extract` without derivation or without trust. Raises UsageError for an extraction the merge makes itself."""
    if isinstance(extract, str) and extract != "heuristic":
        raise UsageError(f"derivation and trust are options of arms that extract offline, and {extract!r} asks a model")
    return Flattened(heuristic if isinstance(extract, str) else extract, derivation, trust)
