"""Session text under a budget: as much as fits, never more, never half a word."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from beliefmerge.session.model import Block, Channel, Message, Session
from beliefmerge.tokens import COUNTERS, chars4, regex
from mergebench.transcript import cut, fair, session_lines

WORDS = st.text(st.characters(codec="utf-8", categories=("L", "N", "P")), min_size=1, max_size=9)


def session(id, *texts, channel=Channel.USER, title=None):
    messages = tuple(Message((Block(channel, text),), i, id) for i, text in enumerate(texts))
    return Session(id, "plain", messages, title=title)


def test_a_session_is_its_heading_and_a_line_a_message():
    assert session_lines(session("a", "one\ntwo", "three", title="T")) == ["[a: T]", "user: one two", "user: three"]


def test_only_the_channels_asked_for_are_printed():
    assert session_lines(session("a", "x", channel=Channel.TOOL), {Channel.USER}) == ["[a]"]


def test_a_text_that_fits_is_left_as_it_is():
    assert cut("a  b\n", 100, chars4) == "a  b\n"


def test_a_cut_falls_at_the_end_of_a_word_so_that_no_other_number_is_printed():
    assert cut("the hall seats 1200", 4, chars4) == "the hall seats"


@given(st.lists(WORDS, max_size=30), st.integers(1, 40), st.sampled_from(sorted(COUNTERS)))
def test_a_cut_never_exceeds_the_budget_and_no_longer_one_would_fit(words, budget, counter):
    count, text = COUNTERS[counter], " ".join(words)
    found = cut(text, budget, count)
    assert count(found) <= budget
    assert text.startswith(found)
    if counter != "o200k" and found != text:
        longer = next(text[:end] for end in range(len(found) + 1, len(text) + 1) if text[end : end + 1] in ("", " "))
        assert count(longer) > budget


@given(st.lists(st.lists(WORDS, max_size=6), min_size=1, max_size=4), st.integers(1, 60))
def test_taking_turns_never_exceeds_the_budget_and_keeps_branches_within_a_message_of_each_other(texts, budget):
    sessions = [session(f"s{i}", *branch) for i, branch in enumerate(texts)]
    found = fair(sessions, budget, regex)
    assert regex(found) <= budget
    lines = found.split("\n") if found else []
    shares = []
    for i, branch in enumerate(texts):
        head = f"[s{i}]"
        taken = 0
        if head in lines:
            rest = lines[lines.index(head) + 1 :]
            taken = next((k for k, line in enumerate(rest) if line.startswith("[s")), len(rest))
        shares.append((taken, len(branch)))
    most = max(taken for taken, _ in shares)
    assert all(taken >= min(length, most - 1) for taken, length in shares)


def test_turns_are_taken_message_by_message():
    sessions = [session("a", "a one", "a two"), session("b", "b one", "b two")]
    assert fair(sessions, 1000, chars4) == "[a]\nuser: a one\nuser: a two\n[b]\nuser: b one\nuser: b two"
    assert fair(sessions, chars4("[a]\nuser: a one\n[b]\nuser: b one"), chars4) == "[a]\nuser: a one\n[b]\nuser: b one"


@pytest.mark.parametrize("budget", range(1, 16))
def test_the_message_that_no_longer_fits_is_cut(budget):
    sessions = [session("a", "alpha beta gamma"), session("b", "delta epsilon zeta")]
    found = fair(sessions, budget, chars4)
    assert chars4(found) <= budget
    if budget >= 11:
        assert "delta" in found
