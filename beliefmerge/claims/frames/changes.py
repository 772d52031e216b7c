"""Clauses that report a change: switched, moved, replaced, dropped, ruled out. The old value is denied."""

# ruff: noqa: SIM905 (word classes are easier to read and to extend as text)

from __future__ import annotations

import re

from beliefmerge.claims.reading import Frame, Reading, name_reading
from beliefmerge.claims.values.normalise import UNTYPED, read
from beliefmerge.claims.words.gate import Gate
from beliefmerge.claims.words.lexicon import ATTRIBUTE_NOUNS, PRONOUNS
from beliefmerge.claims.words.nouns import is_definite, noun_phrase

WE = (
    r"(?:we|i|they|you|the team|our team|everyone|the company|management|the board|let's|let us|please|the client|"
    r"the customer)"
)
AUX = (
    r"(?:(?:have|has|had|'ve|'re|will|'ll|would|should|shall|are going to|is going to|going to|are|were|was|is|can|"
    r"must|need to|want to|"
    r"plan to|planning to|decided to|agreed to|voted to|chose to|had to|have to|just|recently|finally|already|then|"
    r"later|all|to|started|began|been|both|ended up) )*"
)
_VERB = (
    r"(?:switch|migrat|chang|transition|shift|upgrad|downgrad|convert|bump|rais|lower|increas|decreas|reduc|extend|"
    r"shorten|"
    r"reschedul|postpon|renam|updat|adjust|relocat|correct|revis|reassign|mov|push|set|reset|cut|drop|pivot|fallback|"
    r"revert|roll)(?:e|ed|es|s|ing|ting|ped|ped|ping)?(?: (?:back|up|down|over|out|forward))?"
)
_GO = r"(?:go|goes|went|gone|going|grew|rose|fell|cut over)(?: (?:up|down|back|over))?"
_OBJECT = re.compile(
    rf"^(?:{WE} {AUX})?(?P<verb>{_VERB}|make|made|keep|kept|put) (?P<key>[^,]{{2,60}}?)(?: (?:over|back|up|down|"
    rf"forward))?(?: from (?P<old>[^,]{{1,60}}?))?(?: (?:over|back|up|down))? (?P<to>to|into|as|at) (?P<new>.+)$",
    re.IGNORECASE,
)
_BARE = re.compile(
    rf"^(?:{WE} {AUX})?(?P<verb>{_VERB}|{_GO})(?: (?:over|back|away|everything|all|completely|"
    rf"fully))*(?: from (?P<old>[^,]{{1,60}}?))? (?:over )?(?:to|onto) (?P<new>.+?)(?: (?:for|as) (?P<key>(?:the |"
    rf"our |my )?[^,]+))?$",
    re.IGNORECASE,
)
_PASSIVE = re.compile(
    rf"^(?P<key>.+?) (?:was|were|is|are|has been|have been|had been|got|gets|is being|will be|should be|must be|"
    rf"needs to be|be) (?P<verb>{_VERB})(?: from (?P<old>.+?))? (?:to|into|at) (?P<new>.+)$",
    re.IGNORECASE,
)
_INTRANSITIVE = re.compile(
    rf"^(?P<key>(?:the |our |my |his |her |their )?[\w'’-]+(?: [\w'’-]+){{0,5}}?) (?:has |have |just |recently |"
    rf"now )*(?P<verb>{_VERB}|{_GO}) (?:over |up |down |back )?(?:from (?P<old>.+?) )?to (?P<new>.+)$",
    re.IGNORECASE,
)
_REPLACED = re.compile(
    rf"^(?:{WE} {AUX})?(?:replac(?:ed|e|ing)|swap(?:ped|ping)?(?: out)?|substitut(?:ed|e|ing)|exchang(?:ed|e|ing)|"
    rf"trad(?:ed|e|ing)(?: in)?) (?P<old>.+?) (?:with|by|for) (?P<new>.+?)(?: (?:as|for) (?P<key>(?:the |our |"
    rf"my )?.+))?$",
    re.IGNORECASE,
)
_REPLACES = re.compile(
    r"^(?P<new>.+?) (?:has replaced|have replaced|replaced|replaces|replace|will replace|supersedes|superseded|"
    r"is replacing|took over from|takes over from|succeeds|succeeded) (?P<old>.+?)(?: as (?P<key>.+))?$",
    re.IGNORECASE,
)
_IS_REPLACED = re.compile(
    r"^(?P<old>.+?) (?:was|were|has been|have been|is|are|got|will be|is being) (?:replaced|superseded|swapped out|"
    r"swapped|succeeded) (?:by|with|for) (?P<new>.+?)(?: as (?P<key>.+))?$",
    re.IGNORECASE,
)
_LEFT = re.compile(
    rf"^(?:{WE} {AUX})(?:drop(?:ped|ping)?|ditch(?:ed|ing)?|abandon(?:ed|ing)?|retir(?:ed|e|ing)|stop(?:ped|"
    rf"ping)? using|quit(?:ting)? using|got rid of|get rid of|"
    r"mov(?:ed|e|ing) (?:away from|off(?: of)?)|migrat(?:ed|e|ing) (?:away from|off(?: of)?)|discontinu(?:ed|e|ing)|"
    r"phas(?:ed|e|ing) out|decommission(?:ed|ing)?) (?P<old>.+?)"
    r"(?: (?:in favou?r of|for) (?P<new>.+?))?(?: (?:as|for) (?P<key>(?:the|our|my) .+))?$",
    re.IGNORECASE,
)
_GATE = Gate(
    "fell rose grew up back",
    verbs=(
        "switch migrate change transition shift upgrade downgrade convert bump raise lower increase decrease reduce "
        "extend shorten reschedule postpone rename update adjust relocate "
        "correct revise reassign move push set reset cut drop pivot fallback revert roll go grow rise fall make keep "
        "put replace swap substitute exchange trade supersede take succeed "
        "ditch abandon retire stop quit get discontinue phase decommission"
    ).split(),
)


_WHEN = re.compile(
    r" (?:yesterday|recently|earlier(?: today)?|last \w+|this (?:morning|week|month|afternoon|year|quarter)|"
    r"(?:a|two|three|several|few|\d+) (?:days?|weeks?|months?|years?|hours?) ago)$",
    re.IGNORECASE,
)
_TOOK_OVER = re.compile(
    r"^(?P<new>[^,]{1,40}?) (?:took over|takes over|has taken over|will take over|inherited|inherits) (?P<thing>.+?) "
    r"from (?P<old>[^,]{1,40})$",
    re.IGNORECASE,
)
_MAKE = re.compile(
    rf"^(?:(?:{WE}) {AUX})?(?:make|made|keep|kept|leave|left|put|hold|set) (?P<key>(?:the |our |my )[^,]{{2,50}})$",
    re.IGNORECASE,
)


def change(text: str, *, negated: bool) -> list[Reading]:
    """Readings of a clause that says a value came, went or took another's place; empty for other clauses."""
    if not _GATE(text):
        return []
    match = _REPLACED.match(text) or _IS_REPLACED.match(text) or _REPLACES.match(text)
    if match and (match["new"] or "").casefold() not in ("i", "we", "they", "you", "he", "she"):
        return _replacement(match["key"], match["old"], match["new"], negated)
    if (match := _TOOK_OVER.match(text)) and (thing := noun_phrase(match["thing"])):
        told = [name_reading(f"{thing} owner", match["new"], Frame.EXPLICIT, denied=negated)]
        return told + [name_reading(f"{thing} owner", match["old"], Frame.EXPLICIT, denied=True)] * (not negated)
    if match := _LEFT.match(text):
        return _replacement(match["key"], match["old"], match["new"], negated)
    if match := _PASSIVE.match(text):
        return _moved(match, negated)
    if (match := _BARE.match(text)) and _plausible(match["verb"], match["old"]):
        return _replacement(match["key"], match["old"], match["new"], negated)
    if (match := _OBJECT.match(text)) and _settable(match):
        return _moved(match, negated)
    if (match := _INTRANSITIVE.match(text)) and _names_slot(match):
        return _moved(match, negated)
    return _made(text, negated)


def _made(text: str, negated: bool) -> list[Reading]:
    """“make the retention period 60 days”: the value is what has a type at the end."""
    match = _MAKE.match(text)
    words = match["key"].split() if match else []
    for cut in range(max(2, len(words) - 4), len(words)):
        value = " ".join(words[cut:])
        key = noun_phrase(" ".join(words[:cut]).removesuffix(" at"))
        if key and read(value).kind not in (*UNTYPED, "boolean", "none"):
            return [name_reading(key, value, Frame.EXPLICIT, denied=negated)]
    return []


def _plausible(verb: str, old: str | None) -> bool:
    """“set to”, “went to”, “dropped to” without an object or an old value report no change of a slot."""
    return (
        old is not None
        or re.match(
            r"(?:switch|mov|migrat|transition|shift|upgrad|convert|pivot|chang|revert|downgrad)", verb, re.IGNORECASE
        )
        is not None
    )


def _settable(match: re.Match[str]) -> bool:
    """Whether "set/move KEY to NEW" names a slot rather than an errand ("moved the files to the archive")."""
    key = noun_phrase(match["key"])
    if key is None or key.split()[0].casefold() in PRONOUNS:
        return False
    if match["old"] or read(match["new"]).kind not in UNTYPED:
        return True
    last = key.split()[-1].casefold()
    verb = match["verb"].casefold()
    if verb.startswith(("mak", "mad", "kee", "kep", "put")):
        return False
    return last in ATTRIBUTE_NOUNS or verb.startswith(
        ("set", "switch", "chang", "renam", "upgrad", "migrat", "updat", "downgrad", "reset", "convert")
    )


def _names_slot(match: re.Match[str]) -> bool:
    """Whether "X moved to Y" says that slot X changed: X is an attribute, or definite with a value of a kind."""
    key = noun_phrase(match["key"])
    if key is None or key.split()[0].casefold() in ("we", "i", "they", "you"):
        return False
    typed = read(match["new"]).kind not in ("name", "word", "phrase")
    return (
        bool(match["old"])
        or typed
        or key.split()[-1].casefold() in ATTRIBUTE_NOUNS
        or (is_definite(match["key"]) and not match["verb"].casefold().startswith(("mov", "go", "went")))
    )


def _moved(match: re.Match[str], negated: bool) -> list[Reading]:
    key, new = noun_phrase(match["key"]), _WHEN.sub("", match["new"])
    if key is None or len(new.split()) > 8:
        return []
    readings = [name_reading(key, new, Frame.EXPLICIT, denied=negated)]
    if match["old"] and not negated:
        readings.append(name_reading(key, match["old"], Frame.EXPLICIT, denied=True))
    return readings


def _replacement(key: str | None, old: str | None, new: str | None, negated: bool) -> list[Reading]:
    """`old` gave way to `new`: in slot `key` when it is named; an old "value" that is a description names the slot."""
    new = _WHEN.sub("", new) if new else new
    noun = noun_phrase(key) if key else None
    if key and (noun is None or read(key).kind not in UNTYPED):
        noun = None
    if (
        len((new or "").split()) > 8
        or len((old or "").split()) > 8
        or (new or old or "").split()[0].casefold() in PRONOUNS
    ):
        return []
    if noun is None and old and new and is_definite(old) and old.split()[-1].islower() and noun_phrase(old):
        return [name_reading(noun_phrase(old) or old, new, Frame.EXPLICIT, denied=negated)]
    if noun is None:
        if not new and not old:
            return []
        return [Reading("", "", new or "", Frame.CHANGE, denied=negated, old=old)]
    readings = [name_reading(noun, new, Frame.EXPLICIT, denied=negated)] if new else []
    if old and not negated:
        readings.append(name_reading(noun, old, Frame.EXPLICIT, denied=True))
    return readings
