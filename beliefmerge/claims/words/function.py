"""Function words of every language that is read: what says nothing of what a text is about."""

# ruff: noqa: SIM905 (word classes are easier to read and to extend as text)

from __future__ import annotations

from beliefmerge.claims.words.lexicon import BE, DETERMINERS, FILLERS, MODALS, PREPOSITIONS, PRONOUNS
from beliefmerge.claims.words.other_languages import LANGUAGES

FUNCTION = (
    DETERMINERS
    | PREPOSITIONS
    | BE
    | MODALS
    | FILLERS
    | PRONOUNS
    | frozenset("and or not no we i you of that which who as than so but if then very more most less".split())
    | frozenset(
        word
        for language in LANGUAGES
        for part in (language.articles, language.copulas, language.places, language.negations, language.indefinite)
        for word in part.split("|")
    )
    | frozenset("的了是在为有和与或也都就不没对把被将从到于用")
    | frozenset("はがをにでともやのですだ")
)
