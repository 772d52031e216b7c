"""Claims given as data: keys kept, values normalised, default premises from what the branch held."""

from __future__ import annotations

import pytest

from beliefmerge.algebra.annotation import Premise
from beliefmerge.algebra.evidence import Evidence
from beliefmerge.claims.claim import ClaimType
from beliefmerge.claims.heuristic import extract
from beliefmerge.session.model import Channel, DataClaim
from tests.said import session, stances


def given(key: str, value: str, evidence: int = 4, **more) -> DataClaim:
    channel = {4: Channel.USER, 3: Channel.TOOL, 2: Channel.MODEL, 1: Channel.REASONING}[evidence]
    return DataClaim(key, value, channel, Evidence(evidence), **more)


def on(*names: str) -> tuple:
    return tuple((name, None) for name in names)


def test_keys_are_kept_and_values_normalised():
    found = extract([session("a", claims=[given("migration.complete", "True"), given("cache.ttl", "1 min")])]).claims
    assert stances(found) == {"migration.complete": {"yes"}, "cache.ttl": {"60 s"}}
    assert {claim.spelling for claim in found} == {"True", "1 min"}


def test_two_keys_that_only_read_alike_stay_two():
    found = extract([session("a", claims=[given("release.date", "1"), given("date.release", "2")])]).claims
    assert len(stances(found)) == 2


def test_text_meets_the_data_it_is_about():
    found = extract(
        [session("a", "The migration is not complete."), session("b", claims=[given("migration.complete", "yes")])]
    ).claims
    assert stances(found) == {"migration.complete": {"no", "yes"}}


def test_a_premise_without_a_value_is_what_the_branch_held_last_and_strongest():
    claims = [given("p", "a", 4), given("p", "b", 2), given("p", "c", 4), given("p", "d", 3)]
    claims += [given("q", "yes", derived_from=(on("p"),)), given("p", "e", 4)]
    found = extract([session("a", claims=claims)]).claims
    (conclusion,) = [claim for claim in found if claim.key == "q"]
    assert conclusion.assertion.justifications == (frozenset({Premise("p", "c")}),)


def test_a_premise_the_branch_never_held_has_no_value():
    found = extract([session("a", claims=[given("q", "yes", derived_from=(on("p", "r"), on("s")))])]).claims
    assert found[0].assertion.justifications == (
        frozenset({Premise("p"), Premise("r")}),
        frozenset({Premise("s")}),
    )


def test_a_premises_given_value_is_normalised_like_the_slots():
    claims = [given("p", "60 s"), given("q", "yes", derived_from=((("p", "1 min"),),))]
    found = extract([session("a", claims=claims)]).claims
    assert found[-1].assertion.justifications == (frozenset({Premise("p", "60 s")}),)


def test_a_premise_may_be_what_the_branch_said_in_text():
    found = extract([session("a", "The region is eu-west.", claims=[given("q", "yes", derived_from=(on("region"),))])])
    (conclusion,) = [claim for claim in found.claims if claim.key == "q"]
    assert conclusion.assertion.justifications == (frozenset({Premise("region", "eu west")}),)


def test_data_claims_have_their_own_places_after_the_messages():
    found = extract([session("a", "The port is 80.", claims=[given("port", "81"), given("port", "82")])]).claims
    places = [claim.assertion.message for claim in found]
    assert [place.split("\x1f")[0] for place in places[1:]] == ["a#claim0", "a#claim1"]
    assert all(place in found[-1].assertion.history for place in places[:-1])


@pytest.mark.parametrize(
    ("name", "kind"), [("Goal", ClaimType.GOAL), ("constraint", ClaimType.CONSTRAINT), (None, ClaimType.FACT)]
)
def test_the_type_is_as_given(name, kind):
    assert extract([session("a", claims=[given("k", "v", type=name)])]).claims[0].type is kind


def test_multi_is_said_by_each_claim_for_itself():
    found = extract([session("a", claims=[given("k", "x", multi=True)]), session("b", claims=[given("k", "y")])]).claims
    assert {claim.span.session: claim.multi for claim in found} == {"a": True, "b": False}
