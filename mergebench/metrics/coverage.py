"""Coverage by role: the share of topics of each role all of whose right values are presented as holding.

Of a value that is told in two spellings, one is enough.
"""

from __future__ import annotations

from mergebench.metric import Case, Column, Metric
from mergebench.scenario import Role, Topic

COVERED = (Role.SINGLE, Role.CONFLICT, Role.CHANGE, Role.TIE, Role.KEPT, Role.COMPATIBLE, Role.SAME)


def covered(case: Case, topic: Topic) -> bool:
    """Whether every right value of `topic` is presented."""
    enough = any if topic.role is Role.SAME else all
    return enough(case.presents(topic.key, value) for value in topic.holds)


def measure(case: Case) -> dict[str, float | None]:
    """One share a role; None for a role the scenario does not have."""
    return {f"coverage_{role}": _share(case, role) for role in COVERED}


def _share(case: Case, role: Role) -> float | None:
    topics = case.scenario.with_roles(role)
    return sum(covered(case, topic) for topic in topics) / len(topics) if topics else None


METRIC = Metric(tuple(Column(f"coverage_{role}") for role in COVERED), measure)
