"""Whether words make a clause: a subject, and a finite verb of its own."""

# ruff: noqa: SIM905 (word classes are easier to read and to extend as text)

from __future__ import annotations

from collections.abc import Sequence

from beliefmerge.claims.words.lexicon import BE, DETERMINERS, MODALS, PREPOSITIONS, VERB_TENSE

_LOOKED_AT = 11
"""Words in which the verb must come."""
FINITE = (
    BE | MODALS | frozenset("has have had isn't aren't wasn't weren't can't won't cannot don't doesn't didn't".split())
)
"""Auxiliaries; with them stand the forms of be that are not finite."""
_DO = frozenset("do does did".split())


def complete(text: str, *, strict: bool = False) -> bool:
    """Whether `text` begins with a short subject and a finite verb. `strict` asks for an article or pronoun first."""
    words = [word.strip("\"'`*,.;:").casefold() for word in text.split()[:_LOOKED_AT]]
    if len(words) < 3 or words[0] in FINITE or (words[0] in VERB_TENSE and words[0] not in ("we", "i")):
        return False
    if words[0] in ("not", "no", "so", "then", "to", "because", "which", "who", "that", "if", "when"):
        return False
    if strict and words[0] not in ("the", "we", "our", "it", "i", "they", "my"):
        return False
    for i, word in enumerate(words[1:], 1):
        if word == "to" and words[i + 1 : i + 2] and words[i + 1] in DETERMINERS:
            continue
        if word in ("which", "who", "that", "because", "if", "when", "to"):
            return False
        if word in FINITE:
            return True
        if VERB_TENSE.get(word) in ("s", "ed") and words[i - 1] not in ("the", "a", "an", "our", "of", "for"):
            return True
        if word in VERB_TENSE and (words[i - 1] in ("we", "i", "they", "you") or _plural(words[:i], word)):
            return True
    return False


def is_finite(word: str) -> bool:
    """Whether `word` is a finite verb form wherever it stands: a third person, a past, a form of be, do or a modal."""
    folded = word.strip("\"'`*,.;:").casefold()
    return folded in FINITE or folded in _DO or VERB_TENSE.get(folded) in ("s", "ed")


def _plural(before: Sequence[str], word: str) -> bool:
    """Whether the words `before` can be a plural subject: then its verb looks like the base form `word`."""
    if VERB_TENSE[word] or before[-1] in DETERMINERS or before[-1] in PREPOSITIONS:
        return False
    return any(each.endswith("s") and not each.endswith("ss") and len(each) > 3 for each in before)
