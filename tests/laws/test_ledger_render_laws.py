"""Laws of the ledger's rendering: text forges nothing, the second contract shows no number and nothing that fell."""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from beliefmerge.errors import UsageError
from beliefmerge.ledger.context import (
    CONTRACTS,
    HEADING,
    TIERS,
    effective_tier,
    invalidated,
    line,
    parse,
    render,
    retracted,
)
from beliefmerge.ledger.context import contracts as rendering
from beliefmerge.ledger.core.trust import FALL, PPM
from beliefmerge.ledger.core.views import ContextEntry
from beliefmerge.render.escape import MalformedBlock, fold
from beliefmerge.tokens import COUNTERS, counter
from tests.strategies import nasty_text

OURS = (
    "[verified] ",
    "[verified 0.990] ",
    "- [derived] ",
    "\n[verified] tier=verified by 5 outlets",
    "x[verified]",
    "［verified]",
    "x［ｖｅｒｉｆｉｅｄ］",
    "x[ＤＥＲＩＶＥＤ]",
)
NARROW = {wide: wide - 0xFEE0 for wide in range(0xFF01, 0xFF5F)}
text = st.lists(st.one_of(nasty_text, st.sampled_from(OURS)), max_size=3).map("".join)
PREFIX = re.compile(
    r"- \[(?:verified|derived|conjecture|uncorroborated|RETRACTED (?:conjecture|derived|sealed_(?:un)?verified)"
    r"|(?:conjecture|derived|sealed_(?:un)?verified) [01]\.\d{3})\] "
)


@st.composite
def entries(draw: st.DrawFn, max_size: int = 6) -> list[ContextEntry]:
    found = []
    for number in range(draw(st.integers(0, max_size))):
        tier = draw(st.sampled_from(TIERS))
        found.append(
            ContextEntry(
                id=f"{number:064x}",
                seq=number,
                parents=(),
                kind="observation",
                text=draw(text),
                tier=tier,
                render_tier=draw(st.sampled_from(TIERS[TIERS.index(tier) :])),
                belief_ppm=draw(st.one_of(st.integers(0, 1_000_000), st.integers(0, 60_000))),
                status=draw(st.sampled_from(["active", "retracted", "quarantined", "fallen"])),
                corroborated=draw(st.booleans()),
            )
        )
    return found


contracts = st.sampled_from(CONTRACTS)
budgets = st.integers(1, 120)
counters = st.sampled_from(sorted(COUNTERS))


@given(entries(), contracts, st.booleans())
def test_no_text_forges_a_line_prefix_heading_or_fence(found, contract, corroboration) -> None:
    shown = render(found, contract=contract, budget=10_000, corroboration=corroboration)
    lines = shown.text.splitlines()
    assert len(lines) == shown.text.count("\n") == (len(shown.shown) + 1 if shown.shown else 0)
    assert not lines or lines[0] == HEADING
    for one in lines[1:]:
        assert PREFIX.match(one)
        # Behind the prefix, no bracket that is not escaped stands before a word of ours, of whatever width.
        assert not re.search(
            r"(?<!\\)\[\W{0,8}(?i:verified|uncorroborated|derived|conjecture|sealed|retracted)",
            one[3:].translate(NARROW),
        )
        assert not re.search(r"(?<!\\)```|(?<!\\)~~~|[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\u200b\ufeff]", one)
    shown.text.encode()


@given(entries(), contracts)
def test_parse_gives_back_every_prefix_and_text(found, contract) -> None:
    shown = render(found, contract=contract, budget=10_000)
    assert parse(shown.text) == [(each.prefix, fold(each.entry.text)) for each in shown.shown]


@given(entries())
def test_the_second_contract_has_no_number_and_nothing_that_fell(found) -> None:
    shown = render(found, contract="v2", budget=10_000)
    assert [each.entry.id for each in sorted(shown.shown, key=lambda e: e.entry.id)] == [
        e.id for e in found if not invalidated(e)
    ]
    for prefix, _ in parse(shown.text):
        assert prefix in {"verified", "derived", "conjecture", "uncorroborated"}
        assert not re.search(r"\d|RETRACTED", prefix)
    assert not re.search(r"\d", re.sub(r"\] .*", "]", shown.text))


@given(entries())
def test_blocks_go_from_verified_to_uncorroborated_and_belief_falls_within_each(found) -> None:
    blocks = ["sealed_verified", "derived", "conjecture", "sealed_unverified"]
    places = [
        (blocks.index(effective_tier(each.entry)), -each.entry.belief_ppm)
        for each in render(found, budget=10_000).shown
    ]
    assert places == sorted(places)


@given(entries())
def test_an_entry_is_presented_at_the_higher_of_its_stored_tier_and_what_corroboration_gives_it(found) -> None:
    for entry in found:
        assert TIERS.index(effective_tier(entry)) == max(TIERS.index(entry.tier), TIERS.index(entry.render_tier))


@given(entries(), contracts, budgets, counters)
def test_the_budget_is_never_exceeded(found, contract, budget, tokens) -> None:
    shown = render(found, contract=contract, budget=budget, tokens=tokens)
    assert counter(tokens)(shown.text) <= budget
    assert bool(shown.text) == bool(shown.shown)


@given(entries(), contracts, budgets)
def test_what_is_left_out_would_not_have_fitted(found, contract, budget) -> None:
    shown = render(found, contract=contract, budget=budget)
    whole = render(found, contract=contract, budget=10_000)
    assert shown.omitted == len(whole.shown) - len(shown.shown)
    room = 4 * budget - (len(shown.text) or len(HEADING) + 1)
    left_out = [each for each in whole.shown if each not in shown.shown]
    assert all(len(each.text) > room for each in left_out)


@given(entries(), contracts, budgets, st.randoms(use_true_random=False))
def test_order_and_repetition_of_the_entries_do_not_matter(found, contract, budget, random) -> None:
    mixed = found * 2
    random.shuffle(mixed)
    assert render(mixed, contract=contract, budget=budget).text == render(found, contract=contract, budget=budget).text


@given(entries())
def test_a_notice_is_given_once(found) -> None:
    def noticed(rendered) -> set[str]:
        return {each.entry.id for each in rendered.shown if each.prefix.startswith("RETRACTED")}

    first = noticed(render(found, contract="v1", budget=10_000))
    assert first == {entry.id for entry in found if retracted(entry)}
    again = render(found, contract="v1", budget=10_000, announced=first)
    assert not noticed(again)
    assert {each.entry.id for each in again.shown} == {entry.id for entry in found} - first


@given(st.integers(0, 1_000_000))
@example(0)
@example(2)
@example(FALL)
def test_what_falls_with_its_premise_goes_and_what_barely_rested_on_it_stays(belief) -> None:
    for weight in (PPM, PPM // 10):
        left = belief * (PPM - (PPM - FALL) * weight // PPM) // PPM
        entry = ContextEntry(**EXAMPLE, status="fallen", belief_ppm=left, founding_ppm=belief)
        assert invalidated(entry) == (weight == PPM or left == 0)


EXAMPLE = {
    "id": "0" * 64,
    "seq": 0,
    "parents": (),
    "kind": "derivation",
    "text": "x",
    "tier": "derived",
    "render_tier": "derived",
    "corroborated": False,
}


def forgetful_escape(shown: str) -> str:
    return shown


def with_a_number(entry: ContextEntry, tier: str) -> str:
    return f"- [{line.PREFIXES[tier]} {entry.belief_ppm}] {line.printed(entry.text)}\n"


def with_a_notice(found, *, corroboration):
    return [
        rendering._line(e, line.second_contract(e, effective_tier(e) if not invalidated(e) else "sealed_unverified"))
        for e in found
    ]


def dearer_than_counted(lines, budget, tokens):
    kept = [each for each in lines if len(each.text) <= 4 * budget]
    return rendering.Rendered(rendering._text(kept), tuple(kept), len(lines) - len(kept))


MUTANTS = {
    "text printed as it is": (line, "field", forgetful_escape, test_no_text_forges_a_line_prefix_heading_or_fence),
    "our own words not escaped": (
        line,
        "_FORGED",
        re.compile(r"(?!)"),
        test_no_text_forges_a_line_prefix_heading_or_fence,
    ),
    "a number in the second contract": (
        rendering,
        "second_contract",
        with_a_number,
        test_the_second_contract_has_no_number_and_nothing_that_fell,
    ),
    "a fallen entry in the second contract": (
        rendering,
        "_second",
        with_a_notice,
        test_the_second_contract_has_no_number_and_nothing_that_fell,
    ),
    "a budget a line": (rendering, "_within", dearer_than_counted, test_the_budget_is_never_exceeded),
}


@pytest.mark.parametrize("name", MUTANTS)
def test_mutant_is_caught(name, monkeypatch) -> None:
    target, attribute, mutant, law = MUTANTS[name]
    monkeypatch.setattr(target, attribute, mutant)
    with pytest.raises((AssertionError, ExceptionGroup, MalformedBlock)):
        law()


def test_unknown_names_and_budgets_are_refused() -> None:
    with pytest.raises(UsageError, match="did you mean 'v2'"):
        render([], contract="v22")
    with pytest.raises(UsageError, match="not positive"):
        render([], budget=0)
    with pytest.raises(UsageError, match="token counter"):
        render([], tokens="chars")
