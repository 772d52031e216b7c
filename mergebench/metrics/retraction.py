"""Retraction: conclusions whose premises fell must fall with them, and those with another route must stay.

A conclusion counts as retracted by an arm when its value is not presented as holding. An arm that prints nothing
retracts everything, so recall is 1 and precision tells; `fallen_marked` asks more, that the reader is told what fell.
"""

from __future__ import annotations

from mergebench.match import shows
from mergebench.metric import Case, Column, Metric
from mergebench.scenario import Role, Topic


def conclusion(topic: Topic) -> str:
    """The value a concluded topic was given."""
    return topic.asserted[0]


def measure(case: Case) -> dict[str, float | None]:
    """Precision and recall of retraction, and the share of fallen conclusions that are shown as fallen."""
    fallen, kept = case.scenario.with_roles(Role.FALLEN), case.scenario.with_roles(Role.KEPT)
    if not fallen:
        return {"retraction_precision": None, "retraction_recall": None, "fallen_marked": None}
    gone = [topic for topic in [*fallen, *kept] if not case.presents(topic.key, conclusion(topic))]
    rightly = [topic for topic in gone if topic.role is Role.FALLEN]
    return {
        "retraction_precision": len(rightly) / len(gone) if gone else None,
        "retraction_recall": len(rightly) / len(fallen),
        "fallen_marked": sum(marked(case, topic) for topic in fallen) / len(fallen),
    }


def marked(case: Case, topic: Topic) -> bool:
    """Whether the conclusion is shown, and only as not holding."""
    value = conclusion(topic)
    shown = any(shows(text, value) for item in case.about(topic.key).items for text in item.fallen)
    return shown and not case.presents(topic.key, value)


METRIC = Metric(
    (
        Column("retraction_precision", "retr. prec.", families=("derive",)),
        Column("retraction_recall", "retr. recall", families=("derive",)),
        Column("fallen_marked", "marked", families=("derive",)),
    ),
    measure,
)
