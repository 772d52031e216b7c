"""Clauses that rule something out: dead ends, rejected options, what was tried and failed."""

# ruff: noqa: SIM905 (word classes are easier to read and to extend as text)

from __future__ import annotations

import re

from beliefmerge.claims.clauses.reasons import before_reason
from beliefmerge.claims.frames.changes import AUX, WE
from beliefmerge.claims.reading import Frame, Reading
from beliefmerge.claims.values.normalise import plain
from beliefmerge.claims.words.completeness import complete, is_finite
from beliefmerge.claims.words.gate import Gate
from beliefmerge.claims.words.lexicon import PRONOUNS
from beliefmerge.claims.words.nouns import is_name, noun_phrase

_DEAD = (
    r"(?:ruled out|rejected|dismissed|eliminated|discarded|vetoed|shelved|turned down|off the table|no option|"
    r"(?:not|no longer|never|hardly) (?:an option|viable|feasible|suitable|acceptable|good enough|worth it|"
    r"the way to go|(?:the|a) right (?:choice|fit|tool)|going to work)|"
    r"a dead end|a no-go|a non-starter|out of the question|unworkable|infeasible|unsuitable|unacceptable)"
)
_IS = r"(?:was|were|has been|have been|is|are|got|turned out to be|proved to be|proved)"
_RULED_OUT = re.compile(
    rf"^(?:{WE} {AUX})?(?:rul(?:ed|e|ing) out|reject(?:ed|ing)?|dismiss(?:ed|ing)?|eliminat(?:ed|ing)?|"
    r"discard(?:ed|ing)?|vetoed|shelved|turned down|decided against|voted against|gave up on|excluded) "
    r"(?P<thing>.+)$|"
    rf"^(?P<thing2>.+?) {_IS} {_DEAD}(?P<rest>(?: (?:as|for) .+)?)$|"
    r"^(?P<thing3>(?:the )?[^,]*\b(?:option|approach|idea|alternative|proposal|plan)\b[^,]*?) (?:is|are) out$",
    re.IGNORECASE,
)
_TRY = (
    rf"^(?:{WE} {AUX})?(?:tried|tested|attempted|experimented with|gave(?! up)|looked at|looked into|considered|"
    r"evaluated|explored|investigated|prototyped|played with) (?:to use |out )?(?P<thing>.+?)"
)
_TRIED = re.compile(
    rf"{_TRY}(?:,? and (?:it|that|this|they|the|we|nothing)|, (?:it|that|which)|[;.] it)\b.{{0,40}}?"
    r"\b(?:failed|fails|(?:did|does|do|would)(?: not|n['’]t)|cannot|can['’]t|broke|crashed|timed out|worse|too|not|"
    r"never|proved|"
    r"persist(?:s|ed)|remain(?:s|ed)|no use|no luck|dead end|useless|nothing changed)\b.*$|"
    rf"{_TRY.replace('thing', 'thing2')},? but (?P<but>.+)$",
    re.IGNORECASE,
)
_WORKED = re.compile(
    r"\b(?:works?|worked|passe[ds]|succeeded|helped|solved|fixed|kept (?:it|them|using)|fine|great|well)\b",
    re.IGNORECASE,
)
_NOT = re.compile(r"\b(?:not|never|nothing|no|hardly|only|cannot|\w+n['’]t)\b", re.IGNORECASE)
_FAILS = re.compile(
    r"^(?P<thing>.+?) (?:(?:does|did|do|will|would)(?: not|n['’]t) (?:work|scale|help|do)(?: out| for us| here)?|"
    r"won['’]t (?:work|do)|failed|keeps failing|is(?: not|n['’]t) going to work|never worked|"
    r"turned out to be too [\w-]+|proved (?:to be )?too [\w-]+)(?P<rest>(?: (?:as|for) .+)?)$",
    re.IGNORECASE,
)
_AVOID = re.compile(
    r"^(?:please )?(?:do not|don['’]t|never|avoid) (?:use|using|choose|pick|go with|rely on|book|buy|order|hire|take) "
    r"(?P<thing>[^,;:]+)$",
    re.IGNORECASE,
)
_ENOUGH = re.compile(
    r"^(?:please )?(?:(?:no (?:more|further)|enough|stop(?: all| the| any)?|quit|let us (?:stop|forget|drop)|forget)"
    r"(?P<talk>(?: about)?(?: (?:talk|talking|mention|mentioning|discussion|discussing|thought|thinking|word|words|"
    r"suggestions?|suggesting|proposing|considering|pushing))?(?: of| about)?)) (?P<thing>.+)$",
    re.IGNORECASE,
)
_NEITHER = re.compile(
    r"^neither (?P<first>.+?) nor (?P<second>.+?) (?:(?:is|are|was|were) (?:an option|viable|feasible|suitable|"
    r"acceptable|good enough)|works?|worked|helps?|helped|will do)(?P<rest>(?: (?:as|for) .+)?)$",
    re.IGNORECASE,
)
_TOPIC = re.compile(r"^(?P<thing>.*?) ?\b(?:as|for|in the role of) (?P<topic>.+)$", re.IGNORECASE)
_IDEA = re.compile(
    r"^(?:using |the (?:idea|option|possibility|thought|plan) of (?:using |choosing |taking )?|the use of )",
    re.IGNORECASE,
)
_POLITE = re.compile(r",? (?:please|thanks|thank you|sorry|ok|okay|then|any ?more|any longer)$", re.IGNORECASE)
_GATE = Gate(
    "against gave off option dead question viable feasible infeasible unworkable out avoid never not t considered "
    "looked unsuitable unacceptable enough stop quit forget neither down shelved "
    "explored investigated vetoed no proved turned too",
    verbs=(
        "rule reject dismiss eliminate discard exclude try test attempt experiment give work scale help fail break "
        "evaluate prototype"
    ).split(),
)
_NOBODY = frozenset("we i you what if which who nothing everything nobody he she than to".split())
_NO_TOPIC = frozenset("us me you it this that them now today good sure".split())


def refuted(text: str) -> list[Reading]:
    """Readings of a clause that rules something out; `text` keeps its negation."""
    if not _GATE(text):
        return []
    if match := _TRIED.match(text):
        turned = match["but"]
        if turned and _WORKED.search(turned) and not _NOT.search(turned):
            return []
        return _out(match["thing"] or match["thing2"], "")
    head = _POLITE.sub("", before_reason(text).rstrip(" ,.;"))
    if match := _NEITHER.match(head):
        return [*_out(match["first"], match["rest"]), *_out(match["second"], match["rest"])]
    if (match := _AVOID.match(head)) and head != text:
        return _out(match["thing"], "")
    if match := _ENOUGH.match(head):
        return _enough(match["thing"], talk=bool(match["talk"].strip()))
    if match := _RULED_OUT.match(head) or _FAILS.match(head):
        groups = match.groupdict()
        thing = next(groups[name] for name in ("thing", "thing2", "thing3") if groups.get(name))
        return _out(thing, groups.get("rest") or "")
    return []


def _enough(what: str, *, talk: bool) -> list[Reading]:
    """“No more talk of Oslo for the offsite”: of a name, or for something; "no more bugs" rules nothing out."""
    found = [] if any(is_finite(word) for word in what.split()) else _out(what, "")
    thing = found[0].old if found else None
    return found if thing and (is_name(thing) and thing[0].isupper()) and (talk or found[0].topic) else []


def _out(thing: str, rest: str) -> list[Reading]:
    """The reading that rules `thing` out, for what `rest` or its own ending ("… for the offsite") says."""
    thing = _IDEA.sub("", thing)
    match = _TOPIC.match(f"{thing}{rest}")
    topic = None
    if match and match["thing"]:
        thing = match["thing"]
        if match["topic"].casefold() not in _NO_TOPIC and not any(map(is_finite, match["topic"].split())):
            topic = noun_phrase(match["topic"])
    thing = plain(thing)
    words = thing.split()
    if not words or len(words) > 10 or words[0].casefold() in PRONOUNS | _NOBODY or complete(thing):
        return []
    return [Reading("", "", "", Frame.REFUTED, denied=True, old=thing, topic=topic or "")]
