"""Over-deletion: uncontested values that hold and are not presented, though nothing forced the arm to leave them out.

A value counts when it is shown as not holding, or is missing although the sentence that tells it would still have
fitted the budget. What a tight budget pushes out is not deletion.
"""

from __future__ import annotations

from mergebench.match import shows
from mergebench.metric import Case, Column, Metric
from mergebench.scenario import Role


def measure(case: Case) -> dict[str, float | None]:
    """The share of uncontested values that are deleted; None when there are none."""
    topics = case.scenario.with_roles(Role.SINGLE)
    if not topics:
        return {"over_deletion": None}
    return {"over_deletion": sum(deleted(case, topic.key, topic.holds[0]) for topic in topics) / len(topics)}


def deleted(case: Case, key: str, value: str) -> bool:
    """Whether `value` was given up without need."""
    reading = case.about(key)
    if case.presents(key, value):
        return False
    if shows(reading.text, value):
        return True
    sentence = min((t.sentence for t in case.scenario.told[key] if t.value == value), key=len)
    return case.request.count(f"{reading.text}\n{sentence}") <= case.request.budget


METRIC = Metric((Column("over_deletion"),), measure)
