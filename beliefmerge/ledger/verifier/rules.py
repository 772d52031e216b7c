"""The deterministic adjudicator: both statements are read together, and their slots compared.

Where the readings put them into one slot, different values of a single-valued slot contradict, and so do a value and
its denial. Where they do not, statements of the same words contradict when they differ in one quantity, in polarity or
in one excluding word, and in nothing else. It prefers missing a contradiction to inventing one.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping
from functools import lru_cache

from beliefmerge.claims.values.normalise import Value
from beliefmerge.ledger.verifier.features import (
    Features,
    differing_quantities,
    features,
    opposed_words,
)
from beliefmerge.ledger.verifier.opinion import Opinion, Relation

_REPORTED = frozenset(
    "accord report say state confirm record archive registry source official officially account register".split()  # noqa: SIM905
)
"""Words that say who says it, not what is said."""

_YEAR = re.compile(r"1[5-9]\d\d|20\d\d")
_MORE = 2
"""Words and quantities that a statement may say beyond what another denies."""
_WHEN = ("date", "month", "weekday", "time")

Stances = Mapping[str, set[tuple[str, bool]]]
"""For a slot's key, the (value, denied) pairs that a statement says of it."""


class Rules:
    """Symmetric: the order of the two statements does not matter."""

    name = "rules"

    def judge(self, first: str, second: str) -> Opinion:
        """How two statements stand to each other."""
        return _judged(*sorted((first, second)))


@lru_cache(maxsize=1 << 12)
def _judged(first: str, second: str) -> Opinion:
    by_slot = _by_slots(first, second)
    return by_slot if by_slot is not None else _by_words(features(first), features(second))


def _by_slots(first: str, second: str) -> Opinion | None:
    """What their readings say; None where they share no slot that decides."""
    one, other, multi = _readings(first, second)
    agreed: str | None = None
    for key in sorted(one.keys() & other.keys()):
        mine, theirs = one[key], other[key]
        if any((value, not denied) in theirs for value, denied in mine):
            return Opinion(Relation.CONTRADICT, f"{key}: one denies what the other says")
        said, heard = ({value for value, denied in stances if not denied} for stances in (mine, theirs))
        if said and heard and not said & heard and key not in multi and not _other_times(first, second):
            return Opinion(Relation.CONTRADICT, f"{key}: {min(said)} against {min(heard)}")
        if said == heard if said else mine == theirs:
            agreed = agreed or f"{key}: the same"
    return Opinion(Relation.AGREE, agreed) if agreed else None


def _other_times(first: str, second: str) -> bool:
    """Whether the two name different dates or years for different quantities: then both can be true."""
    one, other = features(first).quantities, features(second).quantities
    return all(len(only) > 1 and any(map(_tells_when, only)) for only in (one - other, other - one))


def _of_one_time(one: Features, other: Features) -> bool:
    """Whether both have quantities of the same kinds, and the same dates and times among them."""
    mine, theirs = (
        ({v.kind for v in each.quantities}, {v for v in each.quantities if _tells_when(v)}) for each in (one, other)
    )
    return mine == theirs


def _tells_when(value: Value) -> bool:
    return value.kind in _WHEN or (value.kind == "number" and bool(_YEAR.fullmatch(value.identity)))


def _readings(first: str, second: str) -> tuple[Stances, Stances, set[str]]:
    """The stances of each, and the slots that may hold several values."""
    from beliefmerge.claims.heuristic import extract
    from beliefmerge.session.model import Block, Channel, Message, Session

    sessions = [
        Session(name, "ledger", (Message((Block(Channel.TOOL, text),), seq=0, session=name, id=name),))
        for name, text in (("a", first), ("b", second))
    ]
    stances: dict[str, dict[str, set[tuple[str, bool]]]] = {name: defaultdict(set) for name in "ab"}
    multi: set[str] = set()
    for claim in extract(sessions).claims:
        stances[claim.span.session][claim.key].add((claim.assertion.value, claim.assertion.denied))
        if claim.multi:
            multi.add(claim.key)
    return stances["a"], stances["b"], multi


def _by_words(one: Features, other: Features) -> Opinion:
    """What is left when the same words are taken from both."""
    shared = one.stems & other.stems
    mine, theirs = one.stems - shared - _REPORTED, other.stems - shared - _REPORTED
    if not shared:
        return Opinion(Relation.NEITHER)
    if one.negated != other.negated:
        return _denial(other, one) if one.negated else _denial(one, other)
    kinds = differing_quantities(one, other)
    words = opposed_words(one, other)
    if words is not None and mine == {words[0]} and theirs == {words[1]} and _of_one_time(one, other):
        return Opinion(Relation.CONTRADICT, f"{words[0]} against {words[1]}")
    if one.quantities == other.quantities and not mine and not theirs:
        return Opinion(Relation.AGREE, "the same words")
    if len(kinds) == 1 and not mine and not theirs and len(shared) > 1:
        one_each = all(len(each.quantities - both) == 1 for each, both in _against(one, other))
        if one_each:
            return Opinion(Relation.CONTRADICT, f"another {next(iter(kinds))}")
    return Opinion(Relation.NEITHER)


def _against(one: Features, other: Features) -> tuple[tuple[Features, frozenset[Value]], ...]:
    common = one.quantities & other.quantities
    return (one, common), (other, common)


def _denial(told: Features, denied: Features) -> Opinion:
    """A negative statement denies a positive one that says all it says, and little more."""
    more = (told.stems - denied.stems - _REPORTED) | {value.identity for value in told.quantities - denied.quantities}
    covers = denied.stems - _REPORTED <= told.stems and denied.quantities <= told.quantities
    if covers and len(more) <= _MORE and len(denied.stems & told.stems) > 1:
        return Opinion(Relation.CONTRADICT, "one denies what the other says")
    return Opinion(Relation.NEITHER)
