"""Turns of real conversations that were once misread: corrections, moves, to-dos, headers, two scripts."""

from __future__ import annotations

import pytest

from beliefmerge import merge
from beliefmerge.demo import talk


def live(*said: tuple[str, str]) -> dict[str, list[str]]:
    slots = merge([talk("a", *said)]).slots
    return {slot.key: list(slot.values) for slot in slots if slot.outcome in ("resolved", "compatible")}


def user(*texts: str) -> list[tuple[str, str]]:
    return [("user", text) for text in texts]


@pytest.mark.parametrize("opener", ["No wait, ", "Actually no, ", "Wait, ", "Oops, "])
def test_a_correction_replaces_what_it_corrects(opener):
    assert live(*user("The deadline is March 22.", f"{opener}the deadline is March 29.")) == {"deadline": ["March 29"]}


@pytest.mark.parametrize(
    ("before", "after", "key", "value"),
    [
        ("The TTL is 30 days.", "Actually, 45 days.", "ttl", "45 days"),
        ("The backup runs at 3 am.", "No wait, 4 am.", "backup runs at", "4 am"),
        ("The owner is Ana.", "I mean Ben.", "owner", "Ben"),
        ("The port is 80.", "I was wrong about the port, it's 81.", "port", "81"),
        ("The port is 80.", "I was mistaken: the port is 81.", "port", "81"),
        ("The port is 80.", "I made a mistake: the port is 81.", "port", "81"),
    ],
)
def test_a_bare_correction_replaces_what_its_speaker_said_last(before, after, key, value):
    assert live(*user(before, after)) == {key: [value]}
    assert live(*user(f"{before} {after}")) == {key: [value]}
    assert live(("user", before), ("model", "Thanks, noted."), ("user", after)) == {key: [value]}


@pytest.mark.parametrize("after", ["Actually, 4 am.", "Actually, never mind.", "Sorry, Ben.", "Wait, Ben!"])
def test_what_is_no_value_of_the_same_kind_corrects_nothing(after):
    assert live(*user("The TTL is 30 days.", after))["ttl"] == ["30 days"]
    assert live(*user("The owner is Ana.", after))["owner"] == ["Ana"]


def test_a_bare_correction_of_another_speaker_is_not_read_as_the_first_ones_words():
    assert live(("user", "The TTL is 30 days."), ("model", "Actually, 45 days."))["ttl"] == ["30 days"]


@pytest.mark.parametrize(
    ("before", "after", "key", "value"),
    [
        ("We use MySQL.", "We moved to PostgreSQL.", "we use", "PostgreSQL"),
        ("I live in Berlin.", "I moved to Munich.", "i live in", "Munich"),
    ],
)
def test_who_moved_is_no_longer_where_they_were(before, after, key, value):
    assert live(*user(before, after)) == {key: [value]}


def test_what_is_to_do_is_not_done():
    told = live(("model", "Next steps:\n- run the load test\n- deploy to staging"))
    assert told == {"run load test": ["to do"], "deploy to staging": ["to do"]}


def test_a_ticked_box_is_done_and_an_empty_one_is_to_do():
    told = live(*user("- [x] migrate the database\n- [ ] switch the DNS\n- [X] The port is 80."))
    assert told == {"migrate database": ["done"], "switch dns": ["to do"], "port": ["80"]}


def test_what_was_to_do_is_done_once_its_box_is_ticked():
    assert live(*user("- [ ] migrate the database", "- [x] migrate the database")) == {"migrate database": ["done"]}


def test_headers_and_personas_say_nothing():
    told = live(("injected", "You are a helpful assistant."), ("tool", "db:\n  host: x1\nredis:\n  port: 6379"))
    assert told == {"host": ["x1"], "port": ["6379"]}


def test_not_used_is_a_denial_and_need_not_is_not():
    assert live(*user("数据库用PostgreSQL，不用MySQL。")) == {"数据库": ["PostgreSQL"]}
    assert live(*user("我们用 Flask，不用 Django。")) == {"我们用": ["Flask"]}
    assert live(*user("你不用担心")) == {"你必须担心": ["no"]}


def test_scientific_notation_is_a_number():
    assert len(live(*user("The learning rate is 3e-4.", "The learning rate is 0.0003."))) == 1


def test_a_question_answered_in_one_copy_is_answered_in_all():
    from dataclasses import replace

    whole = talk("a", ("user", "Which region does the cluster run in?"), ("model", "The cluster runs in eu-west-1."))
    cut = replace(whole, messages=whole.messages[:1])
    assert merge([cut, whole]).slots == merge([whole]).slots
