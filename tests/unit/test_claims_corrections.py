"""A correction that names the old value before or after the new one denies the old; other openings deny nothing."""

from __future__ import annotations

import pytest

from beliefmerge.claims.heuristic import extract
from tests.said import claims, session, stances


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("Scrap Leeds, the venue of the gala is York.", {"venue of gala": {"york", "not leeds"}}),
        ("Forget 40, the quota is 55.", {"quota": {"55", "not 40"}}),
        ("Not Friday, the review is on Monday.", {"review": {"monday", "not friday"}}),
        (
            "Ditch the lime paint, the door is painted with primer.",
            {"door is painted with": {"primer", "not lime paint"}},
        ),
        ("The venue of the gala is York from today, Leeds is history.", {"venue of gala": {"york", "not leeds"}}),
        ("The quota is 55; 40 is no longer valid.", {"quota": {"55", "not 40"}}),
    ],
)
def test_what_is_struck_is_denied_in_the_slot_of_what_takes_its_place(said, expected):
    assert stances(claims(said)) == expected


@pytest.mark.parametrize(
    "said",
    [
        "Forget it, the port is 80.",
        "The port is 80, the firewall is off.",
        "The port is 80; the manual is outdated.",
        "The party is over, the hall is empty.",
        "Drop the table, the migration recreates it.",
    ],
)
def test_an_opening_or_a_second_fact_that_strikes_no_value_denies_none(said):
    assert not any(claim.assertion.denied for claim in claims(said))


def test_a_holder_who_is_struck_is_denied_the_role():
    found = extract([session("a", "Ana is the QA lead."), session("b", "Never mind Ana, Ben is the QA lead.")]).claims
    assert stances(found) == {"qa lead": {"ana", "ben", "not ana"}}


def test_the_reason_why_something_cannot_be_is_no_aside_that_swallows_it():
    assert stances(claims("The port cannot be 80, since nginx holds it."))["port"] == {"not 80"}


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        (
            "The station interval was 60 seconds but we changed it to 5 minutes.",
            {"station interval": {"300 s", "not 60 s"}},
        ),
        ("The interval was 60 seconds but is now 5 minutes.", {"interval": {"300 s", "not 60 s"}}),
        ("The limit was 10, now it is 20.", {"limit": {"20", "not 10"}}),
        ("The venue was York, but we moved it to Leeds.", {"venue": {"leeds", "not york"}}),
        ("The deadline was Friday and then became Monday.", {"deadline": {"monday", "not friday"}}),
        ("The cache was Redis but the team has replaced it with Memcached.", {"cache": {"memcached", "not redis"}}),
        ("Originally the quota was 500, but it has been raised to 700.", {"quota": {"700", "not 500"}}),
        ("The owner was Ana; it's now Ben.", {"owner": {"ben", "not ana"}}),
    ],
)
def test_what_was_gives_way_to_what_is_now_in_one_sentence(said, expected):
    assert stances(claims(said)) == expected


@pytest.mark.parametrize(
    "said",
    [
        "The interval was 60 seconds.",
        "The interval was 60 seconds but nobody changed it to 5 minutes.",
        "The interval was 60 seconds but we did not change it to 5 minutes.",
        "If the interval was 60 seconds but is now 5 minutes, the log grows.",
    ],
)
def test_a_value_that_nothing_took_the_place_of_is_not_denied(said):
    assert "not 60 s" not in stances(claims(said)).get("interval", set())
