"""A model answers the questions from what an arm printed: whether a context is of use to a reader, not to a matcher.

Exact match asks for the expected values and nothing else, in any order; token F1 is the overlap of words (Rajpurkar et
al., 2016). Letters are folded and articles and punctuation left out.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

from beliefmerge.llm.protocol import Cause, ChatMessage, LanguageModel, ModelError
from mergebench.match import fold
from mergebench.scenario import Kind, Question

ANSWERED = (Kind.LOCAL, Kind.BRIDGE)
"""Kinds of questions that have one right answer."""

MAX_TOKENS = 48
_INSTRUCTION = """Answer the question from the context alone. Reply with the value asked for and nothing else; where the
question asks for two, give both, separated by a comma. If the context does not tell, reply: unknown."""


def answer(model: LanguageModel, context: str, question: Question) -> str:
    """The model's answer, empty where it says nothing. Raises ModelError where it cannot be asked."""
    asked = f"Context:\n{context or '(empty)'}\n\nQuestion: {question.text}\nAnswer:"
    try:
        reply = model.complete([ChatMessage("system", _INSTRUCTION), ChatMessage("user", asked)], max_tokens=MAX_TOKENS)
    except ModelError as error:
        if error.cause in (Cause.EMPTY, Cause.TRUNCATED):
            return ""
        raise
    return reply.text.strip()


def exact(answer: str, expects: Iterable[str]) -> float:
    """1 when `answer` consists of the expected values and nothing else, in any order."""
    return float(Counter(_words(answer)) == Counter(_words(" ".join(expects))))


def overlap(answer: str, expects: Iterable[str]) -> float:
    """F1 of the words of `answer` against those of the expected values."""
    said, wanted = Counter(_words(answer)), Counter(_words(" ".join(expects)))
    both = (said & wanted).total()
    return 2 * both / (said.total() + wanted.total()) if both else 0.0


def _words(text: str) -> list[str]:
    """Folded words without ``and`` and articles; a number keeps its point, colon or dash."""
    found = re.findall(r"\w+(?:[.,:/-]\w+)*", fold(text))
    return [word for word in found if word not in ("and", "a", "an", "the")]
