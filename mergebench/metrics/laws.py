"""Laws, measured on an arm as a black box: whether it says the same whatever the branches' order, repetition and cuts.

`law_permutation` hands the branches in in every other order (of more than four branches in 24 drawn ones),
`law_repetition` hands the first in twice, `law_regrouping` also hands in the first half of every branch, as a fork cut
earlier holds it. An arm says the same when its items are the same set. An arm that sees the question is asked the
scenario's first one.
`preserved` is the share of the context's tokens that a prompt cache would keep when the last branch grows by its last
message.

Measured with ``reruns=true`` only: each costs another run of the arm.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from dataclasses import replace

from beliefmerge.pack import preserved_prefix
from beliefmerge.session.model import Session
from experiment.seeds import stream
from mergebench.metric import Case, Column, Metric
from mergebench.reading import Item, Reading
from mergebench.scenario import Scenario

ALL_ORDERS_UP_TO = 4
"""Branches of which every order is tried."""
DRAWN_ORDERS = 24


def permuted(scenario: Scenario) -> Iterator[Scenario]:
    """The same branches in other orders: in all of them, or in drawn ones where those are too many."""
    sessions = scenario.sessions
    if len(sessions) <= ALL_ORDERS_UP_TO:
        orders = [order for order in itertools.permutations(sessions) if order != sessions]
    else:
        rng = stream("laws", scenario.family, scenario.seed)
        orders = [tuple(rng.sample(sessions, len(sessions))) for _ in range(DRAWN_ORDERS)]
    for order in orders:
        yield replace(scenario, sessions=order)


def repeated(scenario: Scenario) -> Iterator[Scenario]:
    """The first branch twice."""
    yield replace(scenario, sessions=(*scenario.sessions, scenario.sessions[0]))


def regrouped(scenario: Scenario) -> Iterator[Scenario]:
    """Every branch, and the first half of each as a session of the same id."""
    halves = tuple(_shortened(session, len(session.messages) // 2) for session in scenario.sessions)
    yield replace(scenario, sessions=(*scenario.sessions, *halves))


def without_last(scenario: Scenario) -> Scenario:
    """The last branch before its last message."""
    *others, last = scenario.sessions
    return replace(scenario, sessions=(*others, _shortened(last, len(last.messages) - 1)))


def _shortened(session: Session, count: int) -> Session:
    return replace(session, messages=session.messages[:count])


def items(reading: Reading) -> frozenset[Item]:
    """What a context says, as a set."""
    return frozenset(reading.items)


LAWS: dict[str, Callable[[Scenario], Iterator[Scenario]]] = {
    "law_permutation": permuted,
    "law_repetition": repeated,
    "law_regrouping": regrouped,
}


def measure(case: Case) -> dict[str, float | None]:
    """1 or 0 for each law, and the preserved share; None without reruns."""
    rerun = case.rerun
    if rerun is None:
        return dict.fromkeys([*LAWS, "preserved"])
    reading = case.reading(case.scenario.questions[0])
    said = items(reading)
    found: dict[str, float | None] = {
        name: float(all(items(rerun(changed)) == said for changed in change(case.scenario)))
        for name, change in LAWS.items()
    }
    before = rerun(without_last(case.scenario))
    kept = preserved_prefix(before.text, reading.text, case.request.count)
    return {**found, "preserved": kept / case.tokens(reading) if reading.text else None}


METRIC = Metric(
    (
        Column("law_permutation"),
        Column("law_repetition"),
        Column("law_regrouping"),
        Column("preserved"),
    ),
    measure,
)
