"""Named values: of the right values that are shown, the share shown in a line that also names what they are about.

"We fixed: 14 June" answers a question about one date only for who knows which date was fixed, and `local` and `bridge`,
which look for values, cannot tell. What a topic is about are the words of its key before the point; a value that no
telling names beside them, as in another language, is left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from mergebench.match import fold, shows
from mergebench.metric import Case, Column, Metric
from mergebench.scenario import Topic


def measure(case: Case) -> dict[str, float | None]:
    """The share in this scenario; None where none of them is shown."""
    found = [named for topic in case.scenario.topics for named in shown_values(case, topic)]
    return {"named": sum(found) / len(found) if found else None}


def shown_values(case: Case, topic: Topic) -> Iterator[bool]:
    """For each right value of `topic` that is shown: whether one of its lines names the topic."""
    text, about = case.about(topic.key).text, _words(topic.key.partition(".")[0])
    for value in topic.holds:
        told = any(t.value == value and about <= _words(t.sentence) for t in case.scenario.told.get(topic.key, ()))
        if told and shows(text, value):
            yield any(about <= _words(line) for line in text.splitlines() if shows(line, value))


def _words(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"\w+", fold(text)))


METRIC = Metric((Column("named", "named"),), measure)
