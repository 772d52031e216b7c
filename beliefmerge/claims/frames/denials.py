"""Sentences that deny a whole clause: "it is not true that …", "we dropped the plan that …", "the idea that … failed".

What is denied is told by its frame and not by its verb: a clause after "that", and around it a negation, a word of
falsehood, a verb of giving up, or a noun for what is only held ("idea", "rumour") whose predicate is negative.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from beliefmerge.claims.clauses.reasons import before_reason
from beliefmerge.claims.frames.changes import AUX, WE
from beliefmerge.claims.words.completeness import FINITE, is_finite
from beliefmerge.claims.words.gate import Gate
from beliefmerge.claims.words.lexicon import VERB_TENSE

HELD = (
    "idea|plan|proposal|suggestion|notion|thought|claim|assumption|belief|rumou?r|theory|hypothesis|hope|expectation|"
    "impression|assertion|option|possibility|scheme|intention|premise|guess|suspicion|allegation|myth|story|prediction"
)
"""Nouns for what is held or proposed. A fact, a reason or a problem is not among them: what they embed is so."""
_THE = r"(?:the|our|my|your|this|that|their|his|her|any|every|all|an?) (?:\w+ ){0,2}?"
_ADVERBS = r"(?:(?:simply|just|plainly|certainly|definitely|really|actually|still|at all|possibly|ever|even|quite) )*"
_TRUE = r"(?:true|the case|so|correct|accurate|a fact|possible|conceivable)"
_FALSE = (
    r"(?:untrue|false|incorrect|inaccurate|impossible|inconceivable|unthinkable|nonsense|out of the question|"
    r"a (?:myth|misunderstanding|misconception|lie|fallacy|misreading)|"
    r"(?:wrong|incorrect|a mistake|an error|misleading) to (?:say|think|believe|claim|suppose))"
)
_EXTRAPOSED = re.compile(
    rf"^(?:it|that) (?:(?:is|was)(?: not|n['’]t| no longer| never| hardly| far from) {_ADVERBS}{_TRUE}|"
    rf"(?:is|was) {_ADVERBS}{_FALSE}|"
    rf"(?:can ?not|can['’]t|could not|couldn['’]t) {_ADVERBS}be(?: {_TRUE})?)(?: any ?more)?,? that (?P<clause>.+)$",
    re.IGNORECASE,
)
_BELIEVED = re.compile(
    rf"^(?:(?:nobody|no one|none of (?:us|them|you)) (?:(?:should|must|may|can|would|will|here|really|still|seriously|"
    r"ever) )*(?:believes?|thinks?|supposes?|claims?|expects?)|"
    r"(?:(?:please |i |we |you )(?:(?:should|must|really|do) )*)?(?:do not|don['’]t|not|no longer|never) "
    rf"{_ADVERBS}(?:believe|think|suppose)|i (?:strongly |seriously |very much )?doubt)"
    r"(?: any ?more| any longer)?(?:,? that)? (?P<clause>.+)$",
    re.IGNORECASE,
)
_GIVEN_UP = (
    r"(?:(?:drop|scrap)(?:s|ped|ping)?|(?:abandon|reject|discard|dismiss|ditch|kill|veto|debunk|contradict|"
    r"retract|withdraw)(?:s|es|ed|ing|n)?|withdrew|cancel(?:s|l?ed|l?ing)?|(?:shelv|ax|disprov|refut|revok|exclud)"
    r"(?:e|es|ed|ing)|bur(?:y|ies|ied|ying)|den(?:y|ies|ied|ying)|rul(?:e|es|ed|ing) out|(?:giv|gav)(?:e|es|en|ing) up|"
    r"let go of|back(?:s|ed|ing)? (?:out|away) (?:of|from))"
)
_SOMEBODY = (
    rf"(?:{WE}|(?!no\b|none\b|nobody\b|never\b|not\b|if\b|when\b|unless\b|whether\b)(?:(?:the|our|my) )?"
    r"[\w-]+(?: [\w-]+)?)"
)
_DONE_WITH = re.compile(
    rf"^(?:{_SOMEBODY} {AUX})?{_GIVEN_UP}(?: on)? (?:{_THE}(?:{HELD}) )?that (?P<clause>.+)$", re.IGNORECASE
)
_CONTRARY = re.compile(
    rf"^(?:contrary to|despite|notwithstanding|forget) {_THE}(?:{HELD}) that (?P<clause>.+)$", re.IGNORECASE
)
_HELD_SUBJECT = re.compile(
    rf"^(?:{_THE}(?:{HELD}),?|(?:whoever|(?:anyone|anybody|everyone|everybody|those|people|the one) who) (?:says?|said|"
    r"writes?|wrote|claims?|claimed|thinks?|thought|believes?|believed|told (?:you|us|me|them))) that (?P<rest>.+)$",
    re.IGNORECASE,
)
_LOOSE = re.compile(r" (?:because|due to)\b", re.IGNORECASE)
_INSTEAD = re.compile(
    r"(?:[,;:]| [-–—]+)+ (?:(?:but|and|in fact|rather|actually),? )?(?P<instead>(?:it|they|he|she) .+)$", re.IGNORECASE
)
_VACUOUS = re.compile(
    r"^(?:it|that|this|they|things) (?:is|are|was|were)(?: simply| just| quite)? (?:otherwise|different|false|wrong|"
    r"untrue|not|not so|not true|not the case|the opposite|the other way (?:a)?round)[.!]?$",
    re.IGNORECASE,
)
_NEGATIVE = re.compile(
    r"\b(?:not(?! yet| only| just| necessarily)|never|no(?! doubt| wonder)|nothing|nowhere|nobody|none|neither|cannot|"
    r"\w+n['’]t|wrong|false|untrue|incorrect|mistaken|unfounded|groundless|baseless|misguided|nonsense|moot|dead|off|"
    rf"impossible|unworkable|fail(?:s|ed)?|falls?|fell|fallen|collapsed?|crumbled?|died|{_GIVEN_UP})\b",
    re.IGNORECASE,
)
_GROUP = FINITE - {"be", "been", "being"} | frozenset(
    ["do", "does", "did", "not", "never", "simply", "just", "later", "then", "soon", "quickly", "finally"]
)
"""Words that a verb group begins with."""
_GATE = Gate("that think thinks believe believes suppose doubt")
_LONGEST = 24
"""Words of a clause that is denied."""


class Denial(NamedTuple):
    """The clause that a sentence denies, and what it says instead ("" where it says nothing)."""

    clause: str
    instead: str = ""


def denial(text: str) -> Denial | None:
    """What `text`, a sentence, denies as a whole; None where it denies no clause, or perhaps only its reason."""
    if not _GATE(text):
        return None
    if match := _CONTRARY.match(text):
        clause, _, instead = match["clause"].partition(", ")
        return _checked(clause, instead, sure=True)
    if match := _DONE_WITH.match(text):
        return _checked(before_reason(match["clause"]), sure=True)
    if match := _EXTRAPOSED.match(text) or _BELIEVED.match(text):
        clause = before_reason(match["clause"])
        # Without a comma, "not … because …" may deny the reason alone.
        if _LOOSE.match(match["clause"], len(clause)):
            return None
        right = _INSTEAD.match(match["clause"], len(clause))
        sure = text[: match.start("clause")].endswith("that ")
        return _checked(clause, right["instead"] if right else "", sure=sure)
    if match := _HELD_SUBJECT.match(text):
        return _checked(_embedded(before_reason(match["rest"])), sure=True)
    return None


def _checked(clause: str, instead: str = "", *, sure: bool = False) -> Denial | None:
    """`clause` as denied, where it is one: after "that" (`sure`) its verb need not be known."""
    words = clause.strip(" ,.;").split()
    if not 2 <= len(words) <= _LONGEST or is_finite(words[0]):
        return None
    verb = (sure and len(words) > 2) or any(is_finite(word) or word in VERB_TENSE for word in words[1:])
    return Denial(" ".join(words), "" if _VACUOUS.match(instead) else instead) if verb else None


def _embedded(rest: str) -> str:
    """The clause of "CLAUSE was dropped", after "the idea that": what lies before the last verb, if that denies it."""
    words = rest.split()
    at = next((i for i in range(len(words) - 1, 0, -1) if is_finite(words[i])), 0)
    while at > 1 and words[at - 1].casefold() in _GROUP:
        at -= 1
    return " ".join(words[:at]) if at and _NEGATIVE.search(" ".join(words[at:])) else ""
