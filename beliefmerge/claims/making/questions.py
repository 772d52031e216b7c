"""Open questions: asked in a branch and answered by nobody later in it."""

# ruff: noqa: SIM905 (word classes are easier to read and to extend as text)

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from beliefmerge.claims.reading import Frame, Reading
from beliefmerge.claims.said.scan import Said
from beliefmerge.claims.words.keys import canonical, fold_clause, stem
from beliefmerge.session.model import Channel, Session

MOST = 100
"""Questions of one branch that are followed up, the latest first."""
_REACH = 40
"""Messages after a question in which its answer is looked for."""
_REQUEST = re.compile(
    r"^(?:(?:ok(?:ay)?|so|and|but|well|also|great|thanks|sure|hi|hey|hello|please|now|alternatively|"
    r"or)[,!. ]+)*(?:can|could|would|will|may|might|shall|should) (?:you|i|we)\b|"
    r"^(?:do|would|did) you (?:want|like|need|mean|have|think|prefer|know|mind)|^(?:is|was) (?:there anything|"
    r"that (?:ok|right|all|what|correct|clear))|^(?:anything|any) (?:else|questions|other)|"
    r"^(?:how (?:are|about)|what about|what do you think|what's up|why not|right|really|ok|sound(?:s)? good|"
    r"make sense|does (?:that|this) (?:make|sound|work|look|help)|ready|shall)\b|"
    r"^(?:你能|您能|能不能|可以|可否|要不要|需要我|请问你能|还有|好吗|对吗|怎么样|你觉得)",
    re.IGNORECASE,
)
_EMPTY = frozenset(
    "the a an is are was were do does did will would should shall can could may might must have has had be been it "
    "this that these those we you i they he she our my your "
    "what which who whom whose when where why how much many long often to of in on at for with from by and or if so "
    "as any there not no yes it's what's "
    "then now also just use used".split()
)
_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
_HAN = re.compile(r"[\u3400-\u9fff]")
_HAN_EMPTY = frozenset("的了是在吗呢什么谁哪里几多少怎么为我们你您会要能可以请问有没不")
_DIRECT = re.compile(
    r"^(?:yes|yeah|yep|no|nope|correct|exactly|right|sure|definitely|absolutely|not yet|never|是|对|不是|没有|有|"
    r"可以|不可以|会|不会)\b",
    re.IGNORECASE,
)
_EVASIVE = re.compile(
    r"\b(?:not sure|don't know|do not know|no idea|let me|i'll|i will|checking|good question|unclear|unknown|"
    r"to be decided|tbd|ask|find out)\b|不清楚|不知道|不确定|我看看|查一下|待定",
    re.IGNORECASE,
)


def open_questions(session: Session, said: Sequence[Said]) -> list[tuple[Said, Reading]]:
    """The questions of a branch that nobody answered, each with its reading."""
    asked = [
        s
        for s in said
        if s.kind == "question" and not _REQUEST.match(s.text.lstrip("*_>- ")) and len(content(s.text)) >= 2
    ]
    asked = [s for s in asked if s.channel is not Channel.REASONING and len(s.text) <= 200][-MOST:]
    return [(s, _reading(s.text)) for s in asked if not _answered(session, s)]


def content(text: str) -> frozenset[str]:
    """The words of a question that say what it is about."""
    if _HAN.search(text):
        return frozenset(c for c in text if _HAN.match(c) and c not in _HAN_EMPTY)
    return frozenset(stem(word) for word in _WORD.findall(text.casefold()) if word not in _EMPTY)


def _answered(session: Session, question: Said) -> bool:
    wanted = content(question.text)
    first = True
    for channel, text in _after(session, question):
        if text.rstrip().endswith(("?", "？")) and "\n" not in text and len(text) < 200:
            continue
        other = channel.speaker != question.channel.speaker
        met = len(wanted & content(text[:4000]))
        if met * 2 > len(wanted) or (other and met * 2 >= len(wanted)):
            return True
        if other and first:
            first = False
            if not _EVASIVE.search(text) and (_DIRECT.match(text) or met or len(text.split()) <= 8):
                return True
    return False


def _after(session: Session, question: Said) -> Iterator[tuple[Channel, str]]:
    """What follows the question: the rest of its block, then the next messages' blocks of any channel but reasoning."""
    here = session.messages[question.message].blocks
    yield question.channel, here[question.block].text[question.end :]
    for block in here[question.block + 1 :]:
        yield block.channel, block.text
    for message in session.messages[question.message + 1 : question.message + 1 + _REACH]:
        for block in message.blocks:
            if block.kind == "text" and block.channel is not Channel.REASONING and block.text.strip():
                yield block.channel, block.text


def _reading(text: str) -> Reading:
    key = canonical(text.rstrip("?？ "))
    return Reading(key, f"q {fold_clause(key)}", "unanswered", Frame.QUESTION)
