"""Topics asserted with several values of which evidence or time decides one: and which side a context presents."""

from __future__ import annotations

from mergebench.metric import Case
from mergebench.scenario import Role, Topic


def decided(case: Case) -> list[Topic]:
    """Topics asserted with several values that have a right one."""
    return case.scenario.with_roles(Role.CONFLICT, Role.CHANGE)


def presented(case: Case, topic: Topic) -> tuple[bool, bool]:
    """Whether the right value, and whether a wrong one, is presented as holding."""
    return (
        any(case.presents(topic.key, value) for value in topic.holds),
        any(case.presents(topic.key, value) for value in topic.fails),
    )


def count(case: Case, right: bool, wrong: bool) -> int | None:
    """How many of them are presented in just this way; None when there are none."""
    topics = decided(case)
    return sum(presented(case, topic) == (right, wrong) for topic in topics) if topics else None


def share(case: Case, right: bool, wrong: bool) -> float | None:
    """The share of them that are presented in just this way."""
    found = count(case, right, wrong)
    return None if found is None else found / len(decided(case))
