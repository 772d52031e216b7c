"""An old and a new value in one sentence: "was 60 seconds but is now 5 minutes", "… but we changed it to 5 minutes"."""

from __future__ import annotations

import re

from beliefmerge.claims.words.gate import Gate
from beliefmerge.claims.words.lexicon import VERB_TENSE

_GATE = Gate("was were used been")
_MADE = (
    r"(?:chang|mov|switch|rais|lower|increas|reduc|decreas|extend|shorten|set|reset|cut|bump|updat|push|postpon|"
    r"reschedul|upgrad|downgrad|convert|migrat|correct|renam|replac|swap|substitut)\w*"
)
_TO = r"(?: (?:up|down|back|over|out))? (?:to|into|with|by|for)"
_SUCCESSION = re.compile(
    r"^(?:(?:previously|formerly|originally|initially|at first|in the past),? )?"
    r"(?P<subject>(?!if |when |unless |whether |until |once |"
    r"there )(?:[\w'’-]+ ){1,6}?)"
    r"(?:was|were|used to be|had been) (?:(?:first|originally|initially|previously|formerly|once) )?"
    r"(?P<old>[^,;:]{1,60}?)(?:[,;]| [-–—])?(?: (?:but|and|yet),?)?(?: (?:then|later|since|recently|today))? "
    r"(?:(?:(?:it|they|that) )?(?:is|are) now|now,? (?:(?:it|they|that) )?(?:is|are)|"
    r"(?:(?:it|they) )?(?:has since |have since |then |later )?(?:became|has become|have become)|"
    rf"(?:(?:it|they) )?(?:was|were|has been|have been|got)(?: (?:then|later|since))? {_MADE}{_TO}|"
    r"(?:we|i|they|he|she|somebody|someone|the \w+)(?: (?:have|has|had|then|later|since|now|just|recently|all))*"
    rf" {_MADE} (?:it|them|that|this){_TO}) (?P<new>[^,;:]{{1,60}})$",
    re.IGNORECASE,
)


def succession(text: str) -> tuple[str, str] | None:
    """What was so and what is so now, as two clauses; None for a sentence that tells no such thing."""
    match = _SUCCESSION.match(text.rstrip(" .!")) if _GATE(text) else None
    if match is None or VERB_TENSE.get(match["old"].split()[0].casefold()) in ("ed", "ing"):
        return None
    subject = match["subject"].strip()
    return f"{subject} used to be {match['old'].strip()}", f"{subject} is {match['new']}"
