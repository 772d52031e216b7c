"""Retrieval that sees the question and reads it in its conversation: what a relevance model adds to ``bm25``.

A message is worth its BM25 for the question's content words; a share of what its neighbours are worth, since a reply
answers in words the question before it has used; a share of its BM25 for the words that set the best messages apart
(pseudo-relevance feedback; Rocchio, 1971); and a bonus when the question names who wrote it. Messages are printed
whole, in their order, as ``bm25`` prints them.

The shares were chosen on three conversations of LoCoMo (``track.part=tuning``).
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Sequence

from beliefmerge.pack.relevance import bm25
from beliefmerge.session.model import Message
from mergebench.arm import Arm, Output, Request
from mergebench.arms.bm25 import print_best
from mergebench.content import content_words
from mergebench.match import shows
from mergebench.scenario import Scenario
from mergebench.transcript import speaker, unshared

BEFORE, AFTER = 0.3, 0.1
"""Shares of what the message before and the one after are worth."""
FEEDBACK = 0.3
TOP, WORDS = 5, 10
"""How many messages the words of the feedback come from, and how many words."""
NAMED = 0.6
"""What being written by somebody the question names is worth; the best message for its own words has 1."""


def work(scenario: Scenario, request: Request) -> Output:
    """The best messages that fit, session by session in their order."""
    assert request.question is not None, "retrieve answers questions"
    messages = [(s, message) for s, session in enumerate(unshared(scenario.sessions)) for message in session.messages]
    worth = worths(request.question.text, messages)
    return Output(print_best(scenario.sessions, messages, worth, request))


def worths(question: str, messages: Sequence[tuple[int, Message]]) -> list[float]:
    """What each message, given with the number of its session, is worth for `question`."""
    speakers = [speaker(message) for _, message in messages]
    names = {word for name in speakers if name for word in content_words(name)}
    documents = [tuple(w for w in content_words(message.text) if w not in names) for _, message in messages]
    wanted = [word for word in content_words(question) if word not in names]
    own = _shares(bm25(wanted, documents))
    again = _shares(bm25(_feedback(own, documents, frozenset(wanted)), documents))
    matched = [score + FEEDBACK * more for score, more in zip(own, again, strict=True)]
    asked = [bool(name) and _names(question, name) for name in speakers]
    return [
        matched[i]
        + BEFORE * (matched[i - 1] if i and messages[i - 1][0] == s else 0.0)
        + AFTER * (matched[i + 1] if i + 1 < len(messages) and messages[i + 1][0] == s else 0.0)
        + NAMED * asked[i]
        for i, (s, _) in enumerate(messages)
    ]


def _feedback(own: Sequence[float], documents: Sequence[Sequence[str]], wanted: frozenset[str]) -> list[str]:
    """The words, beyond those `wanted`, that the best documents have and most others have not."""
    best = sorted((i for i, score in enumerate(own) if score > 0), key=lambda i: (-own[i], i))[:TOP]
    frequency = Counter(word for document in documents for word in set(document))
    weight: defaultdict[str, float] = defaultdict(float)
    for i in best:
        for word in sorted(set(documents[i]) - wanted):
            if frequency[word] > 1:
                weight[word] += own[i] * math.log(len(documents) / frequency[word])
    return [word for word, _ in sorted(weight.items(), key=lambda each: (-each[1], each[0]))[:WORDS]]


def _names(question: str, name: str) -> bool:
    """Whether `question` names this person, in full or in short (“Mel” for Melanie)."""
    return shows(question, name) or any(
        len(word) >= 3 and word[0].isupper() and name.startswith(word) for word in question.replace("'", " ").split()
    )


def _shares(scores: Sequence[float]) -> list[float]:
    best = max(scores, default=0.0)
    return [score / best for score in scores] if best > 0 else [0.0] * len(scores)


ARM = Arm(work, sees_question=True)
