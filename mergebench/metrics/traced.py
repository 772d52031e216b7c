"""Traced claims: the share of what is shown whose source gives it back word for word.

A line of plain text is traced when it stands in some message, replaced secrets aside; a line that is a session's
heading is no claim. A value in a block is traced when its span, cut from the session it names, is the span's quote, and
the quote says what is shown: the printed quote lies in it, and the value does, or at least half of the item's content
words do.
"""

from __future__ import annotations

import re
from statistics import fmean

from beliefmerge.claims.claim import Span
from mergebench.match import fold, shows
from mergebench.metric import Case, Column, Metric
from mergebench.reading import Reading
from mergebench.scenario import Scenario
from mergebench.transcript import WHO, heading

_REDACTED = re.compile(r"\[redacted:[\w-]+\]")
_WHO = re.compile(rf"(?:{'|'.join(WHO.values())}):(?: |$)")


def measure(case: Case) -> dict[str, float | None]:
    """The share in a scenario, over contexts that show anything; None when none does."""
    shares = [traced for reading in case.distinct if (traced := of_reading(case.scenario, reading)) is not None]
    return {"traced": fmean(shares) if shares else None}


def of_reading(scenario: Scenario, reading: Reading) -> float | None:
    """The share in one context."""
    claims = block_claims(scenario, reading) if reading.output.block else text_claims(scenario, reading.text)
    return sum(claims) / len(claims) if claims else None


def text_claims(scenario: Scenario, text: str) -> list[bool]:
    """Of each line that says anything, whether a message holds it."""
    headings = {heading(session) for session in scenario.sessions}
    said = [_WHO.sub("", line, count=1).strip() for line in text.splitlines() if line not in headings]
    messages = [fold(message) for message in scenario.texts]
    return [_stands_in(fold(line), messages) for line in said if line]


def _stands_in(line: str, messages: list[str]) -> bool:
    """Whether one of `messages` holds `line`; anything may stand where a secret was replaced."""
    parts = _REDACTED.split(line)
    if len(parts) == 1:
        return any(line in message for message in messages)
    pattern = re.compile(".+".join(map(re.escape, parts)))
    return any(pattern.search(message) for message in messages)


def block_claims(scenario: Scenario, reading: Reading) -> list[bool]:
    """Of each value shown, whether its span gives back the quote and the quote says it."""
    return [
        (span := reading.output.sources.get((key, value))) is not None
        and gives_back(scenario, span)
        and says(span.quote, key, value, printed)
        for key, value, printed in reading.sides
    ]


def gives_back(scenario: Scenario, span: Span) -> bool:
    """Whether the text at `span` is its quote, and is not empty."""
    for session in scenario.sessions:
        for message in session.messages if session.id == span.session else ():
            if message.seq == span.seq and span.block < len(message.blocks):
                text = message.blocks[span.block].text[span.start : span.end]
                return bool(text.strip()) and text == span.quote
    return False


def says(quote: str, key: str, value: str, printed: str) -> bool:
    """Whether `quote` holds what is printed of it and says the value."""
    if fold(printed) not in fold(quote):
        return False
    words = [word for word in re.findall(r"\w+", fold(f"{key} {value}")) if len(word) > 2]
    return shows(quote, value) or (bool(words) and sum(shows(quote, word) for word in words) >= len(words) / 2)


METRIC = Metric((Column("traced", "traced"),), measure)
