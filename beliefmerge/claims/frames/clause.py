"""English frames: what one bare clause says of which key.

Frames are tried from the most telling to the least: written pairs, changes, roles, copulas, modals,
verbs. Every reading's key is the same for all wordings of one thing that the frames know; the rest is left to
alignment.
"""

from __future__ import annotations

import re

from beliefmerge.claims.clauses.bare import Bare
from beliefmerge.claims.clauses.contrast import contrast
from beliefmerge.claims.clauses.negation import positive
from beliefmerge.claims.clauses.scope import order
from beliefmerge.claims.frames import explicit
from beliefmerge.claims.frames.attributes import attribute
from beliefmerge.claims.frames.changes import change
from beliefmerge.claims.frames.copula import copula, existential
from beliefmerge.claims.frames.roles import role
from beliefmerge.claims.frames.verbs import forbid, imperative, modal, statement, verb
from beliefmerge.claims.reading import Frame, Reading, clause_reading, name_reading
from beliefmerge.claims.values.normalise import read
from beliefmerge.claims.words.completeness import complete
from beliefmerge.claims.words.nouns import is_name, noun_phrase

_SENTENCE_VALUE = re.compile(r"^(?:we|it|i|they|this|that|there|the \w+ (?:is|are|was|will|has))\b", re.IGNORECASE)

_ONCE = re.compile(
    r"^(?:previously|formerly|originally|initially|in the past|back then|until now|"
    r"until recently),? (?P<rest>.+ (?:was|were) .+)$",
    re.IGNORECASE,
)


def read_clause(clause: Bare, kind: str = "prose") -> tuple[list[Reading], str, bool]:
    """Readings of one clause, its positive text and whether it was negated.

    The first reading is the clause's own; the others are values it denies in passing ("Monday, not Friday").
    """
    text, denied = contrast(clause.text)
    if clause.topic:
        text = _with_topic(text, clause.topic)
    bare_text, negated = positive(text)
    if past := _ONCE.match(bare_text):
        bare_text, negated = past["rest"], not negated
    if clause.hedged:
        return [statement(bare_text, negated=negated)], bare_text, negated
    forbidden = order(text)
    readings = forbid(forbidden) if forbidden else _written(text, kind, clause) or _frames(bare_text, negated)
    if clause.condition:
        readings = [_conditional(reading, clause.condition) for reading in readings]
    if clause.additive:
        readings = [reading.but(multi=True) if reading.frame is not Frame.PROPERTY else reading for reading in readings]
    if denied and readings:
        readings += [_denial(readings[0], value) for value in denied]
    return readings, bare_text, negated


def _frames(text: str, negated: bool) -> list[Reading]:
    for frame in (change, role, attribute, existential, copula, modal, imperative, verb):
        found = frame(text, negated=negated)
        if found:
            return found
    return [statement(text, negated=negated)]


def _written(text: str, kind: str, clause: Bare) -> list[Reading]:
    """Readings of a clause that is written as pairs; a sentence after a label is read with the label as its topic."""
    if ":" not in text and "=" not in text and "->" not in text and "→" not in text:
        return []
    out: list[Reading] = []
    for pair in explicit.pairs(text, kind):
        if _SENTENCE_VALUE.match(pair.value):
            sentence, negated = positive(_with_topic(pair.value, pair.key))
            out += _frames(sentence, negated)
            continue
        if complete(pair.value):
            sentence, negated = positive(pair.value)
            out += _frames(sentence, negated)
            continue
        key, value = explicit.with_unit(pair)
        old, _, new = value.partition(" → ") if " → " in value else value.partition(" -> ")
        if new:
            out += [name_reading(key, new, Frame.EXPLICIT), name_reading(key, old, Frame.EXPLICIT, denied=True)]
            continue
        bare_value, negated = positive(value) if value.casefold() not in ("no", "not") else (value, False)
        long = len(value.split()) > 10
        if long and len(value.split()) > 40:
            continue
        noun = noun_phrase(key) or key
        out.append(name_reading(noun, bare_value, Frame.EXPLICIT, multi=long, denied=negated))
    return out


def _with_topic(text: str, topic: str) -> str:
    """`text` with its leading or object pronoun replaced by `topic`."""
    replaced = re.sub(r"^(?:it|this|that|they)(?= |'s)", lambda _: topic, text, count=1, flags=re.IGNORECASE)
    if replaced != text:
        return re.sub(rf"^{re.escape(topic)}'s(?= )", lambda _: f"{topic} is", replaced)
    replaced = re.sub(r" (?:it|this|that|them)(?= |$)", lambda _: f" {topic}", text, count=1)
    if replaced != text:
        return replaced
    if re.match(r"^(?:we|i|they)\b", text, re.IGNORECASE):
        return f"{text} for {topic}"
    return f"{topic} is {text}" if len(text.split()) <= 4 else text


def _conditional(reading: Reading, condition: str) -> Reading:
    if reading.unplaced:
        return reading
    make = name_reading if reading.fold.startswith("n ") else clause_reading
    return make(f"{reading.key} {condition}", reading.value, reading.frame, multi=reading.multi, denied=reading.denied)


def _denial(reading: Reading, value: str) -> Reading:
    if reading.frame is Frame.CHANGE:
        return reading.but(value="", old=value)
    if reading.role and is_name(value) and value[0].isupper():
        return reading.role.but(value=value, denied=not reading.role.denied)
    unit = reading.value.split()[-1] if reading.value.split() else ""
    if read(value).kind == "number" and read(f"{value} {unit}").kind == read(reading.value).kind != "number":
        value = f"{value} {unit}"
    return reading.but(value=value, denied=not reading.denied, role=None)
