"""Clauses that give a value its role: “use MySQL as the database”, “for the queue we chose Kafka”."""

from __future__ import annotations

import re

from beliefmerge.claims.frames.changes import AUX, WE
from beliefmerge.claims.reading import Frame, Reading, clause_reading, name_reading
from beliefmerge.claims.values.normalise import UNTYPED, plain, read
from beliefmerge.claims.words.gate import Gate
from beliefmerge.claims.words.lexicon import PRONOUNS
from beliefmerge.claims.words.nouns import is_definite, is_name, noun_phrase

_CHOOSE = (
    r"(?:us(?:e|es|ed|ing)|cho(?:o)?s(?:e|en|ing|es)|pick(?:ed|ing|s)?|select(?:ed|ing|s)?|settl(?:ed|e|ing) (?:on|"
    r"for)|went with|go(?:ing)? with|"
    r"opt(?:ed|ing)? for|adopt(?:ed|ing|s)?|decid(?:ed|e|ing) on|decid(?:ed|e|ing) (?:to use|to go with)|"
    r"agree(?:d)? on|standardi[sz](?:ed|e|ing) on|rel(?:y|ied) on|"
    r"stick(?:ing)? with|stuck with|stay(?:ed|ing)? with|keep(?:ing)?|kept|prefer(?:red)?|appoint(?:ed)?|hire(?:d)?|"
    r"elect(?:ed)?|made|nam(?:ed|e)|designat(?:ed|e)|nominat(?:ed|e)|run|running|employ|have|has)"
)
_AS = re.compile(
    rf"^(?:(?P<who>{WE}|(?:the|our|my) [\w-]+(?: [\w-]+){{0,3}}?|\w+) {AUX})?(?P<verb>{_CHOOSE}) (?P<new>.+?) (?P<as>"
    rf"as|for|to be) (?P<key>.+)$",
    re.IGNORECASE,
)
_FOR = re.compile(rf"^(?:for|as) (?P<key>[^,]{{2,50}}?),? {WE} {AUX}(?P<verb>{_CHOOSE}) (?P<new>.+)$", re.IGNORECASE)
_USED_AS = re.compile(
    r"^(?P<new>.+?) (?:is|was|were|are|has been|have been|will be|got|gets|is being|should be) (?:used|chosen|picked|"
    r"selected|adopted|appointed|named|elected|hired|designated|nominated|assigned|the choice|our choice|"
    r"our pick) (?:as|for|to be) (?P<key>.+)$",
    re.IGNORECASE,
)
_SERVES = re.compile(
    r"^(?P<new>.+?) (?:serves|serve|acts|act|functions|works|became|becomes|will serve|will act|will become|"
    r"took over|takes over|was made|has become|is acting|is serving) (?:as )?(?P<key>(?:the|our|my) .+)$",
    re.IGNORECASE,
)
_IT_IS = re.compile(r"^(?P<new>.+?) it is(?: then| now)? (?:for|as) (?P<key>.+)$", re.IGNORECASE)
_FOR_CHOSEN = re.compile(
    r"^(?:for|as) (?P<key>[^,]{2,50}?), (?P<new>.+?) (?:is|was|were|has been|got|will be) (?:used|chosen|picked|"
    r"selected|adopted|preferred)$",
    re.IGNORECASE,
)
_CLEFT = re.compile(
    rf"^(?P<new>.+?) (?:is|are|was|were) (?:what|who|the one|the tool|the one that|"
    rf"the thing) (?:that )?(?:{WE}) {AUX}(?:{_CHOOSE}|want|need) (?:for|as|to be) (?P<key>.+)$",
    re.IGNORECASE,
)
_WHEN = re.compile(r"^(?P<new>.+?) (?:is|are|was) (?P<key>(?:when|where|how often) .+)$", re.IGNORECASE)
_GATE = Gate(
    "as for to serves serve acts act functions works became becomes become takes took serving acting what who when "
    "where often one made"
)
_CHOICES = Gate(
    "settled went opted decided go going rely",
    verbs=("use", "adopt", "choose", "pick", "select", "standardise", "standardize"),
)
_CHOICE_ONLY = re.compile(
    rf"^{WE} {AUX}(?P<verb>us(?:e|ed|ing)|settled on|went with|opted for|adopted|decided on|chose|picked|selected|"
    rf"decided to use|decided to go with|go with|going with|standardi[sz]ed on|rely on|will use|"
    rf"have chosen) (?P<new>.+)$",
    re.IGNORECASE,
)


_PARTICLES = frozenset(("up", "down", "out", "off", "over", "back", "away", "on"))
_FOR_IT = re.compile(r" (?:for|as) (?:it|this|that|them|now)$", re.IGNORECASE)
_POSSIBLE = re.compile(r"^[^,]{1,30}? (?:can|could|may|might) ", re.IGNORECASE)


def role(text: str, *, negated: bool) -> list[Reading]:
    """A reading whose key is the role that the clause gives a value; empty when it names none."""
    if _GATE(text):
        if match := _IT_IS.match(text) or _FOR_CHOSEN.match(text):
            return _made(match["key"], match["new"], negated)
        if match := _CLEFT.match(text) or _USED_AS.match(text) or _SERVES.match(text) or _FOR.match(text):
            return _made(match["key"], match["new"], negated)
        if match := _WHEN.match(text):
            return [clause_reading(match["key"], match["new"], Frame.COPULA, denied=negated)]
        if (match := _AS.match(text)) and _is_role(match) and not _POSSIBLE.search(text):
            return _pairs(match, negated)
    return _unnamed(text, negated)


def _is_role(match: re.Match[str]) -> bool:
    """Whether "use X for Y" gives X a role: not when Y is a time, a person to please, or the verb only has X."""
    key, verb, how = match["key"], match["verb"].casefold(), match["as"].casefold()
    if read(key).kind not in UNTYPED or len(match["new"].split()) > 6:
        return False
    if verb in ("have", "has", "run", "running", "keep", "keeping", "kept", "made", "named", "name", "has") and not (
        how == "as" or is_definite(key) or (key[:2].casefold() in ("a ", "an") and is_name(match["new"]))
    ):
        return False
    first = match["new"].split()[0].casefold()
    return noun_phrase(key) is not None and first not in PRONOUNS and first not in _PARTICLES


def _pairs(match: re.Match[str], negated: bool) -> list[Reading]:
    """“use Redis for caching and Kafka for events” gives both. What a named subject uses it for is that subject's."""
    key, who = match["key"], match["who"] or ""
    own = bool(who) and who.casefold() != "i" and not re.fullmatch(WE, who, re.IGNORECASE) and not is_definite(key)
    more = re.match(r"^(?P<key>.+?),? and (?P<new>[^ ]+(?: [^ ]+){0,2}) (?:as|for) (?P<key2>.+)$", key, re.IGNORECASE)
    if more and not own:
        return [*_made(more["key"], match["new"], negated), *_made(more["key2"], more["new"], negated)]
    if negated and not own and match["as"].casefold() == "for" and (noun := noun_phrase(key)):
        return [Reading("", "", "", Frame.REFUTED, denied=True, old=plain(match["new"]), topic=noun)]
    return _made(f"{who} {key}" if own else key, match["new"], negated)


def _made(key: str, new: str, negated: bool) -> list[Reading]:
    noun = noun_phrase(key)
    if noun is None or not plain(new) or len(new.split()) > 8 or plain(new).split()[0].casefold() in PRONOUNS:
        return []
    return [name_reading(noun, new, Frame.EXPLICIT, denied=negated)]


def _unnamed(text: str, negated: bool) -> list[Reading]:
    """“We went with Kafka”: a choice whose role is not said."""
    match = _CHOICE_ONLY.match(_FOR_IT.sub("", text)) if _CHOICES(text) and not _POSSIBLE.search(text) else None
    if match is None or len(match["new"].split()) > 5 or plain(match["new"]).split()[0].casefold() in PRONOUNS:
        return []
    if negated:
        return [Reading("", "", "", Frame.CHANGE, old=match["new"])]
    return [clause_reading("we use", match["new"], Frame.VERB, multi=True)]
