"""Retrieval that sees the question: the messages most relevant to it, each question with the whole budget to itself.

Okapi BM25 (Robertson and Zaragoza, 2009), k1 = 1.2, b = 0.75, over messages. It is told what will be asked, which no
other arm is, and prints one context a question; read its row with that in mind.
"""

from __future__ import annotations

import functools
import math
from collections import Counter
from collections.abc import Sequence

from beliefmerge.session.model import Message, Session
from mergebench.arm import Arm, Output, Request
from mergebench.match import fold
from mergebench.scenario import Scenario
from mergebench.transcript import heading, message_lines, unshared

K1, B = 1.2, 0.75


@functools.lru_cache(maxsize=65536)
def words(text: str) -> tuple[str, ...]:
    """Folded words of a text."""
    return tuple("".join(character if character.isalnum() else " " for character in fold(text)).split())


def scores(query: str, documents: Sequence[Sequence[str]]) -> list[float]:
    """BM25 of each document for `query`."""
    mean = sum(map(len, documents)) / max(1, len(documents))
    frequency = Counter(word for document in documents for word in set(document))
    total = [0.0] * len(documents)
    for word in dict.fromkeys(words(query)):
        n = frequency[word]
        if n == 0:
            continue
        weight = math.log(1 + (len(documents) - n + 0.5) / (n + 0.5))
        for i, document in enumerate(documents):
            if f := document.count(word):
                total[i] += weight * f * (K1 + 1) / (f + K1 * (1 - B + B * len(document) / mean))
    return total


def work(scenario: Scenario, request: Request) -> Output:
    """The best messages that fit, printed session by session in their order; a copy of a message is printed once."""
    assert request.question is not None, "bm25 answers questions"
    messages = [(s, message) for s, session in enumerate(unshared(scenario.sessions)) for message in session.messages]
    relevance = scores(request.question.text, [words(message.text) for _, message in messages])
    return Output(print_best(scenario.sessions, messages, relevance, request))


def print_best(
    sessions: Sequence[Session], messages: Sequence[tuple[int, Message]], worth: Sequence[float], request: Request
) -> str:
    """Those of `messages` (each with the number of its session) that fit, the best taken first, in their order."""
    lines = ["\n".join(message_lines(message)) for _, message in messages]
    taken: list[int] = []
    text = ""
    for i in sorted(range(len(messages)), key=lambda i: (-worth[i], i)):
        candidate = _text(sessions, messages, lines, sorted([*taken, i]))
        if request.count(candidate) <= request.budget:
            taken, text = [*taken, i], candidate
    return text


def _text(
    sessions: Sequence[Session], messages: Sequence[tuple[int, Message]], lines: Sequence[str], taken: Sequence[int]
) -> str:
    parts: list[str] = []
    last = None
    for i in taken:
        if messages[i][0] != last:
            last = messages[i][0]
            parts.append(heading(sessions[last]))
        parts.append(lines[i])
    return "\n".join(parts)


ARM = Arm(work, sees_question=True)
