"""Dead ends: whether what was ruled out is still there with its reason, and whether it comes back as if it held.

A dead end is kept when one line shows the value, and with it the reason where there was one, and nothing presents the
value as holding. It is revived when something does.
"""

from __future__ import annotations

from mergebench.match import shows
from mergebench.metric import Case, Column, Metric
from mergebench.scenario import Role, Topic


def measure(case: Case) -> dict[str, float | None]:
    """The share kept and the share revived; None in a scenario without dead ends."""
    dead = case.scenario.with_roles(Role.REFUTED)
    if not dead:
        return {"refuted_kept": None, "refuted_revived": None}
    return {
        "refuted_kept": sum(kept(case, topic) for topic in dead) / len(dead),
        "refuted_revived": sum(revived(case, topic) for topic in dead) / len(dead),
    }


def revived(case: Case, topic: Topic) -> bool:
    """Whether the value is presented as holding."""
    return any(case.presents(topic.key, value) for value in topic.fails)


def kept(case: Case, topic: Topic) -> bool:
    """Whether one line shows what was ruled out and why, and nothing says that it holds."""
    wanted = [*topic.fails, *filter(None, [topic.reason])]
    lines = case.about(topic.key).text.splitlines()
    return any(all(shows(line, each) for each in wanted) for line in lines) and not revived(case, topic)


METRIC = Metric(
    (
        Column("refuted_kept", "refuted kept", families=("refuted", "opposed")),
        Column("refuted_revived", "revived", families=("refuted", "opposed")),
    ),
    measure,
)
