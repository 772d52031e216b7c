"""What of a model's words the text bears out: keys, values, polarity of yes and no, premises, replies as a whole."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from beliefmerge import merge
from beliefmerge.algebra.evidence import Evidence, Trust
from beliefmerge.claims.claim import ClaimType, Extraction
from beliefmerge.claims.joint import joint_extractor
from beliefmerge.claims.joint.extractor import JointError
from beliefmerge.claims.joint.ground import is_sentence
from beliefmerge.claims.joint.vocabulary import Vocabulary, touches
from beliefmerge.demo import talk
from beliefmerge.session.model import Channel, DataClaim, Session
from tests.doubles.models import Scripted
from tests.doubles.replies import opinion, reply, slot

USER = (Evidence.USER_STATED, Trust.TRUSTED)


def extract(sessions: list[Session], *slots: dict[str, Any], current: str | None = None) -> Extraction:
    return joint_extractor(Scripted(lambda prompt: reply(*slots)))(sessions, current=current)


def one(text: str, key: str, value: str, quote: str | None = None, **more: Any) -> Extraction:
    """What comes of one opinion about a branch in which a user says `text`."""
    return extract([talk("a", ("user", text))], slot(key, opinion("b1", value, quote or text, **more)))


@pytest.mark.parametrize(
    ("text", "key", "value", "spelling", "identity"),
    [
        ("The cache TTL is sixty seconds.", "cache.ttl", "60 s", "sixty seconds", "60 s"),
        ("The cache TTL is sixty seconds.", "Cache TTL", "1 min", "sixty seconds", "60 s"),
        ("缓存的过期时间是六十秒。", "缓存.过期时间", "60秒", "六十秒", "60 s"),
        ("负责人是王五。", "负责人", "王五", "王五", "王五"),
        ("The checkout flag is enabled.", "checkout.flag", "yes", "yes", "yes"),
        ("We moved   the database\nto PostgreSQL.", "database", "postgresql", "PostgreSQL", "postgresql"),
        ("proxy_port=8080", "proxy.port", "8080", "8080", "8080"),
        ("cacheTtl: 5m", "cache.ttl", "5m", "5m", "300 s"),
        ("The budget is $1,000.", "budget", "1000 USD", "$1,000", "1000 usd"),
    ],
)
def test_a_value_is_taken_as_its_quote_writes_it(text, key, value, spelling, identity):
    (claim,) = one(text, key, value, text.rstrip("。.")).claims
    assert claim.spelling == spelling
    assert claim.assertion.value.casefold() == identity.casefold()


@pytest.mark.parametrize(
    ("text", "key", "value", "cause"),
    [
        ("The cache TTL is sixty seconds.", "cache.ttl", "61 s", "value not in its quote"),
        ("The cache TTL is 160 s.", "cache.ttl", "60 s", "value not in its quote"),
        ("The tests are green today.", "checkout.flag", "yes", "value not in its quote"),
        ("The owner is Ana.", "deploy.approval", "Ana", "key not in the text"),
        ("负责人是王五。", "部署批准", "王五", "key not in the text"),
        ("The owner is [REDACTED:api-key].", "owner", "[REDACTED:api-key]", "redacted"),
        ("We will do it by and by, as one does.", "owner", "We will do it by and by, as one does", "sentence as value"),
        ("xx xx " * 400, "owner", "xx xx", "quote too long"),
    ],
)
def test_what_the_text_does_not_say_is_dropped_with_its_cause(text, key, value, cause):
    with pytest.raises(JointError, match=cause):
        one(text, key, value)


@pytest.mark.parametrize(
    "value",
    [
        "The port is 8080 and it must stay so.",
        "It is done. Next",
        "我们已经把数据库迁移完了。现在可以部署",
        "a " * 13,
        "x" * 130,
    ],
)
def test_a_value_that_says_something_is_a_sentence(value):
    assert is_sentence(value)


@pytest.mark.parametrize(
    "value", ["60 s", "PostgreSQL 16.", "Ana and Bo", "v1.2.3", "U.S.", "三百秒", "next Friday at 5 p.m."]
)
def test_a_value_that_names_something_is_none(value):
    assert not is_sentence(value)


def test_a_key_is_made_of_what_was_said_as_strongly_and_with_as_much_trust():
    said = Vocabulary(
        [
            ("The cacheTtl is 60 s, 缓存过期", Evidence.USER_STATED, Trust.TRUSTED),
            ("deployment approved", Evidence.TOOL_VERIFIED, Trust.EXTERNAL),
        ]
    )
    assert all(said.covers(key, *USER) for key in ("cache.ttl", "cachettl", "cache.database", "缓存过期", "缓存的过期"))
    assert not any(said.covers(key, *USER) for key in ("deployment", "cache.approved", "批准", "缓存批准"))
    assert said.covers("deploy.cache", Evidence.TOOL_VERIFIED, Trust.EXTERNAL)
    assert not said.covers("deploy", Evidence.TOOL_VERIFIED, Trust.TRUSTED)


def test_yes_and_no_need_a_quote_about_the_question():
    assert touches("checkout.flag", "The flags are on")
    assert touches("评审", "必须评审")
    assert not touches("checkout.flag", "The tests are green")


def test_a_denial_and_a_type_are_the_models_reading():
    sessions = [talk("a", ("user", "Redis was ruled out as the queue backend."))]
    (claim,) = extract(
        sessions, slot("queue.backend", opinion("b1", "Redis", "Redis was ruled out", denied=True), kind="Refuted")
    ).claims
    assert (claim.assertion.denied, claim.type) == (True, ClaimType.REFUTED)
    (claim,) = extract(
        sessions, slot("queue.backend", opinion("b1", "Redis", "Redis was ruled out"), kind="Refuted")
    ).claims
    assert claim.type is not ClaimType.REFUTED


def test_a_premise_without_a_value_is_what_the_branch_held():
    sessions = [talk("a", ("user", "The region is Tokyo."), ("user", "Given that region, the office is closed."))]
    found = extract(
        sessions,
        slot("region", opinion("b1", "Tokyo", "The region is Tokyo")),
        slot("office", opinion("b1", "closed", "the office is closed", 2, derived_from=["region"])),
    )
    (office,) = (claim for claim in found.claims if claim.key == "office")
    assert [[(p.key, p.value) for p in route] for route in office.assertion.justifications] == [[("region", "tokyo")]]


@pytest.mark.parametrize("premise", ["owner", {"key": "owner"}, {"key": "owner", "value": "Eve"}])
def test_a_claim_rests_on_nothing_that_its_message_does_not_mention(premise):
    sessions = [
        talk("a", ("user", "The region is Tokyo.")),
        talk("b", ("injected", "The owner is Eve. The region of everybody rests on the owner.")),
    ]
    found = extract(
        sessions,
        slot("owner", opinion("b2", "Eve", "The owner is Eve")),
        slot("region", opinion("b1", "Tokyo", "The region is Tokyo", derived_from=[premise])),
        current="a",
    )
    (region,) = (claim for claim in found.claims if claim.key == "region")
    assert region.assertion.justifications == ()
    assert found.dropped in (Counter({"premise not in the text": 1}), Counter({"bogus premise": 1}))


def test_claims_given_as_data_stand_beside_those_of_the_model():
    data = Session(
        id="b",
        format="plain",
        claims=(DataClaim("cache ttl", "300 s", Channel.USER, Evidence.USER_STATED),),
    )
    found = extract(
        [talk("a", ("user", "The cache TTL is 60 s.")), data],
        slot("cache.ttl", opinion("b1", "60 s", "The cache TTL is 60 s")),
    )
    assert sorted((claim.key, claim.spelling) for claim in found.claims) == [
        ("cache ttl", "300 s"),
        ("cache ttl", "60 s"),
    ]


def test_sessions_without_text_need_no_model():
    data = Session(id="b", format="plain", claims=(DataClaim("k", "v", Channel.USER, Evidence.USER_STATED),))
    model = Scripted(lambda prompt: reply())
    merged = merge([data], extract="joint", llm=model)
    assert merged.report.mode == "joint"
    assert len(merged.slots) == 1
    assert not model.prompts


def test_copies_of_a_message_in_two_forks_are_one_witness():
    trunk = talk("a", ("user", "The owner is Ana."))
    fork = Session(id="b", format="plain", messages=trunk.messages)
    found = [opinion(branch, "Ana", "The owner is Ana") for branch in ("b1", "b2")]
    merged = merge([trunk, fork], extract="joint", llm=Scripted(lambda prompt: reply(slot("owner", *found))))
    assert merged.slots[0].witnesses == {"Ana": 1}


def test_opinions_that_repeat_one_another_are_one_claim():
    same = opinion("b1", "Ana", "The owner is Ana")
    found = extract([talk("a", ("user", "The owner is Ana."))], slot("owner", same, same, same | {"line": 9}))
    assert len(found.claims) == 1


def test_the_prompt_has_an_example_with_an_edge_and_names_no_session():
    model = Scripted(lambda prompt: reply())
    with pytest.raises(JointError, match="no slots"):
        joint_extractor(model)([talk("secret-name", ("user", "hi all of you"))])
    system, user = model.prompts[0]
    assert '"derived_from": [{"key": "staging.database", "value": "MySQL"}]' in system.content
    assert "secret-name" not in user.content
    assert len(model.prompts) == 2


def test_nothing_is_dropped_without_being_counted():
    sessions = [talk("a", ("user", "The owner is Ana."))]
    good = opinion("b1", "Ana", "The owner is Ana")
    bad = [good | {"branch": "b2"}, good | {"value": "Bo"}, good | {"quote": "Bo is it now"}, {"branch": "b1"}, 7]
    found = extract(sessions, slot("owner", good, *bad), 5)  # type: ignore[arg-type]
    assert len(found.claims) == 1
    assert found.dropped == Counter(
        {
            "unknown branch": 1,
            "value not in its quote": 1,
            "quote not found": 1,
            "malformed opinion": 2,
            "malformed slot": 1,
        }
    )
