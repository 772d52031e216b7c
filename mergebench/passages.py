"""What of a message a context shows, judged from the printed text for every arm alike.

Of a block, the values whose span lies in the message, each with its key and the quote printed beside it. Of plain text,
the lines that the message holds word for word and that stand under its session's heading; a line cut short counts for
what is left of it.
"""

from __future__ import annotations

from collections.abc import Iterable

from mergebench.content import content_words
from mergebench.match import fold
from mergebench.reading import Reading
from mergebench.scenario import Scenario
from mergebench.transcript import heading, message_lines

HALF = 0.5


def kept(scenario: Scenario, evidence: Iterable[tuple[str, int]], reading: Reading) -> list[bool]:
    """Of each message (session id, sequence number), whether it is shown, with at least half of its content words."""
    shown = _of_block(reading) if reading.output.block else _of_text(scenario, reading.text)
    return [_enough(scenario, place, shown.get(place, ())) for place in evidence]


def _enough(scenario: Scenario, place: tuple[str, int], passages: Iterable[str]) -> bool:
    passages = list(passages)
    words = set(content_words(_text(scenario, place)))
    found = words & {word for passage in passages for word in content_words(passage)}
    return bool(passages) and len(found) >= HALF * len(words)


def _text(scenario: Scenario, place: tuple[str, int]) -> str:
    session = next(session for session in scenario.sessions if session.id == place[0])
    return session.messages[place[1]].text


def _of_block(reading: Reading) -> dict[tuple[str, int], list[str]]:
    shown: dict[tuple[str, int], list[str]] = {}
    for key, value, quote in reading.sides:
        span = reading.output.sources.get((key, value))
        if span is not None:
            shown.setdefault((span.session, span.seq), []).append(f"{key} {value} {quote}")
    return shown


def _of_text(scenario: Scenario, text: str) -> dict[tuple[str, int], list[str]]:
    headings = {heading(session): session for session in scenario.sessions}
    printed = {
        session.id: [fold("\n".join(message_lines(message))) for message in session.messages]
        for session in scenario.sessions
    }
    shown: dict[tuple[str, int], list[str]] = {}
    under = None
    for line in text.splitlines():
        if line in headings:
            under = headings[line]
        elif under is not None and (folded := fold(line)):
            for seq, whole in enumerate(printed[under.id]):
                if folded in whole:
                    shown.setdefault((under.id, seq), []).append(line)
    return shown
