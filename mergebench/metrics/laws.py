"""Laws, measured on an arm as a black box: whether it says the same whatever the branches' order, repetition and cuts.

`law_permutation` reverses the branches, `law_repetition` hands the first in twice, `law_regrouping` also hands in the
first half of every branch, as a fork cut earlier holds it. An arm says the same when its items are the same set.
`preserved` is the share of the context's tokens that a prompt cache would keep when the last branch grows by its last
message.

Measured with ``reruns=true`` only: each costs another run of the arm.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from beliefmerge.pack import preserved_prefix
from beliefmerge.session.model import Session
from mergebench.metric import Case, Column, Metric
from mergebench.reading import Item, Reading
from mergebench.scenario import Scenario


def reversed_branches(scenario: Scenario) -> Scenario:
    """The same branches, last first."""
    return replace(scenario, sessions=scenario.sessions[::-1])


def repeated(scenario: Scenario) -> Scenario:
    """The first branch twice."""
    return replace(scenario, sessions=(*scenario.sessions, scenario.sessions[0]))


def regrouped(scenario: Scenario) -> Scenario:
    """Every branch, and the first half of each as a session of the same id."""
    halves = tuple(_shortened(session, len(session.messages) // 2) for session in scenario.sessions)
    return replace(scenario, sessions=(*scenario.sessions, *halves))


def without_last(scenario: Scenario) -> Scenario:
    """The last branch before its last message."""
    *others, last = scenario.sessions
    return replace(scenario, sessions=(*others, _shortened(last, len(last.messages) - 1)))


def _shortened(session: Session, count: int) -> Session:
    return replace(session, messages=session.messages[:count])


def items(reading: Reading) -> frozenset[Item]:
    """What a context says, as a set."""
    return frozenset(reading.items)


LAWS: dict[str, Callable[[Scenario], Scenario]] = {
    "law_permutation": reversed_branches,
    "law_repetition": repeated,
    "law_regrouping": regrouped,
}


def measure(case: Case) -> dict[str, float | None]:
    """1 or 0 for each law, and the preserved share; None without reruns."""
    if case.rerun is None:
        return dict.fromkeys([*LAWS, "preserved"])
    (reading,) = case.distinct
    said = items(reading)
    found: dict[str, float | None] = {
        name: float(items(case.rerun(change(case.scenario))) == said) for name, change in LAWS.items()
    }
    before = case.rerun(without_last(case.scenario))
    kept = preserved_prefix(before.text, reading.text, case.request.count)
    return {**found, "preserved": kept / case.tokens(reading) if reading.text else None}


METRIC = Metric(
    (
        Column("law_permutation", "permuted"),
        Column("law_repetition", "repeated"),
        Column("law_regrouping", "regrouped"),
        Column("preserved", "preserved"),
    ),
    measure,
)
