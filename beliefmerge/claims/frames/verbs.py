"""Clauses with a full verb: modals are yes/no slots, typed complements are values, the rest is subject and rest."""

# ruff: noqa: SIM905 (word classes are easier to read and to extend as text)

from __future__ import annotations

import re

from beliefmerge.claims.clauses.negation import third_person
from beliefmerge.claims.frames.complements import chunks, complements, counted, piles_up
from beliefmerge.claims.frames.copula import copula
from beliefmerge.claims.reading import Frame, Reading, clause_reading, name_reading, yes_no
from beliefmerge.claims.values.normalise import UNTYPED, plain, read
from beliefmerge.claims.values.numerals import NUMBER_WORDS
from beliefmerge.claims.words.gate import Gate
from beliefmerge.claims.words.lexicon import (
    AGENT,
    ATTRIBUTE_NOUNS,
    BE,
    DETERMINERS,
    FUNCTIONAL_VERBS,
    PREPOSITIONS,
    PRONOUNS,
    VERB_BASE,
    VERB_TENSE,
)
from beliefmerge.claims.words.nouns import is_generic, noun_phrase

_MODAL = re.compile(
    r"^(?P<subject>.{1,80}?) (?P<modal>may|must|can|should|shall|ought to|need to|needs to|have to|has to|"
    r"is allowed to|are allowed to|is permitted to|are permitted to|"
    r"is required to|are required to|is able to|are able to|is supposed to|are supposed to|need|is obliged to|"
    r"are obliged to|are going to|is going to|will|would) (?P<verb>[a-z][\w-]*)(?P<rest>(?: .+)?)$",
    re.IGNORECASE,
)
_NUMBERED = frozenset("code number count limit score total pin id size quota budget".split())
_PARTICLES = frozenset("off up out down in on over through back away along together".split())
_MODALS = Gate(
    "may must can should shall ought need needs have has allowed permitted required able supposed obliged going will "
    "would"
)
_REMINDERS = Gate("please always just do don remember make be try never kindly")
_OBLIGATION = {
    "have to": "must",
    "has to": "must",
    "need to": "must",
    "needs to": "must",
    "is required to": "must",
    "are required to": "must",
    "shall": "must",
    "is obliged to": "must",
    "are obliged to": "must",
}
_PERMISSION = {
    "may": "may",
    "can": "may",
    "is allowed to": "may",
    "are allowed to": "may",
    "is permitted to": "may",
    "are permitted to": "may",
    "is able to": "may",
    "are able to": "may",
}
_FUTURE = ("will", "would", "are going to", "is going to", "shall")
_REMEMBER = re.compile(
    r"^(?:(?:please |always |just )?(?:do not forget to|don['’]t forget to|remember to|make sure (?:to|that you|you)|"
    r"be sure to|try to|never fail to|don['’]t fail to|do not fail to) |please |always |just |kindly )+",
    re.IGNORECASE,
)
_NOUN_LIKE = frozenset(
    (
        "have do like total name time point test form back play cost list plan result report review state score view "
        "study work share store sort show place"
    ).split()
)
"""Verbs that open a sentence as nouns at least as often."""


def modal(text: str, *, negated: bool) -> list[Reading]:
    """“Hotfixes may skip review” as a yes/no slot; with a typed complement (“must rotate every 90 days”) as a value."""
    match = _MODAL.match(text) if _MODALS(text) else None
    if match is None:
        return []
    subject, how, verb_word = match["subject"], match["modal"].casefold(), match["verb"].casefold()
    if verb_word == "be" and how == "can" and negated:
        # What cannot be so is not so; what may not be so may be.
        found = copula(f"{subject} is{match['rest']}", negated=True)
        if found and found[0].frame is not Frame.PROPERTY:
            return found
    if verb_word in BE and verb_word == "be" and how not in _PERMISSION and how not in _OBLIGATION and how != "should":
        return []
    if verb_word not in VERB_BASE and verb_word not in ("be",) and how in _FUTURE:
        return []
    if how == "need" and VERB_BASE.get(verb_word) != verb_word:
        return []
    if subject.casefold().startswith("only ") and how in _PERMISSION and noun_phrase(subject[5:]):
        return [clause_reading(f"who may {verb_word}{match['rest']}", subject[5:], Frame.COPULA, denied=negated)]
    if noun_phrase(subject) is None and subject.casefold() not in ("we", "i", "they", "you", "it", "he", "she"):
        return []
    if verb_word == "exceed" and negated and read(match["rest"]).kind not in UNTYPED:
        return [name_reading(subject, f"at most{match['rest']}", Frame.COPULA)]
    if how in _FUTURE:
        singular = subject.casefold() not in ("we", "i", "they", "you") and not subject.endswith("s")
        return verb(f"{subject} {third_person(verb_word) if singular else verb_word}{match['rest']}", negated=negated)
    said = _OBLIGATION.get(how) or _PERMISSION.get(how) or how
    stem = f"{subject} {said} {verb_word}"
    typed = complements(stem, match["rest"].strip(), negated=negated)
    return typed or [yes_no(stem + match["rest"], negated=negated)]


TO_DO, DONE = "to do", "done"
"""The values of what somebody is told to do: it is not said to be done unless its box is ticked."""


def imperative(text: str, *, negated: bool) -> list[Reading]:
    """“Rotate the keys” is to do, “do not …” a no; with a typed complement (“Bake at 220 °C”) it is a value."""
    bare = _REMEMBER.sub("", text) if _REMINDERS.opens(text) else text
    words = bare.split()
    if len(words) < 2:
        return []
    first = words[0].casefold()
    if (
        VERB_TENSE.get(first) != ""
        or first in BE
        or (first in _NOUN_LIKE and words[0][0].isupper() and bare == text and words[1].casefold() not in DETERMINERS)
    ):
        return []
    if words[1].casefold() in BE:
        return []
    if _is_subject(words):
        return []
    typed = complements(words[0], " ".join(words[1:]), negated=negated)
    if typed or len(words) > 20:
        return typed
    told = yes_no(bare, negated=negated)
    return [told if negated else told.but(value=TO_DO)]


def forbid(what: str) -> list[Reading]:
    """“Don't email Bob”, given as "email Bob": after "don't" any word is a verb."""
    verb_word, _, rest = what.partition(" ")
    return complements(verb_word, rest, negated=True) or [yes_no(what, negated=True)]


def _is_subject(words: list[str]) -> bool:
    """“Deploys take …”, “Test runs fail”: the first word is a noun because a finite verb follows it."""
    following = [word.casefold() for word in words[1:3]]
    return any(VERB_TENSE.get(word) in ("s", "ed") for word in following) and following[0] not in DETERMINERS


def verb(text: str, *, negated: bool) -> list[Reading]:
    """Subject, verb and complements; empty when no verb is found."""
    words = _simple_tense(text.split())
    at = find_verb(words)
    if at is None:
        return []
    subject = " ".join(words[:at])
    folded_subject = subject.casefold()
    if len(words) > 30 or (is_generic(subject) and folded_subject not in ("we", "i")):
        return []
    if folded_subject.split()[0] in PRONOUNS or folded_subject.split()[0] in (
        "what",
        "which",
        "who",
        "if",
        "when",
        "because",
    ):
        return [yes_no(text, negated=negated)] if len(words) <= 14 else []
    main = words[at].casefold().strip(",;")
    rest = " ".join(words[at + 1 :])
    stem = f"{subject} {main}"
    if VERB_BASE[main] in ("have", "contain", "include", "employ") and (count := counted(rest)):
        return [name_reading(f"{subject} {count[1]}{count[2]}", count[0], Frame.VERB, denied=negated)]
    if not rest or rest.casefold() in _PARTICLES:
        return [yes_no(f"{stem} {rest}".strip(), negated=negated)]
    return complements(stem, rest, negated=negated) or _untyped(stem, main, rest, negated)


def _simple_tense(words: list[str]) -> list[str]:
    """“we are staying at” as “we stay at”: the progressive says nothing else."""
    for i in range(1, min(len(words) - 1, 8)):
        following = words[i + 1].casefold()
        if words[i].casefold() in BE and VERB_TENSE.get(following) == "ing" and i + 2 < len(words):
            base = VERB_BASE[following]
            plural = words[i].casefold() in ("are", "were", "am")
            return [*words[:i], base if plural else third_person(base), *words[i + 2 :]]
    return words


def find_verb(words: list[str]) -> int | None:
    """Index of the main verb: the first word that is a verb form where a verb can stand."""
    for i in range(1, min(len(words), 12)):
        word, before = words[i].casefold().strip(",;"), words[i - 1].casefold()
        tense = VERB_TENSE.get(word)
        if tense is None or words[i][0].isupper() or before in DETERMINERS or before in PREPOSITIONS:
            continue
        if before.endswith((",", "'s", "’s")) and tense != "s":
            continue
        if tense == "s" and _is_noun_before_verb(words, i):
            continue
        if tense == "s" and before not in ("of",) and (i + 1 >= len(words) or words[i + 1].casefold() not in BE):
            return i
        if tense == "ed" and (i + 1 >= len(words) or words[i + 1].casefold() not in BE):
            return i
        if tense == "" and (
            before in ("we", "i", "they", "you", "who", "not", "people")
            or (before.endswith("s") and not before.endswith("ss"))
        ):
            return i
    return None


def _is_noun_before_verb(words: list[str], at: int) -> bool:
    """“health checks pass”, “all builds take”: an s-form is a plural noun when a base form follows that ends the
    clause or has a complement.
    """
    if at + 1 >= len(words) or VERB_TENSE.get(words[at + 1].casefold()) != "":
        return False
    if at + 2 >= len(words):
        return True
    after = words[at + 2].casefold()
    return after in PREPOSITIONS or after in DETERMINERS or after[0].isdigit() or after in NUMBER_WORDS


def _untyped(stem: str, main: str, rest: str, negated: bool) -> list[Reading]:
    """A verb with complements that have no type: the last preposition's, else the object, is the value."""
    base = VERB_BASE[main]
    parts = chunks(rest)
    if not parts or len(rest.split()) > 16:
        return [clause_reading(stem, rest, Frame.STATEMENT, multi=True, denied=negated)]
    preposition, value = parts[-1]
    if value.casefold() in PRONOUNS:
        return [yes_no(f"{stem} {rest}", negated=negated)]
    if not preposition or len(value.split()) > 6:
        functional = base in FUNCTIONAL_VERBS and len(rest.split()) <= 6
        told = clause_reading(stem, rest, Frame.STATEMENT, multi=True, denied=negated)
        thing = noun_phrase(rest) if base in AGENT and not preposition else None
        if thing:
            subject = stem.rpartition(" ")[0]
            return [told.but(role=name_reading(f"{thing} {AGENT[base]}", subject, Frame.COPULA, denied=negated))]
        return [
            clause_reading(
                stem, rest, Frame.VERB if functional else Frame.STATEMENT, multi=not functional, denied=negated
            )
        ]
    head = rest[: rest.rfind(value)].strip()
    multi = piles_up(main, preposition)
    told = clause_reading(f"{stem} {head}", value, Frame.VERB, multi=multi, denied=negated)
    if base == "belong" and preposition == "to" and (thing := noun_phrase(stem.rpartition(" ")[0])):
        return [told.but(role=name_reading(f"{thing} owner", value, Frame.COPULA, denied=negated))]
    return [told]


def _headline(words: list[str], negated: bool) -> Reading | None:
    """“Retention period 60 days”, “Door code 4471”: a noun phrase and its value, without a verb."""
    if not 2 <= len(words) <= 9 or any(word.casefold() in BE for word in words):
        return None
    for cut in range(max(1, len(words) - 4), len(words)):
        key, value = " ".join(words[:cut]), " ".join(words[cut:])
        kind = read(value).kind
        if kind in (*UNTYPED, "boolean", "none", "address", "path") or kind.startswith("count"):
            continue
        if kind == "number" and words[cut - 1].casefold() not in ATTRIBUTE_NOUNS | _NUMBERED:
            return None
        noun = noun_phrase(key)
        return name_reading(noun, value, Frame.COPULA, denied=negated) if noun and words[cut - 1].isalpha() else None
    return None


def statement(text: str, *, negated: bool) -> Reading:
    """Subject and rest of a clause that no frame reads; its values never oppose each other."""
    words = plain(text).split()
    at = find_verb(words)
    if at is None and (told := _headline(words, negated)):
        return told
    if at is not None and at < 8 and at + 1 < len(words):
        cut = at + 1
    else:
        cut = min(max(1, len(words) // 2), 5)
    key, value = " ".join(words[:cut]), " ".join(words[cut:])
    if not value:
        return yes_no(text, negated=negated)
    return clause_reading(key, value, Frame.STATEMENT, multi=True, denied=negated)
