"""False alarms: values that all hold, or are one value in two spellings, and are marked as conflicting all the same."""

from __future__ import annotations

from mergebench.metric import Case, Column, Metric
from mergebench.metrics._marked import concerns, marked
from mergebench.scenario import Role


def measure(case: Case) -> dict[str, float | None]:
    """The share of such topics; None in a scenario that has none."""
    topics = case.scenario.with_roles(Role.COMPATIBLE, Role.SAME)
    if not topics:
        return {"false_alarms": None}
    marks = marked(case)
    return {"false_alarms": sum(any(concerns(values, topic) for values in marks) for topic in topics) / len(topics)}


METRIC = Metric((Column("false_alarms", "false alarms", families=("compatible", "opposed")),), measure)
