"""Claims that a session gives as data, made ready to meet those read from text."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import replace

from beliefmerge.algebra.annotation import Assertion, Premise
from beliefmerge.algebra.evidence import Evidence
from beliefmerge.algebra.history import Chain
from beliefmerge.algebra.trust import own_trust
from beliefmerge.claims.claim import Claim, ClaimType, Span
from beliefmerge.claims.slots.table import SlotTable, data_reading
from beliefmerge.claims.values.normalise import plain
from beliefmerge.session.model import DataClaim, Session

_TYPES = {member.value.casefold(): member for member in ClaimType}


def data_claims(
    session: Session, table: SlotTable, held: Mapping[str, tuple[int, int, str]], *, is_current: bool
) -> Iterable[Claim]:
    """Claims of `session.claims`, each in a message of its own after the session's, in order.

    A premise without a value means the one that this branch held when it concluded: the latest earlier telling of
    greatest evidence, in the data or, before all of it, in the text (`held`: key -> (evidence, place, value)).
    """
    names = [_name(session, i, claim) for i, claim in enumerate(session.claims)]
    chain = Chain([*(message.key for message in session.messages), *names])
    known: dict[str, tuple[int, int, str]] = {key: (evidence, -1, value) for key, (evidence, _, value) in held.items()}
    base = max((message.seq for message in session.messages), default=-1) + 1
    for i, claim in enumerate(session.claims):
        reading = data_reading(claim.key, claim.value, denied=claim.denied, multi=claim.multi)
        key = table.key(reading)
        value = table.identity(reading)
        justifications = tuple(
            frozenset(Premise(_key(table, cited), _held(table, cited, given, known)) for cited, given in group)
            for group in claim.derived_from
        )
        seq = claim.seq or base + i
        assertion = Assertion(
            value=value,
            evidence=Evidence(claim.evidence),
            trust=own_trust(claim.channel, is_current=is_current, declared=session.trust),
            speaker=claim.channel.speaker,
            message=names[i],
            history=chain.before(names[i]),
            seq=seq,
            end=len(claim.value),
            denied=claim.denied,
            justifications=justifications,
        )
        if not claim.denied:
            known[key] = max(known.get(key, (0, 0, "")), (int(claim.evidence), i, value))
        yield Claim(
            key=key,
            spelling=plain(claim.value) or claim.value,
            type=_type(claim),
            channel=claim.channel,
            span=Span(session.id, names[i], seq, 0, 0, len(claim.value), claim.value),
            assertion=assertion,
            multi=claim.multi,
        )


def _name(session: Session, index: int, claim: DataClaim) -> str:
    """What copies of a claim share, as `Message.key` is for messages: its place and a digest of what it says."""
    digest = hashlib.blake2b(repr(replace(claim, seq=0)).encode("utf-8", "surrogatepass"), digest_size=8)
    return f"{session.id}#claim{index}\x1f{digest.hexdigest()}"


def _key(table: SlotTable, key: str) -> str:
    return data_reading(key, "yes", denied=False, multi=False).key


def _held(table: SlotTable, key: str, given: str | None, known: Mapping[str, tuple[int, int, str]]) -> str | None:
    if given is not None:
        return table.said(key, given)
    latest = known.get(_key(table, key))
    return latest[2] if latest else None


def _type(claim: DataClaim) -> ClaimType:
    return _TYPES.get((claim.type or "").casefold(), ClaimType.FACT)
