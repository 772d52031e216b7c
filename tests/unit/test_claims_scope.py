"""A negation denies its own clause: what is affirmed before a comma, a conjunction or "because" stays affirmed."""

from __future__ import annotations

import pytest

from tests.said import claims, stances


@pytest.mark.parametrize(
    ("said", "key", "value"),
    [
        ("The port is 80, do not change it.", "port", "80"),
        ("The owner is Priya, don't ask Tom.", "owner", "priya"),
        ("The port is 80 because 81 was not free.", "port", "80"),
        ("The port is 80 since 81 was not free.", "port", "80"),
        ("The key is stored in Vault, please never copy it.", "key is stored in", "vault"),
        ("The runtime is Node 20, Node 18 is not supported.", "runtime", "node 20"),
        ("We use Kafka, no ZooKeeper.", "we use", "kafka"),
        ("My key is abc please don't store it.", "my key", "abc"),
        ("The deadline is Friday, which is not negotiable.", "deadline", "friday"),
        ("The database is Postgres, nobody wants MySQL.", "database", "postgres"),
        ("The region is eu-west-1 so we can't use Paris.", "region", "eu west 1"),
        ("The port is 80 and must not be changed.", "port", "80"),
        ("The host is alpha; never reboot it.", "host", "alpha"),
        ("The cluster runs on arm64, x86 won't work.", "cluster runs on", "arm64"),
        ("The venue is York although Leeds was not booked.", "venue", "york"),
        ("We meet on Monday, nobody has time on Friday.", "we meet on", "monday"),
        ("The budget is $500, no more.", "budget", "500 USD"),
        ("The stack is Go, no frameworks.", "stack", "go"),
        ("The limit is 100 (do not exceed it).", "limit", "100"),
        ("The release is on 3 May, don't announce it yet!", "release", "--05-03"),
        ("The API key is stored in Vault: never print it.", "api key is stored in", "vault"),
        ("The gate code is 1234, and don't give it to anyone.", "gate code", "1234"),
        ("The limit is 1,000 requests, never mind the bursts we don't count.", "limit", "1000 request"),
        ("We lock the file so that it does not change.", "we lock", "file"),
        ("The dish has rice and no salt.", "dish has", "rice"),
        ("Rent is 900 euros, heating not included.", "rent", "900 EUR"),
        ("We picked Oak Hall, as Elm Hall isn't accessible.", "we use", "oak hall"),
        ("Our tax id is DE123, never share it outside.", "tax id", "de123"),
        ("The train leaves at 9:12 and does not stop in Ulm.", "train leaves at", "09:12"),
        ("The API returns JSON, XML is no longer supported.", "api returns", "json"),
        ("The dentist is in Main Street – don't go on foot.", "dentist is in", "main street"),
    ],
)
def test_a_negation_after_the_clause_leaves_its_value_affirmed(said, key, value):
    found = stances(claims(said))
    assert found.get(key) in ({value}, {value, "not zookeeper"}), found


@pytest.mark.parametrize(
    "said",
    [
        "The limit is 100 requests, except for admins, who have no limit.",
        "We use Kafka with no replication.",
        "We hire people who do not smoke.",
        "The port that is not used is 81.",
        "The limit is 5 but not for admins.",
        "The port is 80, not that it matters.",
    ],
)
def test_a_negation_that_is_part_of_a_value_or_says_no_value_denies_none(said):
    assert not any(claim.assertion.denied for claim in claims(said))


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("Please don't deploy on Fridays; that's when finance closes the books.", {"deploy on": {"not friday"}}),
        (
            "Don't touch the router, it is under warranty.",
            {"touch router": {"no"}, "router is under": {"warranty"}},
        ),
        (
            "Never restart the mail server, the queue is lost.",
            {"restart mail server": {"no"}, "queue is lost": {"yes"}},
        ),
        ("Do not merge to main before review, CI is flaky.", {"merge to main before review": {"no"}}),
        ("Please don't email Bob.", {"email bob": {"no"}}),
        ("The port is 80, do not change it.", {"change port": {"no"}}),
        ("The host is alpha; never reboot it.", {"reboot host": {"no"}}),
        (
            "Don't store the key in Git, store it in Vault.",
            {"store key in git": {"no"}, "store it in vault": {"to do"}},
        ),
        ("Don't rename, move or delete files.", {"rename move or delete files": {"no"}}),
        ("Use Postgres, don't install MySQL.", {"install mysql": {"no"}}),
    ],
)
def test_a_prohibition_is_a_claim_of_its_own(said, expected):
    found = stances(claims(said))
    assert {key: found.get(key) for key in expected} == expected


@pytest.mark.parametrize("said", ["Don't worry, the port is 80.", "Don't forget: the port is 80."])
def test_a_negative_word_of_talk_forbids_nothing(said):
    assert stances(claims(said)) == {"port": {"80"}}


@pytest.mark.parametrize(
    ("said", "key", "value"),
    [
        ("We do not use Kafka.", "we use", "not kafka"),
        ("The port is not 80.", "port", "not 80"),
        ("It is not true that the port is 80.", "port", "not 80"),
        ("We never deploy on Fridays.", "we deploy on", "not friday"),
        ("The cache is Redis, not Memcached.", "cache", "not memcached"),
        ("We use Kafka, no ZooKeeper.", "we use", "not zookeeper"),
        ("We deploy with Helm and never with kubectl.", "we deploy with", "not kubectl"),
        ("The indent is tabs, never spaces.", "indent", "not spaces"),
        ("MongoDB was ruled out because it loses data.", "use mongodb", "not mongodb"),
        ("In production, we don't use SQLite.", "we use", "not sqlite"),
        ("The team, as agreed, does not meet on Monday.", "team as agreed meets on", "not monday"),
        ("The service does not listen on port 80, and it never did.", "service listens on", "not port 80"),
        ("We don't use tabs, the indent is 4 spaces.", "we use", "not tabs"),
        ("The plan covers fire but does not cover mould.", "plan covers", "not mould"),
        ("We agreed that the port is not 80.", "port", "not 80"),
        ("The cluster runs on arm64, x86 won't work.", "use x86", "not x86"),
    ],
)
def test_a_true_denial_denies(said, key, value):
    assert value in stances(claims(said)).get(key, set()), stances(claims(said))


def test_a_second_denial_after_but_is_no_assertion_of_the_first_value():
    found = stances(claims("The date is not 3 May, but it is not 4 May."))
    assert found == {"date": {"not --05-03", "not --05-04"}}
    assert stances(claims("The port is not 80, but it is 81.")) == {"port": {"81", "not 80"}}


def test_two_negations_in_two_clauses_do_not_cancel_each_other():
    found = stances(claims("The port is not 80, Node 18 is not supported."))
    assert found == {"port": {"not 80"}, "node 18 is supported": {"no"}}
