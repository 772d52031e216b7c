"""The layout puts first what is least likely to change, and measures what a prompt cache keeps."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from beliefmerge.pack import Choice, Item, Rendition, preserved_prefix, stable_first
from beliefmerge.tokens import COUNTERS, chars4
from tests.packing import items

LINE = Rendition("", 1)


def ids(made):
    return [c.item.id for c in stable_first(Choice(i, LINE) for i in made)]


def test_settled_comes_before_contested_before_retracted():
    settled = Item("c", "Fact", (LINE,), evidence=1)
    contested = Item("b", "Fact", (LINE,), evidence=4, contested=True)
    retracted = Item("a", "Fact", (LINE,), evidence=4, retracted=True)
    assert ids([retracted, contested, settled]) == ["c", "b", "a"]


def test_the_strong_come_first_and_among_equals_what_has_stood_longest():
    weak = Item("a", "Fact", (LINE,), evidence=2)
    new, old = Item("b", "Fact", (LINE,), evidence=4, since=9), Item("c", "Fact", (LINE,), evidence=4, since=2)
    assert ids([weak, new, old, replace(old, id="d")]) == ["c", "d", "b", "a"]


@given(items(most=8), st.randoms(use_true_random=False))
def test_the_layout_does_not_depend_on_the_order_of_the_choices(made, rng):
    shuffled = list(made)
    rng.shuffle(shuffled)
    assert ids(made) == ids(shuffled)


def block(made, layout):
    return "".join(f"- {item.id}: {item.text}\n" for item in layout(made))


def test_a_change_in_a_dispute_keeps_all_that_is_settled_cached_and_the_other_way_round_keeps_nothing():
    before = [Item(f"k{i}", "Fact", (LINE,), evidence=4, text="settled") for i in range(3)]
    before.append(Item("a", "Fact", (LINE,), contested=True, text="MySQL / PostgreSQL"))
    after = [*before[:3], replace(before[3], text="MySQL / PostgreSQL / SQLite")]

    def stable(made):
        return [c.item for c in stable_first(Choice(i, LINE) for i in made)]

    def volatile(made):
        return stable(made)[::-1]

    def lines(text):
        return text.count("\n")

    assert preserved_prefix(block(before, stable), block(after, stable), lines) == 3
    assert preserved_prefix(block(before, volatile), block(after, volatile), lines) == 0


@pytest.mark.parametrize(
    ("previous", "text", "kept"),
    [
        ("", "a\n", ""),
        ("a\nb\n", "a\nb\n", "a\nb\n"),
        ("a\nb\n", "a\nb\nc\n", "a\nb\n"),
        ("a\nb", "a\nb\nc", "a\nb"),
        ("a\nb", "a\nbc", "a\n"),
        ("a\nbx\n", "a\nby\n", "a\n"),
        ("x\n", "y\n", ""),
        ("a\nb\n", "a\n", "a\n"),
    ],
)
def test_whole_lines_up_to_the_first_change_are_preserved(previous, text, kept):
    assert preserved_prefix(previous, text, len) == len(kept)
    assert preserved_prefix(previous, text, chars4) == chars4(kept)


@given(st.text(alphabet="ab\n", max_size=12), st.text(alphabet="ab\n", max_size=12), st.sampled_from(sorted(COUNTERS)))
def test_no_more_is_preserved_than_there_is(previous, text, name):
    kept = preserved_prefix(previous, text, len)
    assert previous[:kept] == text[:kept]
    assert 0 <= preserved_prefix(previous, text, COUNTERS[name]) <= COUNTERS[name](text)
