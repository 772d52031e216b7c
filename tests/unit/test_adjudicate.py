"""The deterministic half of adjudication: what is offered, what of an answer is believed, and what becomes of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from beliefmerge.adjudicate import Adjudication, Answer, Tie, adjudicate, ties
from beliefmerge.algebra.decision import Outcome, Stance
from beliefmerge.reconcile import reconcile
from beliefmerge.scores import SCORES
from beliefmerge.slot import Resolution, Slot
from tests.hand_made import claim

SCORE = SCORES["egalitarian"]


class Scripted:
    """An adjudicator that answers each tie by a rule, and remembers what it was asked."""

    def __init__(self, rule) -> None:
        self.rule = rule
        self.asked: list[Sequence[Tie]] = []

    def __call__(self, offered: Sequence[Tie]) -> Mapping[str, Answer]:
        self.asked.append(offered)
        return {tie.key: answer for tie in offered if (answer := self.rule(tie)) is not None}


def tied(*keys: str, values: Sequence[str] = ("kafka", "rabbitmq")) -> list[Slot]:
    claims = [claim(key, value, session=f"{key}-{value}") for key in keys for value in values]
    return reconcile(claims, SCORE)


def settle(answer: Answer | None) -> Adjudication:
    return adjudicate(tied("broker"), Scripted(lambda tie: answer))


def test_no_ties_means_no_call() -> None:
    scripted = Scripted(lambda tie: Answer("choose", ("a",)))
    assert adjudicate(reconcile([claim("k", "a")], SCORE), scripted) == Adjudication()
    assert not scripted.asked


def test_two_calls_settle_all_ties_the_second_with_everything_reversed() -> None:
    scripted = Scripted(lambda tie: Answer("choose", ("kafka",), premises=("kafka",), reason="two quotes"))
    settled = adjudicate(tied("a", "b"), scripted)
    assert settled.calls == len(scripted.asked) == 2
    first, second = scripted.asked
    assert [tie.key for tie in first] == [tie.key for tie in second][::-1] == ["a", "b"]
    assert first[0].options == second[-1].options[::-1]
    assert [option.quotes for option in first[0].options] == [("a is kafka",), ("a is rabbitmq",)]
    chosen = Resolution("choose", frozenset({Stance("kafka")}), reason="two quotes")
    assert settled.resolutions == {"a": chosen, "b": chosen}


def test_an_answer_that_follows_the_order_of_the_options_is_unresolvable() -> None:
    settled = adjudicate(tied("broker"), Scripted(lambda tie: Answer("choose", (tie.options[0].name,))))
    resolution = settled.resolutions["broker"]
    assert (resolution.outcome, resolution.chosen, resolution.order_sensitive) == ("unresolvable", frozenset(), True)


def test_an_outcome_that_changes_with_the_order_is_unresolvable() -> None:
    answers = iter([Answer("choose", ("kafka",)), Answer("both", ("kafka", "rabbitmq"))])
    settled = adjudicate(tied("broker"), Scripted(lambda tie: next(answers)))
    assert settled.resolutions["broker"].order_sensitive


@pytest.mark.parametrize(
    ("answer", "cause"),
    [
        (None, "no answer"),
        (Answer("choose", ("redis",)), "value not among the options"),
        (Answer("choose", ("kafka", "rabbitmq")), "not one value chosen"),
        (Answer("choose"), "not one value chosen"),
        (Answer("both", ("kafka",)), "fewer than two values for both"),
        (Answer("conditional", ("kafka", "rabbitmq"), {"kafka": "in prod"}), "condition missing"),
        (Answer("conditional", ("kafka",), {"kafka": " \n"}), "condition missing"),
        (Answer("conditional", ("kafka",), {"kafka": None}), "malformed answer"),  # type: ignore[dict-item]
        (Answer("conditional"), "condition missing"),
        (Answer("choose", ("kafka",), {"redis": "never"}), "value not among the options"),
        (Answer("choose", ("kafka",), premises=("redis",)), "premise not among the options"),
        (Answer("merge", ("kafka",)), "unknown outcome"),
        ("choose kafka", "no answer"),
    ],
)
def test_an_answer_its_tie_does_not_allow_leaves_the_tie_and_is_counted(answer, cause) -> None:
    settled = settle(answer)
    assert settled.resolutions == {}
    assert settled.rejected == Counter({cause: 1})


def test_a_value_and_its_denial_cannot_both_hold() -> None:
    slots = reconcile([claim("k", "a"), claim("k", "a", session="t", denied=True)], SCORE)
    settled = adjudicate(slots, Scripted(lambda tie: Answer("both", ("a", "not a"))))
    assert settled.rejected == Counter({"a value and its denial for both": 1})


def test_answers_to_questions_nobody_asked_are_counted() -> None:
    settled = adjudicate(tied("broker"), lambda offered: {"other": Answer("unresolvable")})
    assert settled.rejected == Counter({"unknown key": 1, "no answer": 1})


@pytest.mark.parametrize("failing_call", [1, 2])
def test_a_failing_call_leaves_every_tie_and_says_why(failing_call) -> None:
    def adjudicator(offered: Sequence[Tie]) -> Mapping[str, Answer]:
        asked.append(offered)
        if len(asked) == failing_call:
            raise TimeoutError("no reply\nafter 30 s")
        return {"broker": Answer("choose", ("kafka",))}

    asked: list[Sequence[Tie]] = []
    settled = adjudicate(tied("broker"), adjudicator)
    assert settled.resolutions == {}
    assert settled.failure == "TimeoutError: no reply after 30 s"
    assert settled.calls == failing_call


def test_the_most_corroborated_ties_are_offered_first_and_no_more_than_the_limit() -> None:
    many = [claim("zoo", v, session=f"{v}{i}") for v in ("a", "b") for i in range(3)]
    slots = reconcile([*many, *(claim(k, v, session=f"{k}{v}") for k in ("x", "y") for v in ("a", "b"))], SCORE)
    scripted = Scripted(lambda tie: Answer("unresolvable"))
    settled = adjudicate(slots, scripted, limit=2)
    assert [tie.key for tie in scripted.asked[0]] == ["zoo", "x"]
    assert (settled.ties, settled.offered) == (3, 2)


def test_a_tie_whose_options_read_alike_is_not_offered() -> None:
    slots = reconcile([claim("k", "a", spelling="A"), claim("k", "b", spelling="A", session="t")], SCORE)
    assert slots[0].outcome is Outcome.DISPUTED
    assert ties(slots) == []


@pytest.mark.parametrize(
    ("answer", "outcome", "live"),
    [
        (Answer("choose", ("kafka",)), Outcome.RESOLVED, ("kafka",)),
        (Answer("both", ("rabbitmq", "kafka")), Outcome.COMPATIBLE, ("kafka", "rabbitmq")),
        (
            Answer("conditional", ("kafka", "rabbitmq"), {"kafka": "in prod", "rabbitmq": "in dev"}),
            Outcome.CONDITIONAL,
            ("kafka", "rabbitmq"),
        ),
        (Answer("unresolvable", ("kafka",)), Outcome.DISPUTED, ("kafka", "rabbitmq")),
    ],
)
def test_a_resolution_stands_beside_the_tie_it_settles(answer, outcome, live) -> None:
    claims = [claim("broker", value, session=value) for value in ("kafka", "rabbitmq")]
    scripted = Scripted(lambda tie: answer)
    (slot,) = reconcile(claims, SCORE, adjudicate=lambda slots: adjudicate(slots, scripted).resolutions)
    assert (slot.outcome, slot.values, slot.decision.outcome) == (outcome, live, Outcome.DISPUTED)


@given(st.permutations(["a", "b", "c", "d"]))
def test_the_order_of_the_slots_does_not_change_what_is_asked(order) -> None:
    slots = tied("a", "b", "c", "d")
    by_key = {slot.key: slot for slot in slots}
    assert ties([by_key[key] for key in order], limit=3) == ties(slots, limit=3)
