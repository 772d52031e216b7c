"""Twin clauses and asides: what one differing span makes one slot, and what it does not."""

from __future__ import annotations

import pytest

from beliefmerge import merge
from beliefmerge.claims.clauses.asides import without_aside
from beliefmerge.claims.clauses.bare import without_lead
from beliefmerge.demo import talk

ONE_SLOT = [
    ("Farida Costa answers for the mobile app.", "Dario Lund answers for the mobile app."),
    ("The Alder Hall is home to the translation desk.", "The Old Mill is home to the translation desk."),
    ("12 May is reserved for the regatta.", "3 June is reserved for the regatta."),
    ("The boiler carries the serial number QX-11.", "The boiler carries the serial number QX-17."),
    ("You return the van at the North Gate for a refund.", "You return the van at the South Gate for a refund."),
    ("From 14:30 onwards you may enter the roof garden.", "From 16:00 onwards you may enter the roof garden."),
    ("Kestrel built the pump house.", "Marlow built the pump house."),
    ("The gym gets painted ochre.", "The gym gets painted teal."),
    ("Nobody enters the vault before 12:10.", "Nobody enters the vault before 13:40."),
]
SEVERAL = [
    ("Ana likes the plan.", "Ben likes the plan."),
    ("Ana attended the kick-off.", "Ben attended the kick-off."),
    ("Service A runs on the port.", "Service B runs on the port."),
    ("Server 12 is in the rack.", "Server 13 is in the rack."),
    ("Ana runs the marathon.", "Ben runs the marathon."),
    ("Ana signed the petition.", "Ben signed the petition."),
]


def outcomes(first: str, second: str) -> list[str]:
    merged = merge([talk("a", ("user", first)), talk("b", ("user", second))])
    return sorted(slot.outcome for slot in merged.slots)


@pytest.mark.parametrize(("first", "second"), ONE_SLOT)
def test_the_same_words_about_one_definite_thing_are_one_slot(first, second):
    assert outcomes(first, second) == ["disputed"]


@pytest.mark.parametrize(("first", "second"), SEVERAL)
def test_what_many_can_do_and_things_of_a_kind_stay_apart(first, second):
    assert "disputed" not in outcomes(first, second)


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("Small update: the Old Mill is home to the desk.", "the Old Mill is home to the desk."),
        ("Before I forget, the gym gets painted teal.", "the gym gets painted teal."),
        ("One thing to note, the pump is rated at 3 kW.", "the pump is rated at 3 kW."),
        ("In staging, the timeout is 30 s.", "In staging, the timeout is 30 s."),
        ("On Monday, the office is closed.", "On Monday, the office is closed."),
        ("Timeout: 30 s, retries: 3", "Timeout: 30 s, retries: 3"),
        ("The host: stage-3", "The host: stage-3"),
    ],
)
def test_an_aside_is_told_by_its_shape(said, kept):
    assert without_aside(without_lead(said)) == kept
