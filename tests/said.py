"""Sessions in one line, and what an extraction says of them, for tests of the extractor."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from beliefmerge.claims.claim import Claim
from beliefmerge.claims.heuristic import extract
from beliefmerge.session.model import Block, Channel, DataClaim, Message, Session


def session(name: str, *said: str | tuple[str, str], claims: Iterable[DataClaim] = ()) -> Session:
    """A session of user messages, or of (channel, text)."""
    turns = [("user", s) if isinstance(s, str) else s for s in said]
    messages = [Message((Block(Channel(c), text),), seq=i, session=name) for i, (c, text) in enumerate(turns)]
    return Session(name, "plain", tuple(messages), tuple(claims))


def claims(*said: str | tuple[str, str]) -> tuple[Claim, ...]:
    """Claims of one branch."""
    return extract([session("a", *said)]).claims


def stances(found: Iterable[Claim]) -> dict[str, set[str]]:
    """Values by key, as normalised; a denied one begins with "not "."""
    out: dict[str, set[str]] = defaultdict(set)
    for claim in found:
        out[claim.key].add(("not " if claim.assertion.denied else "") + claim.assertion.value)
    return dict(out)


def verdict(first: str, second: str) -> str:
    """How two sentences said in two branches stand: `conflict`, `agree` or `different`."""
    found = extract([session("a", first), session("b", second)]).claims
    sides: dict[str, dict[str, set[tuple[str, bool]]]] = defaultdict(lambda: {"a": set(), "b": set()})
    for claim in found:
        sides[claim.key][claim.span.session].add((claim.assertion.value, claim.assertion.denied))
    several = {claim.key for claim in found if claim.multi}
    agree = False
    for key, side in sides.items():
        for value, denied in side["a"]:
            for other, other_denied in side["b"]:
                if (value == other and denied != other_denied) or (
                    value != other and not denied and not other_denied and key not in several
                ):
                    return "conflict"
                agree |= value == other and not denied and not other_denied
    return "agree" if agree else "different"
