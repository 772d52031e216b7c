"""Small hand-made claims for unit tests."""

from __future__ import annotations

from collections.abc import Iterable

from beliefmerge.algebra.annotation import Assertion, Premise
from beliefmerge.algebra.evidence import Trust
from beliefmerge.algebra.history import History
from beliefmerge.claims.claim import Claim, ClaimType, Span
from beliefmerge.session.model import Channel


def claim(
    key: str,
    value: str,
    *,
    session: str = "s",
    channel: Channel = Channel.USER,
    trust: Trust | None = None,
    denied: bool = False,
    spelling: str | None = None,
    quote: str | None = None,
    because: Iterable[Iterable[tuple[str, str | None]]] = (),
    after: tuple[str, ...] = (),
    seq: int = 0,
    multi: bool = False,
    kind: ClaimType = ClaimType.FACT,
) -> Claim:
    """A claim made in message ``session#seq``, after the messages `after`; the quote is ``key is value``.

    Trust is EXTERNAL, or UNTRUSTED where it was injected, unless given.
    """
    said = value if spelling is None else spelling
    text = quote if quote is not None else f"{key} is {'not ' * denied}{said}"
    message = f"{session}#{seq}"
    own = Trust.UNTRUSTED if channel is Channel.INJECTED else Trust.EXTERNAL
    assertion = Assertion(
        value=value,
        evidence=channel.evidence,
        trust=own if trust is None else trust,
        speaker=channel.speaker,
        message=message,
        history=History.of(*after),
        seq=seq,
        end=len(text),
        denied=denied,
        justifications=tuple(frozenset(Premise(*premise) for premise in route) for route in because),
    )
    span = Span(session, message, seq, 0, 0, len(text), text)
    return Claim(key, said, kind, channel, span, assertion, multi)
