"""Openings that say how a clause is meant and not what it says: "small update: …", "before I forget, …".

They are told by their shape and not by a list: a few words without a value of their own, before a whole clause.
"""

# ruff: noqa: SIM905 (word classes are easier to read and to extend as text)

from __future__ import annotations

from beliefmerge.claims.clauses.contrast import STRIKING
from beliefmerge.claims.clauses.scope import forbids_nothing
from beliefmerge.claims.values.normalise import may_be_typed
from beliefmerge.claims.words.completeness import complete
from beliefmerge.claims.words.lexicon import DETERMINERS, PREPOSITIONS, PRONOUNS

_LONGEST = 6
"""Words of an opening."""
_TALKING = frozenset("i you me we us".split())
_SUBORDINATING = frozenset(
    "if when whenever while once until unless after before since because although though as in case except given "
    "today tomorrow yesterday tonight last next this every each from by".split()
)
_CONJUNCTIONS = frozenset(
    "if when whenever while until unless since because although though as but and or so yet nor which who".split()
)
_SUBJECTS = DETERMINERS | frozenset("we i you they he she it there this that these those nobody everybody".split())


def without_aside(text: str) -> str:
    """`text` from its first whole clause on, where what comes before is an aside; unchanged otherwise."""
    for mark in (": ", ", "):
        opening, found, rest = text.partition(mark)
        if found and _is_aside(opening, mark) and _goes_on(opening, rest):
            return rest
        if found and forbids_nothing(opening) and complete(rest):
            return rest
    return text


def _goes_on(opening: str, rest: str) -> bool:
    """Whether the sentence is in `rest`: a whole clause after what is none, or whatever follows talk of the talking."""
    first = next(iter(rest.split()), "").casefold()
    if first in _CONJUNCTIONS:
        return False
    if _is_talk(opening):
        return complete(rest) or len(rest.split()) > 2
    return complete(rest) and not complete(opening)


def _is_talk(opening: str) -> bool:
    """Whether it speaks of the talking itself: "before I forget", "just so you know"."""
    return not _TALKING.isdisjoint(opening.casefold().split())


def _is_aside(opening: str, mark: str) -> bool:
    words = opening.casefold().split()
    if not 0 < len(words) <= _LONGEST or any(c in opening for c in "=/_`\"'():,") or may_be_typed(opening.split()):
        return False
    if words[0] in STRIKING and PRONOUNS.isdisjoint(words):
        return False
    if any(word[0].isupper() and word != "I" for word in opening.split()[1:]):
        return False
    if mark == ": ":
        return len(words) > 1 and words[0] not in DETERMINERS
    if _is_talk(opening):
        return words[0] not in ("if", "when", "unless", "until")
    return words[0] not in _SUBORDINATING and words[0] not in PREPOSITIONS and words[0] not in _SUBJECTS
