"""Attributes told by a verb: "the van carries the plate KX-22", "the sign on the gate reads 14", "Ada is head of it".

Each is the attribute of the thing: the slot that "the plate of the van is KX-22" fills.
"""

# ruff: noqa: SIM905 (word classes are easier to read and to extend as text)

from __future__ import annotations

import re

from beliefmerge.claims.reading import Frame, Reading, clause_reading, name_reading
from beliefmerge.claims.values.normalise import read
from beliefmerge.claims.words.gate import Gate
from beliefmerge.claims.words.lexicon import ADJECTIVES, DETERMINERS, VERB_TENSE
from beliefmerge.claims.words.nouns import is_definite, is_name, noun_phrase

_BEARS = re.compile(
    r"^(?P<thing>(?i:the|our|my|this) .+?) (?:has|bears|carries|wears|holds|got|goes by|goes under) (?:the|an?) "
    r"(?P<attribute>[a-z]+(?: [a-z]+)?) (?P<value>\S+(?: \S+)?)$"
)
_READS = re.compile(
    r"^(?P<attribute>(?:the|our|my) [\w-]+(?: [\w-]+)?) (?:on|at|of|for) (?P<thing>(?:the|our|my) .+?) "
    r"(?:reads|says|shows|states) (?P<value>\S+(?: \S+)?)$",
    re.IGNORECASE,
)
_ROLE_OF = re.compile(r"^(?P<who>.+?) (?:is|was) (?P<role>[a-z]+(?: [a-z]+)?) of (?P<thing>(?:the|our|my) .+)$")
_LOOK_IN = re.compile(
    r"^(?:please )?(?:look for|find|get|fetch|collect) (?P<thing>(?:the|our|my) .+?) (?P<place>in|on|at|under|behind) "
    r"(?P<value>.+)$",
    re.IGNORECASE,
)
_NO_ATTRIBUTES = frozenset(
    "one two three some part all most none many half member members kind sort type fan friend native citizen resident "
    "lot out full fond capable aware proud afraid tired short ahead because instead made worthy independent".split()
)
_GATE = Gate("has bears carries wears holds got goes reads says shows states is was look find get fetch collect")


def attribute(text: str, *, negated: bool) -> list[Reading]:
    """The reading of a clause that tells an attribute with its value; empty for other clauses."""
    if not _GATE(text):
        return []
    if match := _BEARS.match(text) or _READS.match(text):
        name, thing, value = match["attribute"], noun_phrase(match["thing"]), match["value"]
        if thing and _is_value(value) and _names_attribute(name):
            return [name_reading(f"{name} of {thing}", value, Frame.COPULA, denied=negated)]
    match = _ROLE_OF.match(text) if " of " in text else None
    if match and is_name(match["who"]) and _names_attribute(match["role"]):
        told = clause_reading(f"{match['who']} is", f"{match['role']} of {match['thing']}", Frame.STATEMENT, multi=True)
        role = name_reading(f"{match['role']} of {match['thing']}", match["who"], Frame.COPULA, denied=negated)
        return [told.but(denied=negated, role=role)]
    if (match := _LOOK_IN.match(text)) and not negated and len(match["value"].split()) <= 5:
        thing = noun_phrase(match["thing"])
        if thing and (is_definite(match["value"]) or _is_value(match["value"].split()[-1])):
            return [clause_reading(f"{thing} is {match['place'].casefold()}", match["value"], Frame.COPULA)]
    return []


def _is_value(text: str) -> bool:
    """A code, a number or a name: what an attribute may be called by."""
    words = text.split()
    coded = any(c.isdigit() for c in text) and read(text).kind in ("identifier", "number", "version", "word", "name")
    return coded or all(word[0].isupper() and word.casefold() not in DETERMINERS for word in words)


def _names_attribute(text: str) -> bool:
    """Whether `text` is a plain noun, or two: no adjective, participle, quantity, or what many are."""
    words = [word for word in text.casefold().split() if word not in DETERMINERS]
    last = words[-1] if words else ""
    return bool(last) and last not in _NO_ATTRIBUTES | ADJECTIVES and VERB_TENSE.get(last) not in ("ed", "ing")
