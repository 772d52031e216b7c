"""The scope of a negation: it denies its own clause, not what stands before a comma, a conjunction or "because".

Only sentences with a negation are cut here. What stands before the mark must be a whole clause or an order; what
stands after it is a clause of its own, or, where it is none that could be read ("no excuses", "which is not final"),
nothing.
"""

# ruff: noqa: SIM905 (word classes are easier to read and to extend as text)

from __future__ import annotations

import re

from beliefmerge.claims.clauses.negation import negations
from beliefmerge.claims.words.completeness import FINITE, complete
from beliefmerge.claims.words.gate import Gate
from beliefmerge.claims.words.lexicon import PREPOSITIONS, VERB_TENSE

_GATE = Gate("no not never nobody none nothing neither cannot t")
_MARK = re.compile(
    r"(?P<comma>, |; ?|(?<!\d): | [-–—]+ |—| \()(?:(?P<joint>and|but|yet|so|or|because|as|"
    r"although|though|whereas|while|even though) (?:that )?)?|"
    r" (?P<loose>and|but|yet|so|because|although|though|whereas|while|even though) (?:that )?|"
    r" (?=please (?:do not|don['’]t|never) [a-z]+ )",
    re.IGNORECASE,
)
_LINK = re.compile(
    r"^(?:(?:and|but|yet|so|because|although|though|whereas|while|even though|since|therefore|then|also),? )+",
    re.IGNORECASE,
)
_ORDER = re.compile(
    r"^(?:(?:please|kindly|just|so|and|but|then),? )*(?P<no>do not|don['’]t|never)(?: (?:ever|please))? "
    r"(?P<what>(?P<verb>[a-z][\w-]*)\b(?P<object> (?:it|them|the|an?|our|my|your|this|that|any\w*)\b)?.*)$",
    re.IGNORECASE,
)
PREDICATE = re.compile(
    r"^(?:(?:is|are|was|were|has|have|had|does|do|did|may|must|can|should|shall|will|would|could|might)"
    r"(?: not|n['’]t| never| no longer)|cannot|can['’]t|won['’]t|never|no longer) "
    rf"(?!(?:{'|'.join(sorted(PREPOSITIONS))})\b)[a-z\d]",
    re.IGNORECASE,
)
"""A second predicate of the same subject: "… and must not be changed"."""
_EXPLAINS = re.compile(r"^(?:that|this|which) (?:is|was) (?:when|why|how|where|because|what)\b", re.IGNORECASE)
_CONDITIONS = frozenset("if when whenever once until unless before after".split())
_OPENS = (
    PREPOSITIONS
    | _CONDITIONS
    | frozenset(
        "while because although though whether that which who what despite according "
        "contrary whatever given even whoever".split()
    )
)
"""Words after which what stands before a comma is no clause that could be told alone."""


def order(text: str) -> str | None:
    """What "don't …", "please never …" forbids, as "VERB …"; None for what is no prohibition."""
    match = _ORDER.match(text)
    if match is None or not _forbids(match):
        return None
    tense = VERB_TENSE.get(match["verb"].casefold())
    if match["no"].casefold() == "never" and tense != "" and not (tense is None and match["object"]):
        return None
    return match["what"]


def forbids_nothing(text: str) -> bool:
    """Whether `text` is a prohibition in its words alone: "don't worry", "do not forget"."""
    match = _ORDER.match(text)
    return match is not None and match["no"].casefold() != "never" and not _forbids(match)


def _forbids(match: re.Match[str]) -> bool:
    """Whether the negative word of an order is one, and no part of a fixed phrase."""
    return any(match.start("no") <= place < match.end("no") for place in negations(match.string))


def own_clauses(text: str) -> list[str]:
    """`text` in the clauses between which no negation reaches; what cannot be read alone is left out."""
    found = negations(text) if _GATE(text) else []
    if not found:
        return [text]
    parts, at = [], 0
    for mark in _MARK.finditer(text):
        left = text[at : mark.start()].strip(" )")
        right = text[mark.end() :]
        if mark.start() < at or not (_stands(left) or (_bids(left) and order(right))):
            continue
        own = right[: _next_mark(right)]
        denied_left = any(at <= place < mark.start() for place in found)
        denied_own = any(mark.end() <= place < mark.end() + len(own) for place in found)
        if not (denied_left or denied_own):
            continue
        if order(right) or _is_clause(own, denied=denied_own) or _apart(mark, left, right, own):
            parts.append(left)
            at = mark.end()
        elif denied_own and not denied_left and _is_idle(mark, own):
            parts.append(left)
            at = mark.end() + len(own)
    if not parts:
        return [text]
    rest = _LINK.sub("", text[at:].strip(" ,;:()–—-"))
    return [*parts, rest] if rest and not _EXPLAINS.match(rest) else parts


def _stands(left: str) -> bool:
    """Whether `left` is a clause or an order that can be told alone."""
    words = left.split()
    if not words or words[0].casefold() in _OPENS or words[-1] in FINITE:
        return False
    first = words[0].casefold()
    if len(words) > 2 and first not in FINITE and words[1] in FINITE:
        return True
    told = len(words) > 2 and first in ("we", "i", "they", "you") and words[1].islower()
    return told or complete(left) or order(left) is not None


def _bids(left: str) -> bool:
    """Whether `left` begins as an affirmative order does: "use port 80 and don't change it"."""
    words = left.split()
    return len(words) > 1 and VERB_TENSE.get(words[0].casefold()) == ""


def _next_mark(right: str) -> int:
    mark = _MARK.search(right)
    return mark.start() if mark and mark.start() else len(right)


def _is_clause(own: str, *, denied: bool) -> bool:
    """Whether `own` has a subject and a verb; an affirmed one needs an auxiliary, or it may be an item of a list."""
    if own.split()[:1] and own.split()[0].casefold() in _CONDITIONS:
        return False
    if complete(re.sub(r"^(?:no|not|so) ", "", own, flags=re.IGNORECASE)):
        return denied or complete(own, strict=True) or any(word.casefold() in FINITE for word in own.split())
    return False


def _apart(mark: re.Match[str], left: str, right: str, own: str) -> bool:
    """Whether the mark alone parts the two: a second predicate after "and", whatever follows an order and a dash."""
    if mark["joint"] or mark["loose"]:
        return bool(PREDICATE.match(own))
    if order(left) and _bids(own) and not re.search(r"\b(?:or|nor)\b", right, re.IGNORECASE):
        # "don't use 80, use 81", where "don't copy, move or delete" goes on with what is forbidden.
        return len((order(left) or "").split()) > 1
    return mark.group()[:1] in ";:" or (order(left) is not None and mark.group() != ", ")


def _is_idle(mark: re.Match[str], own: str) -> bool:
    """Whether `own`, which is negative, says nothing that could be read alone, nor closes an inserted phrase."""
    words = own.casefold().split()
    if not words or words[0] in _CONDITIONS or "that" in words:
        return False
    if mark["comma"] and not mark["joint"]:
        return words[0] not in FINITE and words[0] not in VERB_TENSE and not PREDICATE.match(own)
    return words[0] not in VERB_TENSE
