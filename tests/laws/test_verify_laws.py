"""Laws of the check: the second reading agrees with the algebra, what is rendered passes, and no edit of it does."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from beliefmerge.algebra.decision import Outcome, Stance
from beliefmerge.errors import TrustViolation
from beliefmerge.reconcile import reconcile
from beliefmerge.rederive import Expected, rederive
from beliefmerge.render import PrintedStatus, render
from beliefmerge.render.item import printed
from beliefmerge.scores import SCORES
from beliefmerge.slot import Resolution, Slot
from beliefmerge.tokens import chars4
from beliefmerge.verify import verify
from tests.strategies import World, worlds

SCORE = SCORES["egalitarian"]


@st.composite
def answers(draw: st.DrawFn) -> list[str]:
    return draw(
        st.lists(st.sampled_from(["choose", "both", "conditional", "unresolvable", ""]), min_size=3, max_size=3)
    )


def settle(outcomes: list[str], ties: list[Slot]) -> dict[str, Resolution]:
    """An adjudicator's answers that are valid for the ties, in the order of `outcomes`."""
    settled = {}
    for outcome, slot in zip(outcomes, ties, strict=False):
        stances = sorted(slot.decision.stances)
        chosen = stances[:1] if outcome == "choose" else stances if outcome in ("both", "conditional") else []
        guards = tuple((f"not {s.value}" if s.denied else s.value, f"if {s.value}?") for s in chosen)
        if outcome:
            settled[slot.key] = Resolution(outcome, frozenset(chosen), guards if outcome == "conditional" else ())
    return settled


def check(text: str, world: World, resolutions: dict[str, Resolution] | None = None) -> None:
    verify(
        text,
        world.claims,
        score=SCORE,
        budget=10_000,
        counter=chars4,
        current=world.current,
        resolutions=resolutions or {},
    )


def says(expected: Expected) -> object:
    sides = {
        (s.spelling, s.stance.denied, s.evidence, s.witnesses, s.trust, s.retracted, s.guard) for s in expected.sides
    }
    return (expected.outcome, sides, expected.adjudicated, expected.retracted)


@pytest.mark.parametrize("score", list(SCORES))
@settings(max_examples=300)
@given(world=worlds(), outcomes=answers())
def test_the_second_reading_agrees_with_the_algebra(score, world: World, outcomes) -> None:
    resolutions: dict[str, Resolution] = {}

    def adjudicate(ties: list[Slot]) -> dict[str, Resolution]:
        resolutions.update(settle(outcomes, ties))
        return resolutions

    slots = reconcile(world.claims, SCORES[score], adjudicate=adjudicate)
    expected = rederive((slot.key for slot in slots), world.claims, SCORES[score], resolutions)
    assert expected.keys() == {slot.key for slot in slots}
    for slot in slots:
        item, second = printed(slot), expected[slot.key]
        sides = {(s.value, s.denied, s.evidence, s.witnesses, s.trust, s.retracted, s.guard) for s in item.sides}
        assert (item.outcome, sides, item.adjudicated, item.status is PrintedStatus.RETRACTED) == says(second)
        if item.status is PrintedStatus.RETRACTED:
            assert frozenset(item.premises) == second.unmet
        else:
            assert frozenset(item.premises) in (second.routes or (frozenset(),))
    check_text = render(slots)
    if score == SCORE.name:
        check(check_text, world, resolutions)


def damaged(text: str) -> Iterator[str]:
    """Every deletion and duplication of one line, and every swap of two neighbours' labels for stronger ones."""
    lines = text.splitlines(keepends=True)
    for i in range(len(lines)):
        yield "".join(lines[:i] + lines[i + 1 :])
        yield "".join(lines[: i + 1] + lines[i:])


STRONGER = (
    (r"\[(?:speculative|inferred|tool-verified)", "[user-stated"),
    (r", UNTRUSTED", ""),
    (r"(\[[a-z-]+(?: x\d+)?)(?=[\],])", r"\1, trusted"),
    (r"(\[[a-z-]+)(?: x\d+)?", r"\1 x9"),
    (r"RETRACTED ", ""),
    (r", RETRACTED", ""),
    (r"DISPUTED (.*?\]) \|.*", r"\1"),
    (r"DISPUTED ", "COMPATIBLE "),
    (r"COMPATIBLE (.*?\]) \|.*", r"\1"),
    (r"REFUTED ", ""),
    (r" derived from .*", ""),
    (r" unmet .*", ""),
    (r": not ", ": "),
    (r"\n\(.*\n", ""),
)


@settings(suppress_health_check=list(HealthCheck), max_examples=200)
@given(world=worlds(), quoted=st.booleans())
def test_no_deletion_duplication_or_stronger_label_passes(world: World, quoted) -> None:
    slots = reconcile(world.claims, SCORE)
    text = render(slots, quotes=quoted)
    assume(text)
    check(text, world)
    edits = [re.sub(pattern, new, text, count=1) for pattern, new in STRONGER]
    for edit in [*damaged(text), *edits]:
        if edit != text:
            with pytest.raises(TrustViolation):
                check(edit, world)


@given(world=worlds(), value=st.sampled_from("abc"))
def test_a_value_that_is_opposed_superseded_or_unsaid_cannot_be_shown(world: World, value) -> None:
    for slot in reconcile(world.claims, SCORE):
        live = {side.stance for side in slot.sides}
        if slot.sides and Stance(value) not in live and slot.outcome is Outcome.RESOLVED:
            side = replace(slot.sides[0], stance=Stance(value), spelling=value)
            with pytest.raises(TrustViolation):
                check(render([replace(slot, sides=(side,))]), world)
