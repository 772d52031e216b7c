"""What is ruled out or denied as a whole counts against whoever says it, with the reason in the quote."""

from __future__ import annotations

import pytest

from beliefmerge.claims.claim import ClaimType
from beliefmerge.claims.clauses.reasons import reason_in
from beliefmerge.claims.heuristic import extract
from beliefmerge.pipeline import merge
from tests.said import claims, session, stances, verdict


@pytest.mark.parametrize(
    ("denial", "denied"),
    [
        ("It is not true that the invoice service listens on port 9443.", "The invoice service listens on port 9443."),
        ("It isn't the case that Marta owns the release notes.", "Marta owns the release notes."),
        ("It can't be that the heating is off: the meter is running.", "The heating is off."),
        ("It is impossible that Berta signed the lease.", "Berta signed the lease."),
        ("The rumour that the lift stops at the third floor is false.", "The lift stops at the third floor."),
        ("The story that Igor sold the boat is nonsense.", "Igor sold the boat."),
        ("The assumption that the sensor sends every ten seconds was wrong.", "The sensor sends every ten seconds."),
        ("The proposal that the archive moves to Lisbon fell through.", "The archive moves to Lisbon."),
        ("The hope that the grant covers travel led nowhere.", "The grant covers travel."),
        ("Our plan that the club meets in the cellar did not work out.", "The club meets in the cellar."),
        ("The option that Petra drives was vetoed by her doctor.", "Petra drives."),
        ("We dropped the idea that the newsletter goes out on Thursday.", "The newsletter goes out on Thursday."),
        ("We abandoned the plan that Hugo leads the audit since he is away.", "Hugo leads the audit."),
        ("The team ruled out that the fault lies in the cable.", "The fault lies in the cable."),
        ("Nobody believes that the deadline is March 3.", "The deadline is March 3."),
        ("I no longer think that the leak is in the roof.", "The leak is in the roof."),
        ("We don't think the port is 80.", "The port is 80."),
        ("Whoever wrote that the gate shuts at dusk was mistaken.", "The gate shuts at dusk."),
        ("Nobody believes that the frobnicator grokks twice.", "The frobnicator grokks twice."),
        ("I doubt that the backups are encrypted.", "The backups are encrypted."),
        ("Contrary to the belief that the cache is shared, each worker has its own.", "The cache is shared."),
        ("说会议定在周五是错的。", "会议定在周五。"),
        ("小李负责审核的说法不属实。", "小李负责审核。"),
        ("没有人相信端口是8080。", "端口是8080。"),
        ("把仓库搬到城北的计划被取消了，因为租金太高。", "把仓库搬到城北。"),
    ],
)
def test_a_clause_that_is_denied_as_a_whole_opposes_who_asserts_it(denial, denied):
    assert verdict(denial, denied) == "conflict"
    assert verdict(denied, denial) == "conflict"


@pytest.mark.parametrize(
    ("said", "asserted"),
    [
        ("The fact that the port is 80 did not help.", "The port is 80."),
        ("The claim that the filter lasts two years has been confirmed.", "The filter lasts two years."),
        ("The plan that we move in May is not yet approved.", "We move in May."),
        ("We did not drop the idea that Ana leads.", "Ana leads."),
        ("If we drop the plan that the demo runs on Windows, we save a week.", "The demo runs on Windows."),
        ("It is not true that we moved because of the noise.", "We moved because of the noise."),
        ("Nobody denied that the port is 80.", "The port is 80."),
        ("It is not right that the interns pay for parking.", "The interns pay for parking."),
    ],
)
def test_what_only_looks_like_a_denial_of_a_clause_opposes_nobody(said, asserted):
    assert not any(
        c.assertion.denied and c.type is ClaimType.REFUTED for c in claims(said) if c.key in asserted.lower()
    )
    assert verdict(said, asserted) != "conflict"


def test_what_is_said_instead_of_a_denied_clause_is_read_too():
    found = stances(claims("It is not true that the shop opens at 9; it opens at 10."))
    assert found == {"shop opens at": {"not 9", "10"}}


def test_that_it_is_different_says_nothing_instead():
    assert stances(claims("Contrary to the claim that the sauna is free, it is quite different.")) == {
        "sauna price": {"not free"}
    }


@pytest.mark.parametrize(
    ("refutation", "proposal"),
    [
        ("We tried Celery but it lost jobs under load.", "The queue is Celery."),
        ("We considered Kiel as the venue but it is too far.", "The venue is Kiel."),
        ("We looked into Lille, but the fees are absurd.", "The fair is in Lille."),
        (
            "Oslo is not an option for the offsite because the flights are too dear.",
            "The offsite venue is Oslo.",
        ),
        ("Don't book the Elm Room, the projector is broken.", "The meeting is in the Elm Room."),
        ("No more Jenkins for the nightly build, it eats the disk.", "The nightly build runs on Jenkins."),
        ("No more talk of Ravel for the recital, the pianist fainted.", "The recital opens with Ravel."),
        ("Forget about Dana for the keynote, she is in Peru.", "Dana is the keynote speaker."),
        ("Please stop suggesting Fridays for the stand-up; half the team is away.", "The stand-up is on Friday."),
        ("PDF won't do for the form, the clerk cannot edit it.", "The format of the form is PDF."),
        ("We won't use Terraform for the lab.", "The lab is built with Terraform."),
        ("Neither Slack nor Teams is an option for the clinic.", "The chat tool of the clinic is Teams."),
        ("Using Redis for the locks did not work: keys expired early.", "The store of the locks is Redis."),
        ("Vera cannot be the treasurer, since she moved away.", "The treasurer is Vera."),
        ("We gave up on Bazel; the cache kept breaking.", "The build tool is Bazel."),
        ("We're not going with Heroku because of the price.", "The host is Heroku."),
        ("别再提苏州了，酒店太远。", "年会地点是苏州。"),
        ("试过Kafka，但延迟太高。", "消息队列是Kafka。"),
        ("年会地点不考虑苏州，因为酒店太远。", "年会地点是苏州。"),
    ],
)
def test_what_is_ruled_out_opposes_who_proposes_it(refutation, proposal):
    assert verdict(refutation, proposal) == "conflict"
    assert verdict(proposal, refutation) == "conflict"


@pytest.mark.parametrize(
    "said",
    [
        "We tried Celery, but it worked fine.",
        "No more than five guests are allowed.",
        "No more bugs.",
        "Stop the server for the backup.",
        "Forget the milk.",
        "The option that the board prefers is Lyon.",
        "The idea that we meet on Monday is fine.",
        "试过Kafka，但很顺利。",
    ],
)
def test_words_of_refusal_that_rule_nothing_out_refute_nothing(said):
    assert not [claim for claim in claims(said) if claim.type is ClaimType.REFUTED]


def test_a_thing_ruled_out_for_one_purpose_is_not_ruled_out_for_another():
    assert verdict("Oslo is out of the question for the offsite.", "The archive is in Oslo.") == "different"


def test_a_refutation_that_could_be_about_two_things_is_about_neither():
    found = extract(
        [
            session("a", "The sponsor of the gala is Ostrava.", "The caterer of the gala is Ostrava."),
            session("b", "No more talk of Ostrava for the gala, they were late."),
        ]
    ).claims
    assert [claim.key for claim in found if claim.assertion.denied] == ["gala"]


def test_a_denial_counts_in_the_slot_that_two_others_dispute():
    found = extract(
        [
            session("a", "Palmer answers for the tool shed."),
            session("b", "Quillan answers for the tool shed."),
            session("c", "It is not true that Quillan answers for the tool shed."),
        ]
    ).claims
    assert sorted(len(values) for values in stances(found).values()) == [3]


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        ("We ruled out Redis because it loses data.", "because it loses data."),
        ("Bamboo was rejected: it warps.", "it warps."),
        ("We gave up on Bazel; the cache kept breaking.", "the cache kept breaking."),
        ("We shelved the plan, as the rent doubled.", "as the rent doubled."),
        ("Redis不行，因为会丢数据。", "因为会丢数据。"),
        ("Stop suggesting Ravel, please, the pianist fainted.", "please, the pianist fainted."),
        ("We tried foam and it sagged, so it is cork.", "and it sagged, so it is cork."),
        ("We rejected bamboo.", ""),
        ("The valve has been shut since Monday.", ""),
    ],
)
def test_the_reason_is_what_a_refutation_ends_with(said, reason):
    assert reason_in(said) == reason


def test_what_was_ruled_out_is_printed_with_its_reason_and_not_as_holding():
    ruled_out = session("a", "We dropped the idea that the club meets in the Elm Room, because it floods every spring.")
    proposed = session("b", ("model", "The club meets in the Elm Room."))
    (line,) = [each for each in merge([ruled_out, proposed], budget=300).text.splitlines() if "Elm" in each]
    assert line == '- club meets in: REFUTED the Elm Room [user-stated] …"because it floods every spring."'


def test_a_denied_value_without_a_reason_may_be_printed_without_its_quote():
    (line,) = [
        each
        for each in merge([session("a", "Nobody believes that the deadline is March 3.")], budget=300).text.splitlines()
        if "March" in each
    ]
    assert line.startswith("- deadline: REFUTED March 3 [user-stated]")
