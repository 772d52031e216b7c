"""Token counters."""

import random
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from beliefmerge.errors import UsageError
from beliefmerge.tokens import COUNTERS, chars4, counter, o200k, regex

SPECIAL = ["<|endoftext|>", "<|endofprompt|>", "<|im_start|>"]


@pytest.mark.parametrize(
    ("text", "expected"), [("", 0), ("a", 1), ("abcd", 1), ("abcde", 2), ("你好", 1), ("x" * 400, 100)]
)
def test_chars4_is_a_quarter_of_the_characters_rounded_up(text, expected):
    assert chars4(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [("", 0), (" \n", 0), ("a b", 2), ("a.b", 3), ("_x1", 1), ("...", 3), ("你好, 世界", 3), ("a\u0301", 2)],
)
def test_regex_counts_words_and_marks(text, expected):
    assert regex(text) == expected


@pytest.mark.parametrize(("text", "expected"), [("", 0), ("hello world", 2), ("tokenization", 2)])
def test_o200k_counts_byte_pairs(text, expected):
    assert o200k(text) == expected


@pytest.mark.parametrize("special", SPECIAL)
def test_special_tokens_in_a_text_are_ordinary_text(special):
    assert o200k(special) > 1
    assert o200k(f"a {special} b") >= o200k(special)


def test_o200k_counts_text_that_utf8_cannot_hold():
    assert o200k("a\ud800b") >= 1


@given(st.text(max_size=60))
def test_every_counter_counts_any_text_and_nothing_only_for_nothing_to_count(text):
    for name, count in COUNTERS.items():
        assert count(text) >= 0
        assert (count(text) > 0) or name == "regex" or text == ""


@given(st.text(st.characters(codec="utf-8"), max_size=40), st.text(st.characters(codec="utf-8"), max_size=40))
def test_regex_is_additive_at_white_space_and_chars4_never_saves_by_more_than_one(one, two):
    assert regex(f"{one} {two}") == regex(one) + regex(two)
    assert chars4(one + two) <= chars4(one) + chars4(two) <= chars4(one + two) + 1


@pytest.mark.parametrize("unit", ["a", " ", "\n", "ab", "!", "你", "=-", "0", "<|endoftext|>", "🙂"])
def test_o200k_takes_time_in_proportion_to_a_long_repeated_text(unit):
    def seconds(length):
        text = (unit * length)[:length]
        start = time.process_time()
        assert o200k(text) > 0
        return time.process_time() - start

    o200k("warm")
    short = max(min(seconds(50_000) for _ in range(3)), 0.005)
    assert seconds(200_000) < 10 * short


def test_the_counts_of_random_text_grow_with_it():
    rng = random.Random(3)
    text = "".join(rng.choice("abc déf 你.,\n") for _ in range(2_000))
    for count in COUNTERS.values():
        counts = [count(text[:n]) for n in range(0, 2_000, 200)]
        assert counts == sorted(counts)


def test_an_unknown_counter_is_an_error_that_names_the_nearest():
    with pytest.raises(UsageError, match="did you mean 'chars4'"):
        counter("chars")
    assert counter("regex") is regex
