"""Clauses that rule something out: dead ends, rejected options, what was tried and failed."""

from __future__ import annotations

import re

from beliefmerge.claims.changes import AUX, WE
from beliefmerge.claims.gate import Gate
from beliefmerge.claims.lexicon import PRONOUNS
from beliefmerge.claims.normalise import plain
from beliefmerge.claims.nouns import noun_phrase
from beliefmerge.claims.reading import Frame, Reading, name_reading

_DEAD = (
    r"(?:ruled out|rejected|dismissed|eliminated|discarded|vetoed|off the table|not an option|no option|"
    r"no longer an option|"
    r"a dead end|a no-go|a non-starter|out of the question|not viable|not feasible|unworkable|infeasible)"
)
_RULED_OUT = re.compile(
    rf"^(?:{WE} {AUX})?(?:rul(?:ed|e|ing) out|reject(?:ed|ing)?|dismiss(?:ed|ing)?|eliminat(?:ed|ing)?|"
    r"discard(?:ed|ing)?|vetoed|decided against|voted against|gave up on|excluded) (?:using |the idea of |"
    r"the option of )?(?P<thing>.+?)(?: (?:as|for) (?P<key>(?:the|our|my) .+?))?$|"
    r"^(?P<thing2>.+?) (?:was|were|has been|have been|is|are|got|turned out to be|proved to be|proved) "
    rf"{_DEAD}(?: (?:as|for) (?P<key2>[^:;,]+))?(?:[:;,]| [-–—]).*$|"
    rf"^(?P<thing3>.+?) (?:was|were|has been|have been|is|are|got|turned out to be|proved to be|proved) {_DEAD}"
    r"(?: (?:as|for) (?P<key3>.+))?$|"
    r"^(?P<thing4>(?:the )?[^,]*\b(?:option|approach|idea|alternative|proposal|plan)\b[^,]*?) (?:is|are) out$",
    re.IGNORECASE,
)
_TRIED = re.compile(
    rf"^(?:{WE} {AUX})?(?:tried|tested|attempted|experimented with|gave|looked at|looked into|considered|evaluated|"
    r"explored|investigated|prototyped|played with) (?:using |to use |out )?(?P<thing>.+?)"
    r"(?:,? (?:and|but) (?:it|that|this|they|the|we|nothing)|, (?:it|that|which)|,? but|[;.] it)\b.{0,40}?"
    r"\b(?:failed|fails|(?:did|does|do|would)(?: not|n['’]t)|cannot|can['’]t|broke|crashed|timed out|worse|too|not|"
    r"never|proved|"
    r"persist(?:s|ed)|remain(?:s|ed)|no use|no luck|dead end|useless|nothing changed)\b.*$",
    re.IGNORECASE,
)
_FAILS = re.compile(
    r"^(?P<thing>.+?) (?:(?:does|did|do|will|would)(?: not|n['’]t) (?:work|scale|help)(?: out| for us| here)?|"
    r"won['’]t work|failed|keeps failing|is(?: not|n['’]t) going to work|never worked|"
    rf"is {_DEAD}|turned out to be (?:too [\w-]+|{_DEAD})|proved (?:to be )?(?:too [\w-]+|{_DEAD}))(?:[,;]? .*)?$",
    re.IGNORECASE,
)
_AVOID = re.compile(
    r"^(?:please )?(?:do not|don['’]t|never|avoid) (?:use|using|choose|pick|go with|rely on) (?P<thing>[^,;:]+?)"
    r"(?:[,;:]| [-–—]| because| since| as) (?:it|they|that|this|the) .+$",
    re.IGNORECASE,
)
_GATE = Gate(
    "against gave off option dead question viable feasible infeasible unworkable out avoid never not t considered "
    "looked "
    "explored investigated vetoed no proved turned too",
    verbs=[
        "rule",
        "reject",
        "dismiss",
        "eliminate",
        "discard",
        "exclude",
        "try",
        "test",
        "attempt",
        "experiment",
        "give",
        "work",
        "scale",
        "help",
        "fail",
        "break",
        "evaluate",
        "prototype",
    ],
)
_NOBODY = frozenset(["we", "i", "you", "what", "if", "which", "who", "nothing", "everything", "he", "she"])


def refuted(text: str) -> list[Reading]:
    """Readings of a clause that rules something out; `text` keeps its negation."""
    if not _GATE(text):
        return []
    match = _TRIED.match(text) or _RULED_OUT.match(text) or _AVOID.match(text) or _FAILS.match(text)
    if match is None:
        return []
    groups = match.groupdict()
    thing = plain(next((groups[name] for name in ("thing", "thing2", "thing3", "thing4") if groups.get(name)), ""))
    key = next((groups[name] for name in ("key", "key2", "key3") if groups.get(name)), None)
    words = thing.split()
    if not words or len(words) > 10 or words[0].casefold() in PRONOUNS | _NOBODY:
        return []
    noun = noun_phrase(key) if key else None
    if noun:
        return [name_reading(noun, thing, Frame.REFUTED, denied=True)]
    return [Reading("", "", "", Frame.REFUTED, denied=True, old=thing)]
