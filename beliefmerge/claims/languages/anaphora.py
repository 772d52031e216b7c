"""What "it" and a bare answer are about: the subject before, the question before."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from beliefmerge.claims.clauses.amends import corrected
from beliefmerge.claims.clauses.bare import without_lead
from beliefmerge.claims.clauses.scope import PREDICATE, order
from beliefmerge.claims.frames.verbs import find_verb
from beliefmerge.claims.said.scan import Said
from beliefmerge.claims.words.lexicon import BE, MODALS
from beliefmerge.claims.words.nouns import is_definite, is_name, noun_phrase
from beliefmerge.session.model import Channel

_PRONOUN = re.compile(r"^(?P<it>it|they|he|she)(?: is| are|(?P<short>['’](?:s|re)))?(?= )", re.IGNORECASE)
_OBJECT = re.compile(r"(?<= )(it|them)\b")
_LONGEST_OBJECT = 4
_ASKED = re.compile(
    r"(?:^|[,;:.] )(?:(?:what|which|who|where|when)(?: [\w-]+)?(?: is| are|['’]s)|(?:what|"
    r"how) about) (?P<what>(?:the|our|my|your) [^?,;]{2,50}|[A-Z][^?,;]{2,50})\?$",
    re.IGNORECASE,
)
_WHO = re.compile(r"(?:^|[,;:.] )who (?P<verb>[a-z]+s) (?P<what>(?:the|our|my|your) [^?,;]{2,50})\?$", re.IGNORECASE)
_ANSWER = re.compile(
    r"^(?:(?:i (?:think|believe|guess)|probably|currently|right now)[ ,]+)?(?P<be>(?:it|that|they|this)(?:['’]s| is|"
    r" are|['’]re) (?:currently |now |still )?)?(?P<value>[^,;?]{1,50}?)[.!]?$",
    re.IGNORECASE,
)
_PLURAL = ("they",)


def subject_of(text: str) -> str | None:
    """The noun phrase before the verb of a clause; None when there is none that a pronoun could stand for."""
    words = without_lead(text).split()
    finite = next((i for i, word in enumerate(words[:9]) if i and _finite(word)), None)
    main = find_verb(words)
    at = min((i for i in (finite, main) if i is not None), default=None)
    if at is None or at > 6:
        return None
    subject = noun_phrase(" ".join(words[:at]))
    return None if subject is None or subject.casefold() in ("we", "i", "you", "everybody", "nobody") else subject


def object_of(text: str) -> str | None:
    """What an order forbids to be dealt with: in "don't touch the router" the router."""
    what = order(text)
    thing = what.partition(" ")[2] if what else ""
    return noun_phrase(thing) if is_definite(thing) and len(thing.split()) <= _LONGEST_OBJECT else None


def _finite(word: str) -> bool:
    folded = word.casefold()
    return folded in BE or folded in MODALS or folded.endswith(("n't", "n’t"))


def with_subject(text: str, subject: str | None) -> str:
    """`text` with the pronoun that opens it, or that an order is about, replaced by `subject`, and with `subject` put
    before a second predicate; unchanged where the two do not fit.
    """
    if subject is not None and order(text):
        return _OBJECT.sub(lambda m: subject if m[1] == "it" or subject.endswith("s") else m[1], text, count=1)
    if subject is not None and PREDICATE.match(text):
        return f"{subject} {text}"
    match = _PRONOUN.match(text)
    if match is None or subject is None:
        return text
    pronoun = match["it"].casefold()
    person = is_name(subject) and len(subject.split()) <= 2 and subject[0].isupper() and subject.isascii()
    if pronoun in ("he", "she") and not person:
        return text
    if pronoun == "they" and not subject.endswith("s"):
        return text
    be = " is" if match["short"] in ("'s", "’s") else " are" if match["short"] else match.group()[len(pronoun) :]
    return f"{subject}{be}{text[match.end() :]}"


def resolved(said: Sequence[Said]) -> list[Said]:
    """`said` with pronouns that open a sentence read as the subject of the sentence right before, and bare answers to
    "what is the port?" read as statements of the port, and bare corrections ("actually, 45 days") as what the same
    speaker said last with another value. The places, and so the quotes, stay.
    """
    out: list[Said] = []
    before: Said | None = None
    last: dict[Channel, Said] = {}
    for sentence in said:
        text = sentence.text
        if before is not None and sentence.kind in ("prose", "item", "done"):
            if before.kind == "question" and (_adjacent(before, sentence) or _replies(before, sentence)):
                text = _answered(before.text, text)
            elif text[:2].casefold() in ("it", "th", "he", "sh") and _adjacent(before, sentence):
                text = with_subject(text, subject_of(before.text))
        if sentence.kind == "prose" and text == sentence.text and sentence.channel in last:
            text = corrected(last[sentence.channel].text, text)
        out.append(sentence if text == sentence.text else replace(sentence, text=text))
        before = out[-1]
        if before.kind in ("prose", "item", "done"):
            last[before.channel] = before
    return out


def _answered(question: str, text: str) -> str:
    asked = _ASKED.search(question) or _WHO.search(question)
    answer = _ANSWER.match(text)
    if asked is None or answer is None:
        return text
    value = answer["value"].split()
    if len(value) > (6 if answer["be"] else 4) or any(word.casefold() in BE | MODALS for word in value):
        return text
    if not answer["be"] and (
        find_verb(value) is not None or value[0].casefold() in ("we", "i", "not", "no", "yes", "let", "use", "make")
    ):
        return text
    if asked.re is _WHO:
        return f"{answer['value']} {asked['verb']} {asked['what']}"
    return f"{asked['what']} is {answer['value']}"


def _adjacent(before: Said, after: Said) -> bool:
    return before.message == after.message and before.block == after.block and 0 <= after.start - before.end <= 3


def _replies(question: Said, answer: Said) -> bool:
    """Whether `answer` opens the message right after the one whose question it is, by another speaker."""
    return (
        answer.message == question.message + 1
        and answer.block == 0
        and answer.start <= 2
        and answer.channel.speaker != question.channel.speaker
    )
