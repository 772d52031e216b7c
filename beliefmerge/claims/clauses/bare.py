"""From a sentence to bare clauses: lead-ins and asides go, reasons, conditions and coordinated facts come apart."""

from __future__ import annotations

import re
from typing import NamedTuple

from beliefmerge.claims.clauses.asides import without_aside
from beliefmerge.claims.clauses.contrast import contrast
from beliefmerge.claims.clauses.scope import own_clauses
from beliefmerge.claims.words.completeness import complete
from beliefmerge.claims.words.gate import Gate
from beliefmerge.claims.words.lexicon import BE, MODALS, VERB_TENSE


class Bare(NamedTuple):
    """A clause stripped of what surrounds its fact, and what that was."""

    text: str
    condition: str = ""
    """"in staging", "if it rains": becomes part of the key."""
    topic: str = ""
    """"As for the cache, …": what a pronoun in the clause stands for."""
    additive: bool = False
    """It said "also", "as well", "too": one more value, not another one."""
    hedged: bool = False
    """It only says what might or could be."""


_LEAD = re.compile(
    r"^(?:(?:no,? wait|wait,? no|actually,? no|no,? actually|oh,? wait|hold on|wait|oops|hmm?|my mistake|"
    r"ok(?:ay)?|so|well|right|yes|yeah|yep|no|nope|also|and|but|however|actually|sure|great|perfect|good|"
    r"alright|"
    r"btw|by the way|fyi|for your information|anyway|in fact|indeed|of course|please|again|finally|additionally|"
    r"moreover|furthermore|besides|meanwhile|basically|apparently|currently|presently|now|right now|as of (?:now|"
    r"today)|"
    r"from now on|going forward|from today|at present|at the moment|for now|in short|in summary|to summari[sz]e|"
    r"overall|"
    r"to be clear|to clarify|to confirm|just to confirm|for the record|for reference|as (?:discussed|agreed|"
    r"mentioned|noted|"
    r"before|planned|expected|requested|decided|always|usual)|unfortunately|luckily|fortunately|surprisingly|"
    r"importantly|"
    r"one more thing|another thing|whatever happens|in any case|either way|regardless|no matter what|"
    r"long story short|quick (?:note|update)|small (?:note|correction)|good news|bad news|i mean|you know|"
    r"on second thought|scratch that|sorry|correction|update|reminder|note|nb|heads[- ]up|decision|decided|fact|"
    r"observation|finding|conclusion|result|answer|summary|status update|tl;?dr|important|warning|tip|hint|todo|"
    r"confirmed|"
    r"agreed|verified|done|hi|hello|hey|hi there|hello everyone)\b"
    r"(?:\s*[,:;.!—–-]+\s*|\s+(?=the |we |our |it |i |a |an |my |this |that |there ))"
    r"|(?:i|we) (?:was|were|am|are) (?:wrong|mistaken|in error) (?=about (?:the|our|my) )"
    r"|(?:i|we) (?:was|were) (?:wrong|mistaken|in error)\s*[,:;.–—-]+\s*"
    r"|i (?:made (?:a mistake|an error)|misspoke|stand corrected)\s*[,:;.–—-]+\s*"
    r"|(?:according to|as per|per|based on|judging by|looking at|from what i (?:can see|know|understand),?|as far as i "
    r"(?:know|can tell)|if i (?:recall|remember) correctly|in my (?:opinion|view)|to my knowledge)\b[^,]{0,60},\s*"
    r"|(?:my|our) [\w-]+ is that\s+|(?:from now on|from today on|going forward),?\s+"
    r"|(?:(?:please )?(?:note|remember|keep in mind|be aware|bear in mind|recall|know)|(?:just )?(?:so you know|"
    r"fyi))(?: that)?,?\s+(?=the |we |our |it |i |a |an |my |this |that |there |[a-z]+s? )"
    r"|(?:i|we) would (?:say|think|guess|argue|assume)(?: that)?,? (?=\S)"
    r"|(?:(?:my|our|the) [\w-]+(?: [\w-]+)?|[a-z]+) (?:says?|said|told (?:me|us)|thinks?|confirmed|insists?) (?=the |"
    r"our |we |it |i |a )"
    r"|(?:system|user|assistant|human|(?:new |our )?policy|rule|info|notice)(?: \w+)?: "
    r"|(?:i am|i was|we were|i have been|we have been|i'm) (?:told|informed|sure|certain|confident|convinced|"
    r"afraid)(?: that)?,? "
    r"|(?:i|we)(?:'ve| have)? (?:just |now |also |already |both |all |double-)?(?:think|thought|believe|guess|see|"
    r"saw|know|knew|checked|verified|confirmed|confirm|found|"
    r"noticed|learned|learnt|heard|understand|remember|recall|agreed|decided|determined|established|assume|suppose|"
    r"figured|"
    r"discovered|realised|realized|can confirm|can see)(?: out)?(?: and| that|,|:)\s+(?=\S)"
    r"|(?:i|we) (?:think|believe|guess|know|see|confirm)\s+(?=the |we |our |it |a |an |my |this |that |there )"
    r"|(?:it (?:turns|turned) out|turns out|it (?:seems|appears|looks like|sounds like)|looks like|seems like|"
    r"it(?:'s| is) (?:clear|decided|settled|agreed|"
    r"confirmed|true|worth noting|important to note|a fact)|the (?:fact|point|decision|plan|consensus|outcome|"
    r"conclusion) is|the good news is|what matters is|it was (?:agreed|decided|confirmed))(?: that)?,?\s+"
    r"|(?:the |our |his |her |my )?[\w-]+(?: [\w-]+){0,2} (?:says?|said|told (?:me|us)|confirms?|confirmed|states?|"
    r"stated|"
    r"reports?|reported|mentions?|mentioned|notes?|noted|shows?|showed|indicates?|insists?|insisted|claims?|claimed|"
    r"wrote|writes|thinks?|"
    r"believes?|announced|reminded (?:me|us)|agrees?|agreed|decided)(?: that|,|:)\s+"
    r"|(?:the |our )?(?:docs?|documentation|config(?:uration)?(?: file)?|logs?|output|dashboard|ticket|spec|readme|"
    r"wiki|"
    r"manual|contract|email|code|website|invoice|schedule|calendar|doctor|report|team|customer|client|boss|manager|"
    r"ana|landlord|teacher) (?:says?|said|shows?|confirms?|states?|lists?|reports?|has it that)\s+)",
    re.IGNORECASE,
)
_TRAIL = re.compile(
    r"(?:[,;]? (?:for now|at the moment|right now|as of (?:now|today|yesterday|this week)|now|currently|today|"
    r"these days|nowadays|from now "
    r"on|going forward|again|too|as well|also|by the way|btw|as (?:agreed|discussed|planned|requested|before|usual|"
    r"expected|"
    r"mentioned)|i think|i believe|i guess|i suppose|afaik|imo|if i recall correctly|this time|instead|after all|"
    r"though|please|ok|okay|already|"
    r"still|so far|in total|overall|all told|at present|at this point|since then|since yesterday|officially|"
    r"by default|for sure|indeed|in fact|"
    r"in practice|by default|in the end|in the meantime|for the time being|until further notice|"
    r"effective immediately|immediately|(?:after|before|because of) (?:that|this)|"
    r"according to [^,]{1,50}|as per [^,]{1,40}|per (?:the )?[^,]{1,40}? (?:docs|config|spec|policy|ticket|agreement)|"
    r"in the (?:config|docs|documentation|code|readme|spec|settings|configuration|config file)|to be (?:clear|exact|"
    r"precise))"
    r"|[,;]? (?:right|correct|yes|no|isn't it|ok)(?=\?)|\s*\((?:confirmed|final|agreed|for now|as agreed|updated|"
    r"see [^)]*|as discussed|tbc|currently)\))+$",
    re.IGNORECASE,
)
_ADVERB = re.compile(
    r"(?<=\w)(?<! from) (?:now|currently|still|already|actually|really|simply|basically|definitely|certainly|presently|"
    r"officially|"
    r"also|just|finally|probably|likely|recently|always|indeed|in fact|then|therefore|thus|hence|obviously|clearly|"
    r"apparently|both)(?= \w)",
    re.IGNORECASE,
)
_ADDITIVE = re.compile(
    r"\b(?:also|as well|too|additionally|besides|in addition|both|furthermore|moreover|another)\b", re.IGNORECASE
)
_PARTITIVE = re.compile(
    r"^(?:one|two|three|part|some|several|many|a few|a couple|a number|others?|another|any)(?: [\w-]+)? of\b|"
    r"^among(?:st)? the\b|"
    r"\b(?:is|are|was|were|be|counts?|ranks?) (?:one of|among|some of|part of what|included in)\b|"
    r"\b(?:including|such as|for one|among others|amongst others|for instance|e\.g\.|in part|partly|another)\b",
    re.IGNORECASE,
)
"""What is said of one among several leaves the others open."""
_TOO_MUCH = re.compile(r"\btoo (?=\w)", re.IGNORECASE)
_HEDGE = re.compile(
    r"\b(?:might|could be|could also|may be(?! \w+ed\b)|perhaps|maybe|possibly|hypothetically|what if|let's say|"
    r"suppose (?:that|we)|imagine|"
    r"for example|for instance|e\.g|would be|we could|you could|i could|i wonder|not sure|unsure|if we (?:used|had|"
    r"were)|"
    r"should we|consider(?:ing)? (?:using|switching|moving)|thinking (?:of|about)|an option|alternatively|were to)\b",
    re.IGNORECASE,
)
_CONDITION = re.compile(
    r"^(?P<word>if|when|unless|while|whenever|once|until|after|before|in case of|in case|except|in|on|for|at|during|"
    r"under|with|without|within|since|by|outside|inside|across) "
    r"(?P<what>[^,]{2,60}), (?:then )?(?P<rest>.{4,})$",
    re.IGNORECASE,
)
_TRAILING_CONDITION = re.compile(
    r"^(?P<rest>.{6,}?),? (?P<word>if|when|unless|whenever|only if|only when|as long as|except when|in case of|"
    r"in case) (?P<what>.{2,60})$",
    re.IGNORECASE,
)
_RECURRING = re.compile(
    r"^(?P<rest>.{6,}) (?P<word>on|at|in|during|over) (?P<what>(?:the )?(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days|"
    r"weekdays|weekends?|holidays?|winter|summer|spring|autumn|mornings?|evenings?|afternoons?))$",
    re.IGNORECASE,
)
_FOR_ROLE = re.compile(
    r"^for .*\b(?:use|chose|chosen|picked|selected|went with|go with|settled on|adopted)\b", re.IGNORECASE
)
_CAUSE = re.compile(r"(?<=\w),? (?:because of|due to|owing to|on account of) .+$", re.IGNORECASE)
_BECOMING = re.compile(r"\b(?:became|becomes|changed|moved|switched|(?:was|were|got) \w+ed to)\b", re.IGNORECASE)
_TOPIC = re.compile(
    r"^(?:as for|as to|regarding|concerning|with regard to|with respect to|about|on the topic of|when it comes to|"
    r"re:?|speaking of|in terms of) (?P<topic>[^,:]{2,60})[,:] (?P<rest>.{3,})$",
    re.IGNORECASE,
)
_JOINT = re.compile(r"(?:; |: |,? (?:and|but|while|whereas|yet) (?:that )?|, )(?=\S)")


_OPENERS = Gate(
    "wait oh oops hm hmm hold "
    "ok okay so well right yes yeah yep no nope also and but however actually sure great perfect good alright btw by "
    "fyi for anyway in indeed of "
    "please again finally additionally moreover furthermore besides meanwhile basically apparently currently "
    "presently now as from going at to overall "
    "just unfortunately luckily fortunately surprisingly importantly one another system user assistant human policy "
    "rule info notice new whatever either regardless long "
    "quick small bad i you on scratch "
    "sorry correction update reminder note "
    "nb heads decision decided fact observation finding conclusion result answer summary status tl tldr important "
    "warning tip hint todo confirmed agreed "
    "verified done hi hello hey according per based judging looking if my remember keep be bear recall know we it "
    "turns looks seems the what"
)
_REPORTING = Gate(
    "says say said told confirms confirm confirmed states state stated reports report reported mentions mention "
    "mentioned notes noted shows show showed "
    "indicates indicate insists insist insisted claims claim claimed wrote writes thinks think believes believe "
    "announced reminded agrees agree agreed decided lists list has"
)
_TRAILERS = Gate(
    "that this now currently today days nowadays on forward again too well also way btw agreed discussed planned "
    "requested before usual expected mentioned think believe guess suppose "
    "afaik imo correctly time instead all though please ok okay already still far total overall told present point "
    "then yesterday officially default sure indeed fact "
    "practice end meantime being notice immediately moment week according per config docs documentation code readme "
    "spec settings configuration file clear exact precise confirmed final updated see tbc"
)
_ADVERBS = Gate(
    "now currently still already actually really simply basically definitely certainly presently officially also "
    "just finally probably likely recently always indeed in "
    "then therefore thus hence obviously clearly apparently both"
)
_ADDITIVES = Gate("also well too additionally besides addition both furthermore moreover another")
_PARTITIVES = Gate(
    "one two three part some several many few couple number other others another any among including such e partly"
)
_HEDGES = Gate(
    "might could may perhaps maybe possibly hypothetically what let suppose imagine example instance e would wonder "
    "sure unsure if should consider considering thinking option alternatively were"
)
_CONDITIONS = Gate(
    "if when unless while whenever once until after before in except on for at during under with without within "
    "since by outside inside across"
)
_TRAILING_CONDITIONS = Gate("if when unless whenever long case")
_CAUSES = Gate("because due owing account")
_TOPICS = Gate("as regarding concerning with about on when re speaking in")
_JOINTS = Gate("and but while whereas yet")


def bare(text: str) -> Bare:
    """`text` without lead-ins, asides and adverbs that change nothing, its conditions and topic apart."""
    additive = _ADDITIVES(text) and bool(_ADDITIVE.search(_TOO_MUCH.sub("", text)))
    hedged = _HEDGES(text) and bool(_HEDGE.search(text))
    text = without_lead(text).rstrip(" .!。！;；,")
    additive = additive or (_PARTITIVES(text) and bool(_PARTITIVE.search(text)))
    topic = ""
    if _TOPICS.opens(text) and (match := _TOPIC.match(text)):
        topic, text = match["topic"], without_lead(match["rest"])
    text, condition = _condition(text)
    if _CAUSES(text) and (match := _CAUSE.search(text)) and text[: match.start()].split()[-1].casefold() not in BE:
        text = text[: match.start()]
    if _TRAILERS(text):
        text = _TRAIL.sub("", text)
    if _ADVERBS(text):
        text = _ADVERB.sub("", text)
    text = text.strip(" .!,;")
    return Bare(text, condition, topic, additive, hedged)


def without_lead(text: str) -> str:
    """`text` after its conversational or attributing lead-in ("Note that", "Ana says", "OK, so")."""
    for _ in range(4):
        match = _LEAD.match(text) if _OPENERS.opens(text) or _REPORTING(text) else None
        if match is None or len(text) - match.end() < 3:
            break
        text = text[match.end() :].lstrip(" ,:;—–-")
    return without_aside(text) if ", " in text or ": " in text else text


def _condition(text: str) -> tuple[str, str]:
    match = _CONDITION.match(text) if "," in text and not _FOR_ROLE.match(text) and _CONDITIONS.opens(text) else None
    if match and not match["what"].casefold().startswith(
        ("short", "general", "fact", "particular", "summary", "my opinion")
    ):
        word = match["word"].casefold()
        if word in ("after", "since", "before") and _BECOMING.search(match["rest"]):
            return match["rest"], ""
        clause_like = word in ("if", "when", "unless", "while", "whenever", "once", "until", "after", "before", "since")
        if clause_like or len(match["what"].split()) <= 4:
            return match["rest"], f"{word} {match['what']}"
    match = _TRAILING_CONDITION.match(text) if _TRAILING_CONDITIONS(text) else None
    if match and any(word in VERB_TENSE or word in MODALS for word in match["rest"].casefold().split()):
        rest = match["rest"].split()
        if rest[-1].casefold() not in BE and rest[-1].casefold() not in ("what", "know", "see", "check"):
            return match["rest"], f"{match['word'].casefold()} {match['what']}"
    return _recurring(text)


def _recurring(text: str) -> tuple[str, str]:
    """“opens at 7 on weekdays”: when that is so; "deploys on Fridays" says when and nothing else."""
    match = _RECURRING.match(text)
    if match is None or not any(c.isdigit() for c in match["rest"]):
        return text, ""
    return match["rest"], f"{match['word'].casefold()} {match['what']}"


def coordinated(text: str) -> list[str]:
    """The facts that "and", "but" or a semicolon joins, when each has a subject and a finite verb of its own, and the
    clauses that a negation is confined to.
    """
    if contrast(text)[1]:
        return [text]
    return [part for own in own_clauses(text) for part in _joined(own)]


def _joined(text: str) -> list[str]:
    if "," not in text and ";" not in text and ": " not in text and not _JOINTS(text):
        return [text]
    parts, at = [], 0
    for joint in _JOINT.finditer(text):
        left, right = text[at : joint.start()], text[joint.end() :]
        if complete(left) and complete(right, strict=joint.group() == ", "):
            parts.append(left)
            at = joint.end()
    parts.append(text[at:])
    return parts
