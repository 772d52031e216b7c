"""What of a message a context shows, judged from the printed text for every arm alike.

Of a block, the values whose span lies in the message, each with its key and the quote printed beside it. Of plain text,
the lines that the message holds word for word and that stand under its session's heading; a line cut short counts for
what is left of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from mergebench.content import content_words
from mergebench.match import fold
from mergebench.reading import Reading
from mergebench.scenario import Scenario
from mergebench.transcript import heading, message_lines

HALF = 0.5


Place = tuple[str, int]
"""Session id and sequence number of a message."""


def touched(evidence: Iterable[Place], shown: Mapping[Place, Sequence[str]]) -> list[bool]:
    """Of each message, whether anything of what is shown comes from it, in whatever words."""
    return [bool(shown.get(place)) for place in evidence]


def kept(scenario: Scenario, evidence: Iterable[Place], shown: Mapping[Place, Sequence[str]]) -> list[bool]:
    """Of each message, whether it is shown with at least half of its content words."""
    return [_enough(scenario, place, shown.get(place, ())) for place in evidence]


def passages(scenario: Scenario, reading: Reading) -> dict[Place, list[str]]:
    """What is shown of each message of which anything is."""
    return _of_block(reading) if reading.output.block else _of_text(scenario, reading.text)


def _enough(scenario: Scenario, place: Place, said: Sequence[str]) -> bool:
    words = set(content_words(_text(scenario, place)))
    found = words & {word for passage in said for word in content_words(passage)}
    return bool(said) and len(found) >= HALF * len(words)


def _text(scenario: Scenario, place: Place) -> str:
    session = next(session for session in scenario.sessions if session.id == place[0])
    return session.messages[place[1]].text


def _of_block(reading: Reading) -> dict[Place, list[str]]:
    shown: dict[Place, list[str]] = {}
    for key, value, quote in reading.sides:
        span = reading.output.sources.get((key, value))
        if span is not None:
            shown.setdefault((span.session, span.seq), []).append(f"{key} {value} {quote}")
    return shown


def _of_text(scenario: Scenario, text: str) -> dict[Place, list[str]]:
    headings = {heading(session): session for session in scenario.sessions}
    printed = {
        session.id: [fold("\n".join(message_lines(message))) for message in session.messages]
        for session in scenario.sessions
    }
    shown: dict[Place, list[str]] = {}
    under = None
    for line in text.splitlines():
        if line in headings:
            under = headings[line]
        elif under is not None and (folded := fold(line)):
            for seq, whole in enumerate(printed[under.id]):
                if folded in whole:
                    shown.setdefault((under.id, seq), []).append(line)
    return shown
