"""Negation in English clauses: what is denied, and the clause without it.

Negative words inside a fixed phrase ("do not forget to", "not only", "no doubt") deny nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from beliefmerge.claims.words.gate import Gate
from beliefmerge.claims.words.lexicon import VERB_BASE, VERB_TENSE

_FIXED = (
    r"do(?: not|n't|n’t) (?:forget|hesitate|worry|fail)|not (?:only|just|merely|necessarily|to mention|least|sure|bad|"
    r"that)|no (?:doubt|problem|worries|matter|wonder|idea|need to worry|big deal|more than|less than|fewer than|later "
    r"than|earlier than|sooner than|less)|not (?:more|less|fewer|later|earlier) than|nothing (?:but|else than)|why not|"
    r"whether or not|if not|or not|never mind|can(?:not|'t|’t| not) (?:help but|wait)|not until|not to exceed|no\.|"
    r"none other than|no one else|yes and no|with no|at no (?:extra |added |additional )?(?:cost|charge)|no-op|non-\w+"
)
_NEGATIVE = re.compile(
    rf"\b(?:{_FIXED})(?=\W|$)|"
    r"(?P<cant>\bcannot\b|\bcan't|\bcan’t)|(?P<wont>\bwon't|\bwon’t)|(?P<shant>\bshan't)|"
    r"(?P<aux>\b(?:is|are|was|were|do|does|did|has|have|had|must|should|would|could|need|might|may)n['’]t\b)|"
    r"(?P<aint>\bain't\b)|"
    r"(?P<longer>\bno longer\b|\bnot any ?more\b|\bnever again\b)|(?P<not>\bnot yet\b|\bnot\b|\bnever\b)|"
    r"(?P<no>\bno\b(?= [a-z]))|(?P<nobody>^(?:nobody|no one|no-one)\b)",
    re.IGNORECASE,
)
_RELATIVE = re.compile(
    r"(?P<noun>[\w-]+) (?P<word>who|which|that)"
    r"(?: (?:is|are|was|were|do|does|did|has|have|had|can|will|may|must|should))? ?$",
    re.IGNORECASE,
)
_BOUND = re.compile(
    r"\b(?:not|never|nobody|no one|n['’]t|cannot)\b.*\b(?:before|after|until|above|below|beyond|over|under|outlast|"
    r"(?:more|less|fewer|longer|later|earlier|sooner|higher|lower|shorter|farther|"
    r"further) than)\b(?: \w+){0,2}? [$€£¥]?\d",
    re.IGNORECASE,
)
"""“nobody gets in before 12:10”, “never leave it over 90 minutes”: a bound that holds, not a value that is denied."""
_NONE = re.compile(
    r"(?<=\W)(?:nobody|no one|no-one|nothing|none|neither)\b(?! (?:but|else than|other than)\b)", re.IGNORECASE
)
_GATE = Gate("no not never nobody cannot t")
_ANYMORE = re.compile(r",? (?:any ?more|any longer|yet|at all|either)(?=$|[.,;])", re.IGNORECASE)
_DO = re.compile(r"\b(do|does|did) (?=(\w+))", re.IGNORECASE)
_ANY = re.compile(r"\bany\b ?", re.IGNORECASE)


def positive(clause: str) -> tuple[str, bool]:
    """`clause` without its negation, and whether it was negative. An even number of negations is none.

    "does not deploy on Friday" gives "deploys on Friday", "cannot skip" gives "can skip".
    """
    if not _GATE(clause) or _BOUND.search(clause):
        return clause, False
    count, out, at = 0, [], 0
    for match in _denying(clause):
        count += 1
        out.append(clause[at : match.start()])
        out.append(_kept(match.lastgroup or "", match.group()))
        at = match.end()
    if not count:
        return clause, False
    text = _ANYMORE.sub("", "".join(out) + clause[at:])
    return _without_do(" ".join(text.split())), count % 2 == 1


def negations(text: str) -> list[int]:
    """Where in `text`, of one clause or more, a word stands that denies something."""
    return sorted([match.start() for match in _denying(text)] + [match.start() for match in _NONE.finditer(text)])


def _denying(clause: str) -> Iterator[re.Match[str]]:
    """The negative words of `clause` outside fixed phrases."""
    for match in _NEGATIVE.finditer(clause):
        if _in_relative(clause[: match.start()]):
            continue
        answer = match.lastgroup == "no" and match.start() == 0
        if match.lastgroup and not (
            answer and clause[match.end() :].lstrip()[:4].casefold() in ("the ", "it i", "we a")
        ):
            yield match


def _in_relative(before: str) -> bool:
    """Whether a negative word after `before` is the verb's of a relative clause: "people who do not smoke"."""
    match = _RELATIVE.search(before)
    return match is not None and (match["word"].casefold() != "that" or match["noun"].casefold() not in VERB_TENSE)


def _kept(kind: str, word: str) -> str:
    """What stays of a negative word in the positive clause."""
    if kind == "aux":
        return word[:-3]
    return {"cant": "can", "wont": "will", "shant": "shall", "aint": "is", "nobody": "everybody"}.get(kind, "")


def _without_do(clause: str) -> str:
    """The clause without the "do" that only carried the negation: "does deploy" becomes "deploys"."""

    def bare(match: re.Match[str]) -> str:
        verb = match[2].casefold()
        return "" if VERB_BASE.get(verb) == verb or verb not in VERB_BASE else match.group()

    match = _DO.search(clause)
    if match is None or VERB_TENSE.get(match[2].casefold(), "") != "":
        return _ANY.sub("", clause)
    rest = clause[match.end() :]
    if match[1].casefold() == "does":
        verb, space, tail = rest.partition(" ")
        rest = third_person(verb) + space + tail
    return _ANY.sub("", clause[: match.start()] + rest)


def third_person(verb: str) -> str:
    """“deploys” for “deploy”."""
    if verb in ("have", "Have"):
        return "has"
    if verb.endswith(("s", "sh", "ch", "x", "z", "o")):
        return verb + "es"
    if verb.endswith("y") and verb[-2:-1] not in "aeiou":
        return verb[:-1] + "ies"
    return verb + "s"
