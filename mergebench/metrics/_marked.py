"""Which topics a context (or the arm's report of it) says are in conflict."""

from __future__ import annotations

from mergebench.match import shows
from mergebench.metric import Case
from mergebench.reading import Reading
from mergebench.scenario import Role, Topic


def marked(case: Case) -> list[frozenset[str]]:
    """Sets of values marked as conflicting: printed disputes, and what the arm reports, each once."""
    found: dict[frozenset[str], None] = {}
    for reading in case.distinct:
        for values in [*printed(reading), *reading.output.conflicts]:
            found[values] = None
    return list(found)


def printed(reading: Reading) -> list[frozenset[str]]:
    """The values of each item printed as DISPUTED."""
    return [frozenset(item.holds + item.fallen) for item in reading.items if item.disputed]


def concerns(values: frozenset[str], topic: Topic) -> bool:
    """Whether a marked set is about `topic`: it names two or more of the values asserted of it."""
    return sum(any(shows(value, asserted) for value in values) for asserted in topic.asserted) >= 2


def contested(case: Case) -> list[Topic]:
    """Topics asserted with several values that cannot all hold."""
    agreeing = (Role.COMPATIBLE, Role.SAME)
    return [topic for topic in case.scenario.topics if len(topic.asserted) >= 2 and topic.role not in agreeing]
