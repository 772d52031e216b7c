"""Noun phrases as keys: what of a subject names the thing, and whether it can name a slot at all."""

from __future__ import annotations

import re

from beliefmerge.claims.values.normalise import plain
from beliefmerge.claims.words.lexicon import (
    BE,
    DETERMINERS,
    GENERIC_SUBJECTS,
    MODALS,
    PREPOSITIONS,
    PRONOUNS,
    VERB_TENSE,
)

LONGEST = 9
"""Words."""

_RELATIVE = re.compile(
    r",? (?:(?:that|which) )?(?:we|i|they|you)(?:'re|'ve)? (?:(?:are|have|will|now|currently|all) )?(?:use|using|"
    r"used|chose|chosen|picked|want|need|selected|run|"
    r"settled on|agreed on|decided on|set|have|like|prefer|booked|go with)(?: (?:for|as) (?:this|it|that))?$",
    re.IGNORECASE,
)
_CHOICE = re.compile(r" (?:of choice|in use|in question|for now)$", re.IGNORECASE)
_LEADING = re.compile(
    r"^(?:(?:the|our|my|your|a|an|this|that) )?(?:(?:value|content|contents|setting|choice) (?:of|for) )(?:the )?",
    re.IGNORECASE,
)


def noun_phrase(text: str) -> str | None:
    """The part of `text` that names a slot; None when it is a pronoun, a clause, too long or too general."""
    text = plain(text)
    text = _CHOICE.sub("", _RELATIVE.sub("", text))
    text = _LEADING.sub("", text)
    words = text.split()
    if not words or len(words) > LONGEST or not any(c.isalnum() for c in text):
        return None
    folded = [word.casefold() for word in words]
    if folded[0] in PRONOUNS and not (len(folded) > 1 and folded[0] in ("this", "that", "these", "those", "her")):
        return None
    content = [word for word in folded if word not in DETERMINERS]
    if not content or all(word in GENERIC_SUBJECTS for word in content):
        return None
    if folded[0] in (
        "what",
        "who",
        "which",
        "that",
        "when",
        "how",
        "why",
        "if",
        "because",
        "to",
        "not",
        "whoever",
        "whatever",
        "whichever",
        "anyone",
        "someone",
        "somebody",
        "anything",
        "something",
    ):
        return text if folded[0] in ("what", "when", "who", "where") and len(words) > 2 else None
    if any(word in BE or word in MODALS for word in folded):
        return None
    return text


def is_generic(text: str) -> bool:
    """Whether `text` is only "the problem", "the idea" and the like."""
    content = [word for word in plain(text).casefold().split() if word not in DETERMINERS]
    return all(word in GENERIC_SUBJECTS for word in content)


def is_definite(text: str) -> bool:
    """Whether `text` is a definite description: "the QA lead", "our database", not a name and not "a dog"."""
    words = text.split()
    return bool(words) and words[0].casefold() in ("the", "our", "my", "your", "their", "his", "her", "its")


def is_name(text: str) -> bool:
    """Whether `text` looks like a name: capitalised or an identifier, at most four words, no article."""
    words = plain(text).split()
    if not words or len(words) > 4 or words[0].casefold() in DETERMINERS or words[0].casefold() in PRONOUNS:
        return False
    if words[0].casefold() in PREPOSITIONS or (words[0].casefold() in VERB_TENSE and not words[0][0].isupper()):
        return False
    return (
        all(word[0].isupper() or word[0].isdigit() or any(c in word for c in "-_./") for word in words)
        or len(words) == 1
    )
