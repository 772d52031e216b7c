"""Genuine ties: whether the reader is told that they are undecided, or one side is guessed.

A tie is kept when one item marked as a dispute presents every side. It is guessed when one side alone is presented.
"""

from __future__ import annotations

from mergebench.match import shows
from mergebench.metric import Case, Column, Metric
from mergebench.scenario import Role, Topic


def disputed(case: Case, topic: Topic) -> bool:
    """Whether an item marked as a dispute presents every value asserted of `topic`."""
    return any(
        item.disputed and all(any(shows(held, value) for held in item.holds) for value in topic.asserted)
        for item in case.about(topic.key).items
    )


def measure(case: Case) -> dict[str, float | None]:
    """The share kept and the share guessed; None in a scenario without ties."""
    ties = case.scenario.with_roles(Role.TIE)
    if not ties:
        return {"ties_kept": None, "ties_guessed": None}
    guessed = sum(sum(case.presents(topic.key, value) for value in topic.asserted) == 1 for topic in ties)
    return {
        "ties_kept": sum(disputed(case, topic) for topic in ties) / len(ties),
        "ties_guessed": guessed / len(ties),
    }


METRIC = Metric(
    (
        Column("ties_kept", "ties kept", families=("tie",)),
        Column("ties_guessed", "ties guessed", families=("tie",)),
    ),
    measure,
)
