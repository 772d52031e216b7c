"""Reasons: which clause of a sentence is a conclusion and which its premise ("because", "so", 因为…所以)."""

from __future__ import annotations

import re
from typing import NamedTuple

from beliefmerge.claims.words.completeness import complete
from beliefmerge.claims.words.gate import Gate


class Argument(NamedTuple):
    """A conclusion and the clause it rests on, as text."""

    conclusion: str
    premise: str


_GATE = Gate(
    "because since so therefore hence thus given consequently means result seeing now implies meaning follows weil "
    "deshalb daher parce donc porque accordingly reason why ergo as"
)
_CJK_TRIGGER = re.compile("因为|因為|由于|由於|所以|因此|因而|故而|既然|于是|从而|由此")
_LEADING = re.compile(
    r"^(?:because|since|given(?: the fact)?(?: that)?|seeing that|now that|as) (?P<premise>.{4,}?),(?: so| then|"
    r" therefore)? (?P<conclusion>.{4,})$",
    re.IGNORECASE,
)
_MIDDLE = re.compile(
    r"^(?P<conclusion>.{4,}?)(?:,| -+| —| –)? (?:because|since|given(?: the fact)? that|seeing that|now that|"
    r"on the grounds that|this follows from the fact that) (?!of\b|then\b|when\b)(?P<premise>.{4,})$",
    re.IGNORECASE,
)
_FORWARD = re.compile(
    r"^(?P<premise>.{4,}?)(?:[,;]| -+| —| –) (?:so(?! that\b)|and so|therefore|and therefore|hence|thus|"
    r"which means(?: that)?|meaning(?: that)?|consequently|and consequently|as a result|so therefore|"
    r"which implies(?: that)?|and thus|and hence),? (?P<conclusion>.{4,})$|"
    r"^(?P<premise2>.{4,}?) (?:and )?(?:therefore|hence|thus|consequently) (?P<conclusion2>(?:the|we|our|it|i|a|an|"
    r"my) .{4,})$",
    re.IGNORECASE,
)
_OPENING = re.compile(
    r"^(?:(?:and )?(?:therefore|hence|thus|consequently|accordingly|as a result|for (?:that|this) reason|"
    r"because of (?:that|this)|that'?s why|that is why|that means(?: that)?|this means(?: that)?|it follows that|"
    r"which means(?: that)?|ergo),? |so,? (?=the |we |our |it |i |a |my |they |this |that |you )|so, )",
    re.IGNORECASE,
)
_CJK_LEADING = re.compile(
    r"^(?:因为|因為|由于|由於|既然)(?P<premise>[^,，]{2,})[,，]\s*(?:所以|因此|因而|故|那么|就)?(?P<conclusion>.{2,})$"
)
_CJK_MIDDLE = re.compile(r"^(?P<conclusion>.{2,}?)[,，]?(?:是)?(?:因为|因為|由于|由於)(?P<premise>.{2,})$")
_CJK_FORWARD = re.compile(
    r"^(?P<premise>.{2,}?)[,，;；]\s*(?:所以|因此|因而|于是|从而|故而)[,，]?(?P<conclusion>.{2,})$"
)
_CJK_OPENING = re.compile(r"^(?:所以|因此|因而|于是|从而|故而|由此可见)[,，]?")
_SINCE_TIME = re.compile(
    r"^(?:\d(?![\w.]* (?:is|are|was|were|has|had)\b)|"
    r"last |yesterday|then|monday|tuesday|wednesday|thursday|friday|saturday|sunday|january|february|march|"
    r"april|may|june|july|august|september|october|november|december|the (?:beginning|start|morning|last))",
    re.IGNORECASE,
)
_BREAK = re.compile(
    r"(?:, (?:because|since|as|for|given|so|and|but|which|due to|seeing|it|they|she|he)\b| (?:because|but|due to|"
    r"owing to|on account of|"
    r"and (?:it|they|nothing)|thanks to|after|when|once|on the grounds)\b|[:;](?= )| [-–—]+ )",
    re.IGNORECASE,
)
_COMMA = re.compile(r", (?:(?P<polite>please|sorry),? ?)?", re.IGNORECASE)
_PAST = re.compile(r"(?:the|our|my|we|they|an?|nobody) (?:[\w'’-]+ ){0,3}?[a-z]{3,}ed\b", re.IGNORECASE)
"""The beginning of a clause whose verb, not one of the known, is in the past."""
_CJK_BREAK = re.compile("因为|因為|由于|由於|既然|所以|因此|[:：；，,]")


_OPENERS = Gate("and therefore hence thus consequently accordingly as for because that thats this it which ergo so")


def argument(text: str) -> Argument | None:
    """The conclusion and premise of a sentence that gives a reason, or None."""
    patterns = (_LEADING, _FORWARD, _MIDDLE) if _GATE(text) else ()
    if not text.isascii() and _CJK_TRIGGER.search(text):
        patterns = (_CJK_LEADING, _CJK_FORWARD, _CJK_MIDDLE)
    for pattern in patterns:
        match = pattern.match(text)
        if match is None:
            continue
        groups = match.groupdict()
        premise = groups["premise"] or groups.get("premise2") or ""
        conclusion = groups["conclusion"] or groups.get("conclusion2") or ""
        since = text[:6].casefold() == "since " or f" since {premise}" in text
        if text[:3].casefold() == "as " or (since and _SINCE_TIME.match(premise)):
            continue
        return Argument(conclusion.strip(" ,.;"), premise.strip(" ,.;"))
    return None


def opening(text: str) -> int:
    """How many characters of `text` say that it follows from the sentence before ("Therefore, "); 0 for none."""
    match = (_OPENING.match(text) if _OPENERS.opens(text) else None) or (
        None if text.isascii() else _CJK_OPENING.match(text)
    )
    return match.end() if match else 0


def before_reason(clause: str) -> str:
    """`clause` up to the first mark after which a reason or another clause begins."""
    mark = _BREAK.search(clause)
    clause = clause[: mark.start()] if mark else clause
    before, _, reason = clause.partition(" since ")
    if complete(reason):
        return before
    for comma in _COMMA.finditer(clause):
        rest = clause[comma.end() :]
        if comma["polite"] or complete(rest) or _PAST.match(rest):
            return clause[: comma.start()]
    return clause


def reason_in(text: str) -> str:
    """Of a sentence that rules something out, the end that says why, or what happened instead; "" without one."""
    rest = text[len(before_reason(text)) :]
    if not rest and not text.isascii() and (mark := _CJK_BREAK.search(text)):
        rest = text[mark.start() :]
    return rest.lstrip(" ,:;.!–—-：；，")
