"""A model's reply as proposals. Strict about the whole, which is used or not; a part that is malformed is dropped.

The whole is one JSON object with a list `slots`. Two things that servers without a response format add are taken off: a
leading ``<think>`` passage, and one code fence around everything. Fields that were not asked for are not looked at: a
model that states its own evidence states it to nobody.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, NoReturn

from beliefmerge.claims.claim import ClaimType
from beliefmerge.claims.joint.prompt import TYPES
from beliefmerge.llm.unwrap import unwrapped

MOST_OPINIONS = 64
"""Opinions of one slot that are looked at."""
MOST_PREMISES = 16
"""Premises of one opinion that are looked at."""


class Unusable(Exception):
    """A reply that cannot be used as a whole; the message says why, in our words."""


@dataclass(frozen=True, slots=True)
class Opinion:
    """One value that a model says a branch gives a slot."""

    branch: str
    line: int | None
    value: str
    quote: str
    denied: bool
    premises: tuple[tuple[str, str | None], ...]


@dataclass(frozen=True, slots=True)
class Proposal:
    """One slot that a model proposes."""

    key: str
    type: ClaimType | None
    opinions: tuple[Opinion, ...]


def proposals(text: str, *, truncated: bool, max_slots: int, dropped: Counter[str]) -> list[Proposal]:
    """What `text` proposes; what of it is malformed or too much is counted in `dropped`. Raises Unusable."""
    if truncated:
        raise Unusable("it was cut off at the longest length; list fewer slots" if text.strip() else "it was cut off")
    slots = _slots(text)
    if len(slots) > max_slots:
        dropped["too many slots"] += len(slots) - max_slots
    found = []
    for slot in slots[:max_slots]:
        try:
            found.append(_proposal(slot, dropped))
        except (KeyError, TypeError):
            dropped["malformed slot"] += 1
    return found


def fenced(text: str) -> bool:
    """Whether `text` is JSON in a code fence."""
    return unwrapped(text)[1]


def _slots(text: str) -> list[Any]:
    try:
        value = json.loads(unwrapped(text)[0], object_pairs_hook=_once, parse_constant=_refused)
    except (ValueError, RecursionError) as error:
        where = f" ({error.msg} at character {error.pos})" if isinstance(error, json.JSONDecodeError) else ""
        raise Unusable(f"it is not JSON{where}") from None
    if not isinstance(value, dict) or not isinstance(value.get("slots"), list):
        raise Unusable('it is not an object with a list "slots"')
    return list(value["slots"])


def _once(pairs: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    out: dict[str, Any] = {}
    for key, value in pairs:
        if key in out:
            raise Unusable("an object in it has one name twice")
        out[key] = value
    return out


def _refused(constant: str) -> NoReturn:
    raise Unusable(f"{constant} is not JSON")


def _proposal(slot: Any, dropped: Counter[str]) -> Proposal:
    key, opinions = _text(slot["key"]), slot["opinions"]
    if not isinstance(opinions, list):
        raise TypeError
    if len(opinions) > MOST_OPINIONS:
        dropped["too many opinions"] += len(opinions) - MOST_OPINIONS
    kind = slot.get("type")
    return Proposal(
        key, ClaimType(kind) if kind in TYPES else None, tuple(_opinions(opinions[:MOST_OPINIONS], dropped))
    )


def _opinions(opinions: list[Any], dropped: Counter[str]) -> Iterator[Opinion]:
    for opinion in opinions:
        try:
            line = opinion.get("line")
            yield Opinion(
                branch=_text(opinion["branch"]),
                line=line if isinstance(line, int) and not isinstance(line, bool) else None,
                value=_value(opinion["value"]),
                quote=_text(opinion["quote"]),
                denied=opinion.get("denied") is True,
                premises=tuple(_premises(opinion.get("derived_from"), dropped)),
            )
        except (KeyError, TypeError, AttributeError):
            dropped["malformed opinion"] += 1


def _premises(given: Any, dropped: Counter[str]) -> Iterator[tuple[str, str | None]]:
    """Premises: ``{"key", "value"}``, or a bare key."""
    listed = given if isinstance(given, list) else [] if given is None else [given]
    dropped["too many premises"] += max(0, len(listed) - MOST_PREMISES)
    for premise in listed[:MOST_PREMISES]:
        if isinstance(premise, str):
            yield premise, None
        elif isinstance(premise, dict) and isinstance(premise.get("key"), str):
            value = premise.get("value")
            yield premise["key"], None if value in (None, "") else _value(value)
        else:
            dropped["bogus premise"] += 1


def _value(value: Any) -> str:
    """A value as text: JSON numbers and booleans are written as such by many a model."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return json.dumps(value) if isinstance(value, int | float) else _text(value)


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError
    return value
