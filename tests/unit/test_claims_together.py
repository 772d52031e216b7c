"""Clauses read together: conditions keep values apart, partitives leave room for others, conflicts stay conflicts."""

from __future__ import annotations

import pytest

from beliefmerge.claims.alignment.together import together
from beliefmerge.claims.heuristic import extract
from beliefmerge.claims.reading import Clause
from tests.said import claims, session, stances


def test_clauses_under_two_conditions_share_no_template():
    said = "The kiosk near the pier is run by {}."
    plain = [Clause((), said.format(name)) for name in ("Ada Moll", "Ben Orr")]
    apart = [Clause((), c.text, condition=f"in {when}") for c, when in zip(plain, ("May", "June"), strict=True)]
    alike = [Clause((), c.text, condition="in May") for c in plain]
    assert len(together(plain, 12)) == 2
    assert together(apart, 12) == {}
    assert {reading.key for reading in together(alike, 12).values()} == {"kiosk near pier is run by in may"}


@pytest.mark.parametrize("said", ["We also order yeast from {}.", "Part of what the bakery needs is sold by {}."])
def test_a_clause_that_leaves_others_open_does_so_however_it_is_read(said):
    found = extract([session("a", said.format("Tolland")), session("b", said.format("Harper"))]).claims
    assert found
    assert all(claim.multi for claim in found)


def test_without_the_partitive_the_same_clauses_compete():
    said = "What the bakery needs is sold by {}."
    found = extract([session("a", said.format("Tolland")), session("b", said.format("Harper"))]).claims
    assert not any(claim.multi for claim in found)
    assert [len(values) for values in stances(found).values()] == [2]


def test_a_time_that_recurs_is_a_condition_only_beside_another_value():
    assert stances(claims("The pool opens at 7 on weekdays.")) == {"pool opens at on weekdays": {"7"}}
    assert stances(claims("The service deploys on Fridays.")) == {"service deploys on": {"friday"}}
