"""Readings: what a frame makes of one clause, before slots are formed across branches."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import StrEnum

from beliefmerge.claims.keys import canonical, fold_clause, fold_name


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
    """For `CHANGE`: the value that was left."""

    def but(self, **changes: object) -> Reading:
        """A copy with some fields changed."""
        return replace(self, **changes)  # type: ignore[arg-type]


def name_reading(key: str, value: str, frame: Frame, *, multi: bool = False, denied: bool = False) -> Reading:
    """A reading whose key is a noun phrase."""
    return Reading(canonical(key), f"n {fold_name(key)}", value, frame, denied, multi)


def clause_reading(key: str, value: str, frame: Frame, *, multi: bool = False, denied: bool = False) -> Reading:
    """A reading whose key holds a verb or preposition."""
    return Reading(canonical(key), f"c {fold_clause(key)}", value, frame, denied, multi)


def yes_no(clause: str, *, negated: bool) -> Reading:
    """The clause itself as a question that it answers."""
    return clause_reading(clause, "no" if negated else "yes", Frame.PROPERTY)


@dataclass(frozen=True, slots=True)
class Clause:
    """What one clause says. `premises` are indexes of the sentence's clauses it follows from."""

    readings: tuple[Reading, ...]
    text: str = ""
    """The positive clause without lead-ins, for alignment."""
    negated: bool = False
    premises: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Parsed:
    """A sentence's clauses, in order, and what its neighbours mean to it."""

    clauses: tuple[Clause, ...] = ()
    follows: bool = False
    """It draws a conclusion from the sentence before it ("Therefore …")."""
    question: bool = False
    words: frozenset[str] = field(default_factory=frozenset)
