"""Readings: what a frame makes of one clause, before slots are formed across branches."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from enum import StrEnum

from beliefmerge.claims.values.normalise import read
from beliefmerge.claims.words.keys import canonical, fold_clause, fold_name

_CJK_TIME = re.compile(r"(?<=[\u4e00-\u9fff]{2})(?:时间|日期|日|時間)$")


class Frame(StrEnum):
    """How a reading was found; decides how far its key can be trusted to name one thing."""

    EXPLICIT = "explicit"
    """``key: value``, ``key = value``, "set the key to …", "use … as the key"."""
    COPULA = "copula"
    PROPERTY = "property"
    """A whole clause that holds or does not: values yes and no."""
    VERB = "verb"
    STATEMENT = "statement"
    """Subject and rest, as well as could be told."""
    ALIGNED = "aligned"
    """Found by anti-unification."""
    CHANGE = "change"
    """A value came or went and the clause does not say of what."""
    REFUTED = "refuted"
    QUESTION = "question"


@dataclass(frozen=True, slots=True)
class Reading:
    """One value, said or denied, of one key. `fold` is the key's identity, `value` the spelling."""

    key: str
    fold: str
    value: str
    frame: Frame
    denied: bool = False
    multi: bool = False
    role: Reading | None = None
    """For "Ana is the QA lead": the same said of the role, taken when the role has other holders or is a slot."""
    old: str | None = None
    """For `CHANGE` and `REFUTED`: the value that was left or ruled out."""
    topic: str = ""
    """For `CHANGE` and `REFUTED`: what the value is no longer for, in the clause's words."""

    @property
    def unplaced(self) -> bool:
        """Whether it reports a change or refutation without saying of which slot."""
        return not self.fold and self.frame in (Frame.CHANGE, Frame.REFUTED)

    def but(self, **changes: object) -> Reading:
        """A copy with some fields changed."""
        return replace(self, **changes)  # type: ignore[arg-type]


def is_weak(readings: tuple[Reading, ...]) -> bool:
    """Whether readings only tell subject from rest, or a verb from what may be one of many objects."""
    return bool(readings) and all(r.frame is Frame.STATEMENT or (r.frame is Frame.VERB and r.multi) for r in readings)


def name_reading(key: str, value: str, frame: Frame, *, multi: bool = False, denied: bool = False) -> Reading:
    """A reading whose key is a noun phrase."""
    if key.casefold().endswith(" location") and read(value).kind in ("name", "word"):
        return Reading(canonical(key), f"c {fold_clause(key[:-9])} is in", value, frame, denied, multi)
    return Reading(canonical(key), f"n {fold_name(_without_kind(key, value))}", value, frame, denied, multi)


def _without_kind(key: str, value: str) -> str:
    """“launch date” is the launch when its value is a date, “checkout flag” the checkout when it is yes or no."""
    words = key.split()
    kind = read(value).kind
    if kind in ("date", "weekday", "month", "time"):
        if len(words) > 1 and words[-1].casefold() in ("date", "day", "time"):
            return " ".join(words[:-1])
        return _CJK_TIME.sub("", key) or key
    if (
        kind == "duration"
        and len(words) > 1
        and words[-1].casefold() in ("period", "duration", "interval", "time", "length", "window")
    ):
        return " ".join(words[:-1])
    if kind == "boolean" and len(words) > 1 and words[-1].casefold() in ("flag", "feature", "switch", "toggle"):
        return " ".join(words[:-1])
    return key


def clause_reading(key: str, value: str, frame: Frame, *, multi: bool = False, denied: bool = False) -> Reading:
    """A reading whose key holds a verb or preposition."""
    return Reading(canonical(key), f"c {fold_clause(key)}", value, frame, denied, multi)


def yes_no(clause: str, *, negated: bool) -> Reading:
    """The clause itself as a question that it answers."""
    return clause_reading(clause, "no" if negated else "yes", Frame.PROPERTY)


def turned(reading: Reading) -> Reading:
    """`reading` denied: a clause that holds is denied to hold, a denial of a value becomes its assertion."""
    if reading.frame is Frame.PROPERTY:
        return reading.but(value="yes", denied=reading.value == "yes")
    role = reading.role.but(denied=not reading.role.denied) if reading.role else None
    return reading.but(denied=not reading.denied, role=role)


@dataclass(frozen=True, slots=True)
class Clause:
    """What one clause says. `premises` are indexes of the sentence's clauses it follows from."""

    readings: tuple[Reading, ...]
    text: str = ""
    """The positive clause without lead-ins, for alignment."""
    negated: bool = False
    premises: tuple[int, ...] = ()
    language: str = "en"
    alignable: bool = False
    """No frame read it firmly: another clause with the same template tells better what its value is."""
    ruled_out: bool = False
    """Its sentence rules it out: what it denies is no longer to be tried or believed."""
    condition: str = ""
    """"in staging", "if it rains": clauses under different ones are about different things."""
    additive: bool = False
    """It says "also" or "one of": other values may hold beside its own."""


@dataclass(frozen=True, slots=True)
class Parsed:
    """A sentence's clauses, in order, and what its neighbours mean to it."""

    clauses: tuple[Clause, ...] = ()
    follows: bool = False
    """It draws a conclusion from the sentence before it ("Therefore …")."""
    question: bool = False
    words: frozenset[str] = field(default_factory=frozenset)
