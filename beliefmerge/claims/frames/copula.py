"""Clauses with a form of be or what amounts to one: "X is Y", "X will be Y", "X stays at Y", "there are N Y"."""

# ruff: noqa: SIM905 (word classes are easier to read and to extend as text)

from __future__ import annotations

import re

from beliefmerge.claims.frames.complements import complements, counted
from beliefmerge.claims.reading import Frame, Reading, clause_reading, name_reading, yes_no
from beliefmerge.claims.values.normalise import UNTYPED, plain, read, singular
from beliefmerge.claims.words.gate import Gate
from beliefmerge.claims.words.lexicon import (
    ADJECTIVE_ENDINGS,
    ADJECTIVES,
    AGENT,
    ATTRIBUTE_NOUNS,
    BE,
    DETERMINERS,
    DIMENSION,
    EVALUATIVE,
    MODALS,
    NEGATIVE_PREFIXES,
    PREPOSITIONS,
    STATE_NOUNS,
    VERB_BASE,
    VERB_TENSE,
)
from beliefmerge.claims.words.nouns import is_definite, is_generic, is_name, noun_phrase

_BE = (
    r"(?:is going to be|are going to be|is supposed to be|is meant to be|is said to be|has to be|needs to be|"
    r"have to be|need to be|ought to be|"
    r"will be|should be|must be|shall be|has been|have been|had been|used to be|turned out to be|turns out to be|"
    r"ended up being|ends up being|"
    r"became|becomes|become|remains|remained|remain|stays|stayed|stay|equals|stands at|sits at|defaults to|"
    r"amounts to|comes to|totals|is|are|was|were)"
)
_COPULA = re.compile(rf"^(?P<subject>.{{1,100}}?)(?P<be> {_BE})(?: to be)? (?P<predicate>.+)$", re.IGNORECASE)
_SHORT = re.compile(r"^(?P<subject>.{1,60}?)(?P<be>['’]s) (?P<predicate>.+)$")
_GATE = Gate(
    "is are was were be been became becomes become remains remained remain stays stayed stay equals stands sits "
    "defaults amounts comes totals turned turns ended ends"
)
_FULL_VERBS = frozenset("became becomes become remains remained remain stays stayed stay".split())
_SWITCHED = re.compile(
    r"^(?P<state>(?:turned |switched )?(?:on|off)|enabled|disabled|activated|deactivated)(?P<rest> (?:in|on|for|at|"
    r"by|during|when|if|outside|inside) .+)?$",
    re.IGNORECASE,
)
_RESPONSIBLE = re.compile(
    r"^(?:responsible for|in charge of|the owner of|accountable for) (?P<thing>.+)$", re.IGNORECASE
)
_ALLOWED = re.compile(
    r"^(?P<word>allowed|permitted|forbidden|prohibited|banned|disallowed)(?P<rest> .+)?$", re.IGNORECASE
)
_FORBIDDING = frozenset("forbidden prohibited banned disallowed".split())
_SIMPLE = (*UNTYPED, "boolean")
_TEMPORAL = ("weekday", "date", "month", "time")
_SET = re.compile(
    r"^(?:set|configured|fixed|pinned|hard-?coded|capped|limited|defaulted|restricted|rated|priced|valued|estimated|"
    r"kept|held|bound|assigned|bumped|raised|lowered|reduced|changed|increased) (?:to|at|as) ",
    re.IGNORECASE,
)
_CALLED = re.compile(r"^(?:called|named|titled|known as|labelled|labeled) ", re.IGNORECASE)
_LOCATED = re.compile(r"^(?:located|based|situated|found|placed|to be found) (?=(?:in|at|on|near)\b)", re.IGNORECASE)
_SCHEDULED = re.compile(
    r"^(?:scheduled|planned|set|slated|booked|due|expected|happening|taking place|held|to be held|fixed|moved|"
    r"rescheduled) (?P<prep>for|on|at|by|in|to) ",
    re.IGNORECASE,
)
_CLEFT = frozenset(("what", "where", "who", "whom", "when"))
"""“InDesign is what we typeset the report with”: the clause after the verb asks, the subject answers."""
_LIST = re.compile(r",\s+(?:and |or )?| and | & ")
_EXISTS = re.compile(
    r"^there (?:is|are|was|were|will be|should be|must be|has to be|have to be|exists?|'s) (?:currently |only |"
    r"always )?(?P<what>.+)$",
    re.IGNORECASE,
)


def existential(text: str, *, negated: bool) -> list[Reading]:
    """“There are three replicas”: slot `replicas`, value three. Without a number, a yes/no slot."""
    match = _EXISTS.match(text) if text[:6].casefold() == "there " else None
    if match is None:
        return []
    count = counted(match["what"])
    if count is None:
        return (
            [yes_no(f"there is {_strip_article(match['what'])}", negated=negated)]
            if len(match["what"].split()) <= 14
            else []
        )
    number, noun, rest = count
    return [name_reading(f"{noun}{rest}", number, Frame.COPULA, denied=negated)]


def copula(text: str, *, negated: bool) -> list[Reading]:
    """Readings of "X is Y" and what amounts to it; empty without a copula or a subject that names a slot."""
    match = _COPULA.match(text) if _GATE(text) else None
    if match is None and ("'s" in text or "’s" in text):
        match = _SHORT.match(text)
        if match is None or read(match["predicate"]).kind in UNTYPED:
            return []
    if match is None:
        return []
    subject, predicate = match["subject"], match["predicate"].strip()
    be = match["be"].strip().casefold()
    first = predicate.split()[0].casefold()
    if first in ("being", "going", "been", "to", "because", "that", "why", "as", "like", "than", "if", "when"):
        return []
    if any(
        word in VERB_TENSE and VERB_TENSE[word] in ("s",) and word in subject.casefold().split()[1:-1]
        for word in subject.casefold().split()
    ):
        return []
    if VERB_TENSE.get(first) == "ing" and len(predicate.split()) > 1 and be in BE:
        return []
    key = noun_phrase(subject)
    if key is None:
        if be in _FULL_VERBS or subject.casefold().split()[-1] in MODALS:
            return []
        if is_generic(subject) or len(predicate.split()) > 12:
            return []
        return [yes_no(f"{subject} {_be(subject)} {predicate}", negated=negated)]
    if be in ("used to be",):
        negated = not negated
    return predicate_readings(key, subject, predicate, negated=negated)


def predicate_readings(key: str, subject: str, predicate: str, *, negated: bool) -> list[Reading]:
    """What is said of `key` (from the noun phrase `subject`) by the predicate after a copula."""
    stripped = _SET.sub("", _CALLED.sub("", predicate))
    if stripped != predicate:
        return [name_reading(key, stripped, Frame.EXPLICIT, denied=negated)]
    if scheduled := _SCHEDULED.match(predicate):
        rest = predicate[scheduled.end() :]
        if temporal(rest):
            return [name_reading(key, rest, Frame.COPULA, denied=negated)]
    predicate = _LOCATED.sub("", predicate)
    words = predicate.split()
    first = words[0].casefold()
    if first in _CLEFT and len(words) > 2:
        return [clause_reading(predicate, subject, Frame.COPULA, denied=negated)]
    last_of_key = key.split()[-1].casefold()
    if responsible := _RESPONSIBLE.match(predicate):
        thing = noun_phrase(responsible["thing"])
        told = property_of(key, predicate, negated=negated)
        return [told.but(role=name_reading(f"{thing} owner", key, Frame.COPULA, denied=negated))] if thing else [told]
    if first in EVALUATIVE and len(words) == 1:
        return [property_of(key, predicate, negated=negated)]
    attribute = last_of_key in ATTRIBUTE_NOUNS or singular(last_of_key) in ATTRIBUTE_NOUNS
    if read(predicate).kind not in _SIMPLE:
        return _nominal(key, subject, predicate, negated)
    if switched := _SWITCHED.match(predicate):
        qualifier = switched["rest"] or ""
        return [name_reading(f"{key}{qualifier}", switched["state"], Frame.COPULA, denied=negated)]
    if allowed := _ALLOWED.match(predicate):
        forbids = allowed["word"].casefold() in _FORBIDDING
        return [property_of(key, f"allowed{allowed['rest'] or ''}", negated=negated != forbids)]
    if first in PREPOSITIONS and len(words) > 1:
        return _prepositional(key, first, " ".join(words[1:]), negated)
    participle = VERB_TENSE.get(first) == "ed" and last_of_key not in STATE_NOUNS
    if (attribute and not participle) or not _adjectival(words):
        return _nominal(key, subject, predicate, negated)
    return _adjective(key, words, negated)


def temporal(text: str) -> bool:
    """Whether `text` is a day, date, month or time."""
    return read(text).kind in _TEMPORAL


def _prepositional(key: str, preposition: str, rest: str, negated: bool) -> list[Reading]:
    if preposition in ("on", "at", "in", "by", "from", "every") and temporal(rest):
        return [name_reading(key, rest, Frame.COPULA, denied=negated)]
    value = read(rest)
    if preposition in ("under", "over", "above", "below", "about", "around", "at") and value.kind not in (
        "name",
        "word",
        "phrase",
        "identifier",
    ):
        return [
            name_reading(key, rest if preposition == "at" else f"{preposition} {rest}", Frame.COPULA, denied=negated)
        ]
    single = (
        preposition in ("in", "on", "at", "by", "from", "under", "inside", "near", "into", "onto", "via", "with")
        and len(rest.split()) <= 6
    )
    return [
        clause_reading(
            f"{key} is {preposition}",
            rest,
            Frame.COPULA if single else Frame.STATEMENT,
            multi=not single,
            denied=negated,
        )
    ]


def _nominal(key: str, subject: str, predicate: str, negated: bool) -> list[Reading]:
    words = predicate.split()
    first = words[0].casefold()
    if is_generic(subject) or len(words) > 10:
        return [clause_reading(f"{key} is", predicate, Frame.STATEMENT, multi=True, denied=negated)]
    if (
        is_definite(predicate)
        and (is_name(subject) or not is_definite(subject))
        and not read(predicate).kind.startswith("count")
    ):
        noun = noun_phrase(predicate)
        told = clause_reading(f"{key} is", predicate, Frame.STATEMENT, multi=True, denied=negated)
        return [told.but(role=name_reading(noun, key, Frame.COPULA, denied=negated))] if noun else [told]
    if first in ("a", "an") and len(words) > 1:
        unique = words[1][0].isupper() or key.split()[-1].casefold() in ATTRIBUTE_NOUNS
        if read(predicate).kind not in UNTYPED and not read(predicate).kind.startswith("count"):
            return [name_reading(key, predicate, Frame.COPULA, denied=negated)]
        return [clause_reading(f"{key} is a", " ".join(words[1:]), Frame.COPULA, multi=not unique, denied=negated)]
    parts = [part for part in _LIST.split(predicate) if part]
    if len(parts) > 1 and key.casefold().split()[-1].endswith("s") and all(len(part.split()) <= 3 for part in parts):
        return [name_reading(key, part, Frame.COPULA, multi=True, denied=negated) for part in parts]
    value, qualifier = split_qualifier(predicate)
    if qualifier:
        return [name_reading(f"{key} {qualifier}", value, Frame.COPULA, denied=negated)]
    return [name_reading(key, predicate, Frame.COPULA, denied=negated)]


_QUALIFIER = re.compile(
    r"^(?P<value>.+?) (?P<qualifier>(?:in|on|for|at|during|under|per|with|outside) .+)$", re.IGNORECASE
)


def split_qualifier(predicate: str) -> tuple[str, str]:
    """“8080 in staging” as a typed value and what qualifies it; the qualifier is empty when the value has no type."""
    whole = read(predicate)
    if whole.kind not in UNTYPED:
        return predicate, ""
    match = _QUALIFIER.match(predicate)
    if match and read(match["value"]).kind not in ("word", "phrase"):
        return match["value"], match["qualifier"]
    return predicate, ""


def _adjectival(words: list[str]) -> bool:
    """Whether a predicate begins with an adjective or participle rather than a noun."""
    first = words[0].casefold().strip(",")
    if first in (
        "very",
        "quite",
        "too",
        "so",
        "rather",
        "pretty",
        "extremely",
        "fully",
        "partially",
        "not",
        "well",
        "more",
        "less",
        "most",
        "largely",
        "completely",
        "mostly",
    ):
        return True
    if read(" ".join(words)).kind in ("boolean",):
        return False
    if not first or first in DETERMINERS or first[0].isdigit() or words[0][0].isupper():
        return False
    if first in ADJECTIVES or first.endswith(ADJECTIVE_ENDINGS):
        return True
    if VERB_TENSE.get(first) in ("ed", "ing") or (len(first) > 5 and first.endswith(("ed", "ing"))):
        return True
    return _opposite(first) is not None or (
        len(words) > 1 and words[1].casefold() in ("than", "to", "enough") and first not in ATTRIBUTE_NOUNS
    )


def _opposite(word: str) -> str | None:
    """“complete” for “incomplete”, “safe” for “unsafe”; None when the word is no negated adjective."""
    for prefix in NEGATIVE_PREFIXES:
        base = word.removeprefix(prefix)
        if (
            base != word
            and len(base) > 2
            and (base in ADJECTIVES or VERB_TENSE.get(base) == "ed" or base in ("complete", "stable"))
        ):
            return base
    return None


_PARTICIPLE = re.compile(
    r"^(?P<participle>[\w-]+(?:ed|en|t|n|ing)?) (?P<prep>in|on|at|by|from|to|with|for|under|via|into|after|of|as|"
    r"within|over|every|through|until|till|before|above|below) (?P<rest>.+)$",
    re.IGNORECASE,
)


def _adjective(key: str, words: list[str], negated: bool) -> list[Reading]:
    first = words[0].casefold()
    predicate = " ".join(words)
    if len(words) == 1 and first in DIMENSION:
        return [name_reading(f"{key} {DIMENSION[first]}", predicate, Frame.COPULA, denied=negated)]
    match = _PARTICIPLE.match(predicate)
    if match and (VERB_TENSE.get(first) == "ed" or first.endswith("ed")) and len(match["rest"].split()) <= 6:
        rest, prep = match["rest"], match["prep"].casefold()
        agent = AGENT.get(VERB_BASE.get(first, ""))
        if prep == "by" and agent:
            return [name_reading(f"{key} {agent}", rest, Frame.COPULA, denied=negated)]
        stem = (
            key
            if prep in ("on", "at", "in", "for") and temporal(rest) and first in ("due", "scheduled")
            else f"{key} is {first} {prep}"
        )
        return [clause_reading(stem, rest, Frame.VERB, denied=negated)]
    if match and not negated and read(match["rest"]).kind not in (*_SIMPLE, "weekday", "boolean", "none"):
        typed = complements(f"{key} {_be(key)} {first}", predicate[len(first) + 1 :], negated=negated)
        if typed:
            return typed
    if VERB_TENSE.get(first) == "ed" and len(words) > 1:
        typed = complements(f"{key} {_be(key)} {first}", predicate[len(first) + 1 :], negated=negated)
        if typed:
            return typed
    base = _opposite(first)
    if base is not None:
        return [property_of(key, " ".join([base, *words[1:]]), negated=not negated)]
    if len(words) > 14:
        return [clause_reading(f"{key} is", predicate, Frame.STATEMENT, multi=True, denied=negated)]
    return [property_of(key, predicate, negated=negated)]


def property_of(key: str, adjective: str, *, negated: bool) -> Reading:
    """Whether `key` is `adjective`: the slot that "migration complete: yes" also fills."""
    told = yes_no(f"{key} {_be(key)} {adjective}", negated=negated)
    return told.but(fold=name_reading(f"{key} {adjective}", "yes", Frame.PROPERTY).fold)


def _be(subject: str) -> str:
    """The form of be that reads well after `subject`; all are one in a folded key."""
    last = subject.split()[-1].casefold()
    if last == "i":
        return "am"
    return (
        "are"
        if last in ("we", "you", "they", "these", "those")
        or (last.endswith("s") and not last.endswith(("ss", "us", "is", "'s")))
        else "is"
    )


def _strip_article(text: str) -> str:
    return re.sub(r"^(?:a|an|the|any|some) ", "", plain(text), flags=re.IGNORECASE)
