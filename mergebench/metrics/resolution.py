"""Right resolution: of the conflicts an arm marks, those it resolves rightly.

Evidence or time decides: the right value alone is presented. A tie: every side is presented, and as disputed.
"""

from __future__ import annotations

from mergebench.metric import Case, Column, Metric
from mergebench.metrics._decided import presented
from mergebench.metrics._marked import concerns, contested, marked
from mergebench.metrics.ties import disputed
from mergebench.scenario import Role, Topic


def measure(case: Case) -> dict[str, float | None]:
    """The share among marked conflicts; None when none is marked."""
    marks = marked(case)
    topics = [topic for topic in contested(case) if any(concerns(values, topic) for values in marks)]
    return {"resolution": sum(resolved(case, topic) for topic in topics) / len(topics) if topics else None}


def resolved(case: Case, topic: Topic) -> bool:
    """Whether one conflict is resolved rightly."""
    return disputed(case, topic) if topic.role is Role.TIE else presented(case, topic) == (True, False)


METRIC = Metric((Column("resolution"),), measure)
