"""What the heuristic extractor makes of conversations: keys, values, denials, types, premises, spans."""

from __future__ import annotations

import sys

import pytest

from beliefmerge.algebra.evidence import Evidence, Trust
from beliefmerge.claims.claim import ClaimType
from beliefmerge.claims.heuristic import extract
from beliefmerge.claims.said import chatter
from beliefmerge.session.model import Block, Channel, Message, Session
from tests.said import claims, session, stances, verdict


@pytest.mark.parametrize(
    "wording",
    [
        "The cache TTL is sixty seconds.",
        "cache_ttl = 60 s",
        "cacheTtl: 1 min",
        "- **Cache TTL**: 60 s",
        "| Cache TTL | 60 s |",
        "The TTL of the cache is 60 s.",
        "The cache's TTL is now 60 s.",
        "We set the cache TTL to 60 s.",
        "The cache TTL was raised to one minute.",
        "FYI, the cache TTL should be 60 s.",
        "According to the docs, the cache TTL is 60 s.",
        "Ana says that the cache TTL is 60 s.",
        "cache_ttl_seconds = 60",
        "cache TTL (ms): 60000",
        '{"cache_ttl": "60 s"}',
        "The cache TTL stays at 60 s for now.",
        "As for the cache TTL, it is 60 s.",
    ],
)
def test_however_it_is_framed_a_fact_fills_one_slot(wording):
    found = extract([session("a", "The cache TTL is 300 s."), session("b", ("tool", wording))]).claims
    assert {frozenset(values) for values in stances(found).values()} == {frozenset({"60 s", "300 s"})}


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("We use MySQL as the database.", {"database": {"mysql"}}),
        ("For the database we chose PostgreSQL.", {"database": {"postgresql"}}),
        ("We went with Kafka for the queue instead of RabbitMQ.", {"queue": {"kafka", "not rabbitmq"}}),
        ("We switched the database from MySQL to PostgreSQL.", {"database": {"postgresql", "not mysql"}}),
        ("The database was migrated from MySQL to PostgreSQL.", {"database": {"postgresql", "not mysql"}}),
        ("We replaced MySQL with PostgreSQL as the database.", {"database": {"postgresql", "not mysql"}}),
        ("The database is not MySQL but PostgreSQL.", {"database": {"postgresql", "not mysql"}}),
        ("The database isn't MySQL, it's PostgreSQL.", {"database": {"postgresql", "not mysql"}}),
        ("The database is PostgreSQL (was MySQL).", {"database": {"postgresql", "not mysql"}}),
        ("DB is PostgreSQL now.", {"db": {"postgresql"}}),
        ("The service deploys on Monday, not Friday.", {"service deploys on": {"monday", "not friday"}}),
        ("CI no longer runs on Jenkins.", {"ci runs on": {"not jenkins"}}),
        ("Hotfixes may not skip review.", {"hotfixes may skip review": {"no"}}),
        ("Do not forget to rotate the keys.", {"rotate keys": {"to do"}}),
        ("There are three replicas.", {"replicas": {"3"}}),
        ("In staging, the port is 8080.", {"port in staging": {"8080"}}),
        ("The port is 443 in production.", {"port in production": {"443"}}),
        ("host=stage-3 port=80 user=app", {"host": {"stage 3"}, "port": {"80"}, "user": {"app"}}),
        ("The TTL is 60 s and the port is 80.", {"ttl": {"60 s"}, "port": {"80"}}),
        ("The reviewers are Ana and Ben.", {"reviewers": {"ana", "ben"}}),
        ("The request timeout must not exceed 2 seconds.", {"request timeout": {"<= 2 s"}}),
        ("The budget is $40k, up from $32k.", {"budget": {"40000 USD", "not 32000 USD"}}),
        ("我们用MySQL作为数据库。", {"数据库": {"mysql"}}),
        ("数据库从MySQL换成了PostgreSQL。", {"数据库": {"postgresql", "not mysql"}}),
        ("默认端口不是80，而是8080。", {"默认端口": {"8080", "not 80"}}),
        ("热修复不能跳过评审。", {"热修复可以跳过评审": {"no"}}),
        ("超时时间应该改成60秒。", {"超时时间": {"60 s"}}),
        ("Wir verwenden PostgreSQL als Datenbank.", {"datenbank": {"postgresql"}}),
        ("El límite es de 50 euros.", {"límite": {"50 EUR"}}),
    ],
)
def test_a_sentence_is_read_as_keys_and_values(said, expected):
    assert stances(claims(said)) == expected


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        ("We decided to use Kafka as the broker.", ClaimType.DECISION),
        ("Users must not share passwords.", ClaimType.CONSTRAINT),
        ("We want to ship by March 14.", ClaimType.GOAL),
        ("We ruled out Redis because it loses data.", ClaimType.REFUTED),
        ("We tried pgbouncer and it failed under load.", ClaimType.REFUTED),
        ("Sharding does not work because the keys are skewed.", ClaimType.REFUTED),
        ("The log file is /var/log/app.log.", ClaimType.ARTIFACT),
        ("The office is in Tokyo.", ClaimType.FACT),
        ("我们决定采用Kafka作为消息队列。", ClaimType.DECISION),
        ("必须在发布前通知客户。", ClaimType.CONSTRAINT),
        ("我们排除了Redis，因为会丢数据。", ClaimType.REFUTED),
    ],
)
def test_wording_gives_the_type(said, kind):
    assert {claim.type for claim in claims(said)} == {kind}


def test_what_is_ruled_out_is_denied_with_its_reason_in_the_quote():
    (claim,) = claims("We ruled out Redis because it loses data.")
    assert claim.assertion.denied
    assert claim.spelling == "Redis"
    assert "loses data" in claim.span.quote


def test_what_is_ruled_out_counts_against_the_slot_that_holds_it():
    found = extract([session("a", "The cache is Redis."), session("b", "We ruled out Redis because it loses data.")])
    assert stances(found.claims) == {"cache": {"redis", "not redis"}}


def test_a_move_without_a_topic_is_about_the_slot_that_holds_the_old_value():
    found = extract([session("a", "The database is MySQL."), session("b", "We moved from MySQL to PostgreSQL.")])
    assert stances(found.claims) == {"database": {"mysql", "not mysql", "postgresql"}}


def test_a_move_to_a_value_is_about_the_choice_made_before_in_the_branch():
    found = claims("We use MySQL as the database.", "We moved to PostgreSQL.")
    assert stances(found) == {"database": {"mysql", "not mysql", "postgresql"}}


def test_a_move_that_could_be_about_two_things_is_about_neither():
    found = claims("We use MySQL as the database.", "We use Kafka as the broker.", "We moved to PostgreSQL.")
    assert stances(found)["database"] == {"mysql"}


def test_a_choice_in_one_branch_says_nothing_of_a_move_in_another():
    found = extract([session("a", "We use MySQL as the database."), session("b", "We moved to PostgreSQL.")]).claims
    assert stances(found)["database"] == {"mysql"}


def test_two_who_do_the_same_are_two_subjects_not_two_values():
    assert set(stances(claims("Vera teaches ceramics.", "Karl teaches ceramics."))) == {"vera teaches", "karl teaches"}


def test_a_role_is_a_slot_once_two_hold_it():
    alone = stances(claims("Ana is the QA lead."))
    assert alone == {"ana is": {"qa lead"}}
    both = stances(claims("Ana is the QA lead.", "Ben is the QA lead."))
    assert both == {"qa lead": {"ana", "ben"}}


def test_two_facts_about_one_person_are_not_one_slot():
    found = claims("Ana is the QA lead.", "Ana owns the release calendar.")
    assert len({claim.key for claim in found}) == 2


@pytest.mark.parametrize(
    ("first", "elsewhere", "again"),
    [
        (
            "We can seat 987 guests in the village library.",
            "We can seat 364 guests in the orchard barn.",
            "We can seat 364 guests in the village library.",
        ),
        (
            "You pay 568 crowns for the chess open.",
            "You pay 472 crowns for the blood drive.",
            "You pay 472 crowns for the chess open.",
        ),
        (
            "We run 3 replicas in the north cluster.",
            "We run 5 replicas in the south cluster on Friday.",
            "We run 5 replicas in the north cluster on Friday.",
        ),
    ],
)
def test_a_number_of_things_is_about_the_place_or_purpose_told_after_it(first, elsewhere, again):
    assert verdict(first, elsewhere) == "different"
    assert verdict(first, again) == "conflict"


def test_values_that_pile_up_share_a_slot_that_holds_several():
    found = claims("The API supports JSON.", "The API supports XML.", "We also use Kafka as the broker.")
    assert all(claim.multi for claim in found)


def test_a_key_written_twice_in_one_block_is_a_list():
    found = claims(("tool", "- attendee: Ana\n- attendee: Ben"))
    assert stances(found) == {"attendee": {"ana", "ben"}}
    assert all(claim.multi for claim in found)


def test_kinds_that_cannot_be_compared_are_different_slots():
    found = stances(claims("The meeting is on Friday.", "The meeting is in Tokyo.", "The meeting lasts two hours."))
    assert len(found) == 3


def test_a_pronoun_is_the_subject_before_it_and_a_bare_answer_is_its_questions():
    assert stances(claims("The timeout was wrong. It is 30 s."))["timeout"] == {"30 s"}
    assert stances(claims(("model", "What is the staging port?"), "8081."))["staging port"] == {"8081"}


@pytest.mark.parametrize("said", ["It is 30 s.", "They are in Tokyo.", "That should be fine."])
def test_what_only_a_pronoun_names_never_meets_another_branch(said):
    other = said.replace("30", "40").replace("Tokyo", "Osaka").replace("fine", "bad")
    found = extract([session("a", said), session("b", other)]).claims
    assert all(len(values) == 1 for values in stances(found).values()) or all(claim.multi for claim in found)


def test_all_assertions_of_one_sentence_share_its_span():
    found = claims(("user", "Hi there. The service deploys on Monday, not Friday."))
    assert {(c.assertion.start, c.assertion.end) for c in found} == {(10, 52)}
    assert {c.span.quote for c in found} == {"The service deploys on Monday, not Friday."}


@pytest.mark.parametrize(
    ("said", "conclusion", "premise"),
    [
        ("We can ship because the migration is complete.", "we may ship", ("migration is complete", "yes")),
        ("Since the migration is complete, we can ship.", "we may ship", ("migration is complete", "yes")),
        ("The migration is complete, so we can ship.", "we may ship", ("migration is complete", "yes")),
        ("The migration is complete. Therefore, we can ship.", "we may ship", ("migration is complete", "yes")),
        ("Given that the region is eu-west, the host is h3.", "host", ("region", "eu west")),
        ("因为迁移已完成，所以可以发布。", "可以发布", ("迁移已完成", "yes")),
    ],
)
def test_a_reason_makes_a_derived_from_edge(said, conclusion, premise):
    by_key = {claim.key: claim for claim in claims(said)}
    assert [[(p.key, p.value) for p in j] for j in by_key[conclusion].assertion.justifications] == [[premise]]
    assert by_key[premise[0]].assertion.justifications == ()


def test_a_premise_names_its_slot_and_value_as_they_are_after_alignment():
    found = extract(
        [
            session("a", "Because the cache TTL is sixty seconds, reads are stale."),
            session("b", "cache_ttl = 1 min"),
        ]
    ).claims
    (stale,) = [claim for claim in found if "stale" in claim.key]
    (premise,) = stale.assertion.justifications[0]
    assert {claim.key for claim in found if claim.assertion.value == premise.value} == {premise.key}


@pytest.mark.parametrize("said", ["It has been down since Monday.", "We moved because of the rain.", "So what?"])
def test_words_of_reason_that_give_none_make_no_edge(said):
    assert all(claim.assertion.justifications == () for claim in claims(said))


def test_a_question_nobody_answers_is_open():
    found = claims(
        "Which region do we deploy to?", ("model", "I have no idea yet, let me ask the infrastructure team.")
    )
    assert [claim.key for claim in found if claim.type is ClaimType.OPEN_QUESTION] == ["which region do we deploy to"]


@pytest.mark.parametrize(
    "answer", ["We deploy to the eu-west region.", "eu-west.", "The region is eu-west.", "Yes, eu-west."]
)
def test_a_question_that_is_answered_later_is_not_open(answer):
    found = claims("Which region do we deploy to?", ("model", answer))
    assert not [claim for claim in found if claim.type is ClaimType.OPEN_QUESTION]


@pytest.mark.parametrize("asked", ["Can you check the logs?", "Would you like me to go on?", "How are you?", "Right?"])
def test_requests_and_small_talk_are_no_open_questions(asked):
    assert not [claim for claim in claims(asked) if claim.type is ClaimType.OPEN_QUESTION]


def test_the_channel_fixes_evidence_speaker_and_trust():
    said = [(channel.value, "The region is eu-west.") for channel in Channel]
    found = extract([session("a", *said)], current="a").claims
    assert {(c.channel, c.assertion.evidence, c.assertion.speaker, c.assertion.trust) for c in found} == {
        (Channel.USER, Evidence.USER_STATED, "user", Trust.TRUSTED),
        (Channel.TOOL, Evidence.TOOL_VERIFIED, "tool", Trust.EXTERNAL),
        (Channel.MODEL, Evidence.INFERRED, "model", Trust.EXTERNAL),
        (Channel.REASONING, Evidence.SPECULATIVE, "model", Trust.EXTERNAL),
        (Channel.INJECTED, Evidence.SPECULATIVE, "injected", Trust.UNTRUSTED),
    }


def test_tool_calls_are_no_testimony():
    message = Message((Block(Channel.MODEL, '{"port": 80}', "tool-call"),), seq=0, session="a")
    assert extract([Session("a", "plain", (message,))]).claims == ()


def test_a_history_holds_the_messages_before():
    first, second = claims("The port is 80.", "The port is 81.")
    assert first.assertion.message in second.assertion.history
    assert second.assertion.message not in first.assertion.history


def test_a_removed_secret_is_no_value():
    found = extract([session("a", ("tool", "API_TOKEN=[REDACTED:token]\nhost=stage-3"))])
    assert stances(found.claims) == {"host": {"stage 3"}}
    assert found.dropped["redacted"] == 1


def test_json_is_read_by_its_paths():
    found = claims(("tool", '{"deploy": {"day": "Monday", "latency_ms": 240, "tags": ["a1", "b2"]}, "ok": true}'))
    assert stances(found) == {
        "deploy.day": {"monday"},
        "deploy.latency": {"0.24 s"},
        "deploy.tags": {"a1", "b2"},
        "ok": {"yes"},
    }
    assert all(
        claim.span.quote in '{"deploy": {"day": "Monday", "latency_ms": 240, "tags": ["a1", "b2"]}, "ok": true}'
        for claim in found
    )


def test_small_talk_gives_no_claims_and_is_counted():
    found = extract([session("a", "Hi there!", ("model", "Let me check the logs."), "Thanks a lot!")])
    assert found.claims == ()
    assert found.dropped == {"chatter": 3}


def test_facts_outrank_talk_in_salience_and_talk_that_nobody_repeats_is_left_out():
    fact, weaker = claims("The refund limit is 100 EUR.", "Larkspur built the pump.", "It was quite nice somehow.")
    assert fact.salience > weaker.salience >= chatter.FLOOR > chatter.salience("It was quite nice somehow.")


def test_a_name_said_more_fully_elsewhere_is_one_value():
    found = extract([session("a", "The database is Postgres."), session("b", "The database is PostgreSQL 15.")]).claims
    assert stances(found) == {"database": {"postgresql 15"}}
    assert {claim.spelling for claim in found} == {"Postgres", "PostgreSQL 15"}


def test_a_name_that_two_fuller_ones_begin_with_stays_its_own():
    found = extract([session(str(i), f"The database is Postgres{v}.") for i, v in enumerate(["", " 14", " 15"])]).claims
    assert stances(found) == {"database": {"postgres", "postgres 14", "postgres 15"}}


def test_a_bare_number_takes_the_unit_the_same_number_has_in_its_slot():
    found = extract([session("a", "The refund limit is 100 EUR."), session("b", "refund_limit = 100")]).claims
    assert stances(found) == {"refund limit": {"100 EUR"}}


def test_endless_repetition_is_cut_in_the_middle():
    found = extract([session("a", *[("tool", "The port is 80.")] * 500)])
    assert len(found.claims) == 64
    assert found.dropped["repeated"] == 436
    assert {claim.span.seq for claim in found.claims} == {*range(32), *range(468, 500)}


def test_two_small_sessions_need_no_numpy():
    code = (
        "import sys; from tests.said import session; from beliefmerge.claims.heuristic import extract; "
        "extract([session('a', 'The port is 80.'), session('b', 'The port is 81.')]); assert 'numpy' not in sys.modules"
    )
    import subprocess

    subprocess.run([sys.executable, "-c", code], check=True, cwd=__file__.rsplit("/tests/", 1)[0])


def test_a_predicate_that_begins_with_a_mark_is_read_without_a_fault():
    assert claims("Its drainage basin is , including its main tributary, the Teton River.")
