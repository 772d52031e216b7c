"""What a clause denies in passing: "Monday, not Friday", "not A but B", "B instead of A", "B (was A)"."""

from __future__ import annotations

import re

from beliefmerge.claims.words.completeness import complete, is_finite
from beliefmerge.claims.words.gate import Gate
from beliefmerge.claims.words.lexicon import BE, MODALS, PREPOSITIONS, PRONOUNS, VERB_TENSE

_GATE = Gate(
    "from not no never t instead rather opposed longer over formerly previously was scrap forget drop ditch strike "
    "scratch mind ignore history obsolete outdated date more void superseded"
)
_PREPOSITIONS = "|".join(sorted(PREPOSITIONS))
_NOT_BUT = re.compile(
    r"^(?P<head>.*?)\bnot (?!only|just|merely)(?P<old>[^,;]{1,60}?),? but (?:rather |instead )?(?P<new>.+)$",
    re.IGNORECASE,
)
_IS_NOT_IT_IS = re.compile(
    r"^(?P<head>.+? (?P<be>is|are|was|were|should be|must be|will be))(?:n['’]t| not) (?P<old>[^,;]{1,60}?)(?:[,;:]|"
    r" [-–—])+ ?"
    r"(?:but )?(?:it's|it is|they're|they are|that's|but rather|but|rather|it should be|it was|it's now|it is now|"
    r"instead it's|instead it is)\s+(?P<new>(?!not |never |it ).+)$",
    re.IGNORECASE,
)
_TAIL_NOT = re.compile(
    r"^(?P<main>.+?)(?:,| [-–—]+|;)? ?(?:\((?:and )?(?:not|was|formerly|previously|used to be|no longer|instead of|"
    r"rather than|before that) (?P<paren>[^()]{1,60})\)|"
    r"(?:, |; | [-–—] )(?:and |but )?(?:not|no longer|no(?= (?-i:[A-Z]))|formerly|previously|definitely not|"
    rf"never(?= [\w-]+[.!]?$| (?:{_PREPOSITIONS}) )|"
    r"certainly not|(?:up|down|changed|raised|lowered|reduced|increased) from) (?P<comma>[^,;]{1,60}?)|"
    rf"(?:,? )(?:(?:and|but) never(?= (?:{_PREPOSITIONS}) )|and not|but not|instead of|rather than|as opposed to|"
    r"in place of) (?P<word>[^,;]{1,60}?))(?: any ?more| any longer| as (?:before|planned|previously \w+|i said))?$",
    re.IGNORECASE,
)
_LEAD_INSTEAD = re.compile(
    r"^(?:instead of|rather than) (?P<old>[^,;]{1,60}?),? (?P<main>(?:we|i|they|the|our|it|let's|use) .+)$",
    re.IGNORECASE,
)
STRIKING = ("scrap", "forget", "drop", "ditch", "strike", "scratch", "ignore", "never", "not")
"""What a clause begins with that takes a value back before the next one gives another."""
_STRUCK = re.compile(
    r"^(?:please )?(?:scrap|forget|drop|ditch|strike|scratch|never mind|ignore|no longer|not) (?:the |about )?"
    r"(?P<old>[^,;:]{1,40}?)(?: any ?more)?(?:[,;:]| [-–—]) (?P<main>.+)$",
    re.IGNORECASE,
)
_GONE = re.compile(
    r"^(?P<main>.+?)(?: from (?:today|tomorrow|now|this week|next week)(?: on)?)?[,;] (?:and |so )?"
    r"(?P<old>(?!the |our |my |a |an |this |that )[^,;]{1,40}?) (?:is|are|was) (?:now )?(?:history|obsolete|outdated|"
    r"out of date|no more|no longer (?:valid|current)|void|superseded)(?: now)?[.!]?$",
    re.IGNORECASE,
)
_OVER = re.compile(
    r"^(?P<main>.*\b(?:chose|choose|picked|pick|prefer|preferred|selected|favou?red|opted for|went with|"
    r"go with) .+?) over (?P<old>[^,;]{1,40})$",
    re.IGNORECASE,
)
_LONGEST = 7


def contrast(text: str) -> tuple[str, list[str]]:
    """`text` without its contrast, and the values the contrast denies."""
    if not _GATE(text):
        return text, []
    if match := _IS_NOT_IT_IS.match(text):
        return f"{match['head']} {match['new']}", [_value(match["old"])]
    if match := _NOT_BUT.match(text):
        old, new = match["old"], match["new"]
        if len(old.split()) <= _LONGEST and not _clause(new):
            return f"{match['head']}{_with_preposition(old, new)}", [_value(old)]
    if match := _LEAD_INSTEAD.match(text):
        return match["main"], [_value(match["old"])]
    if (match := _STRUCK.match(text) or _GONE.match(text)) and _replaces(match["old"], match["main"]):
        return match["main"], [_value(match["old"])]
    if match := _OVER.match(text):
        return match["main"], [_value(match["old"])]
    if match := _TAIL_NOT.match(text):
        old = match["paren"] or match["comma"] or match["word"]
        main = match["main"].strip(" ,;")
        exception = old.casefold().startswith("for ") and " for " not in main.casefold()
        last = main.split()[-1].casefold() if main else ""
        if (
            main
            and last not in BE
            and last not in MODALS
            and last != "or"
            and len(old.split()) <= _LONGEST
            and not _clause(old)
            and not exception
            and VERB_TENSE.get(old.casefold()) != ""
        ):
            inner, more = contrast(main)
            return inner, [*more, *(_value(part) for part in re.split(r" (?:or|and|nor) ", old))]
    return text, []


def _replaces(old: str, main: str) -> bool:
    """Whether the clause `main` can give a value in the place of `old`, which is a value and no clause."""
    words = old.casefold().split()
    return complete(main) and len(words) <= _LONGEST and words[0] not in PRONOUNS and not any(map(is_finite, words))


def _value(old: str) -> str:
    """A denied value without the preposition or verb it repeats ("not on Friday")."""
    words = old.split()
    while len(words) > 1 and (
        words[0].casefold() in PREPOSITIONS or words[0].casefold() in ("using", "use", "being", "as")
    ):
        words = words[1:]
    return " ".join(words)


def _with_preposition(old: str, new: str) -> str:
    """`new`, led by the preposition of `old` when it has none of its own."""
    first = old.split()[0].casefold()
    return new if first not in PREPOSITIONS or new.split()[0].casefold() in PREPOSITIONS else f"{first} {new}"


def _clause(text: str) -> bool:
    words = [word.casefold() for word in text.split()]
    return any(word in BE or word in MODALS for word in words) or words[:1] in (
        ["we"],
        ["i"],
        ["they"],
        ["sure"],
        ["because"],
        ["if"],
        ["that"],
    )
