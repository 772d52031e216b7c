"""What holds of the heuristic extractor whatever is said: order, repetition, provenance, one reading a sentence."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from beliefmerge.claims import heuristic
from beliefmerge.claims.alignment import align
from beliefmerge.claims.heuristic import extract
from beliefmerge.claims.said import preselect
from beliefmerge.claims.said.scan import scan
from beliefmerge.claims.said.sentences import split
from beliefmerge.claims.values.normalise import normalise
from beliefmerge.claims.words.keys import canonical
from beliefmerge.session.model import Block, Channel, Message, Session
from tests.said import verdict

PAIRS = Path(__file__).parents[1] / "unit" / "claims_pairs.tsv"
SENTENCES = sorted(
    {s for line in PAIRS.read_text(encoding="utf-8").splitlines() if line[0] != "#" for s in line.split("\t")[2:]}
)
WORDS = st.sampled_from(
    ["the", "port", "is", "80", "not", "Ana", "on", "Friday", "we", "use", "Redis", "=", ":", "x", "是"]
)
LINES = st.one_of(
    st.sampled_from(SENTENCES),
    st.sampled_from(
        ["Which port do we use?", "So the port is 80.", "It is 30 s.", "We moved to Kafka.", "- a: 1\n- a: 2"]
    ),
    st.lists(WORDS, min_size=1, max_size=9).map(" ".join),
    st.text(max_size=40),
)


@st.composite
def sessions(draw: st.DrawFn, most: int = 4) -> list[Session]:
    """Up to `most` branches, some of them forks that share messages of the first."""
    out: list[Session] = []
    for b in range(draw(st.integers(1, most))):
        cut = draw(st.integers(0, len(out[0].messages))) if out and draw(st.booleans()) else 0
        trunk = out[0].messages[:cut] if cut else ()
        own = []
        for i in range(draw(st.integers(0, 4))):
            text = " ".join(draw(st.lists(LINES, min_size=1, max_size=2)))
            channel = draw(st.sampled_from(list(Channel)))
            own.append(Message((Block(channel, text),), seq=len(trunk) + i, session=f"s{b}", id=f"s{b}-{i}"))
        out.append(Session(f"s{b}", "plain", (*trunk, *own)))
    return out


@settings(max_examples=150, deadline=None)
@given(sessions(), st.randoms(use_true_random=False))
def test_order_and_repetition_of_sessions_do_not_matter(branches, rng):
    once = extract(branches)
    again = [*branches, *rng.sample(branches, rng.randint(0, len(branches)))]
    rng.shuffle(again)
    assert extract(again).claims == once.claims
    assert extract(again).dropped == once.dropped


@settings(max_examples=150, deadline=None)
@given(sessions())
def test_every_claim_quotes_the_place_it_was_said(branches):
    blocks = {(m.key, i): b for s in branches for m in s.messages for i, b in enumerate(m.blocks)}
    for claim in extract(branches).claims:
        span, said = claim.span, claim.assertion
        block = blocks[span.message, span.block]
        assert span.quote == block.text[span.start : span.end] != ""
        assert (claim.channel, said.evidence, said.speaker) == (
            block.channel,
            block.channel.evidence,
            block.channel.speaker,
        )
        assert (said.message, said.block, said.start, said.end) == (span.message, span.block, span.start, span.end)
        assert 0 <= claim.salience <= 1


@settings(max_examples=150, deadline=None)
@given(sessions())
def test_keys_are_one_line_and_never_empty(branches):
    found = extract(branches).claims
    for claim in found:
        assert claim.key == claim.key.strip() != ""
        assert "\n" not in claim.key
        assert ": " not in claim.key
        assert claim.assertion.value
        assert claim.spelling


@settings(max_examples=100, deadline=None)
@given(st.sampled_from(SENTENCES), sessions(most=2), st.sampled_from(list(Channel)), st.sampled_from(list(Channel)))
def test_one_sentence_in_two_branches_is_one_slot_and_value(sentence, others, first, second):
    twice = [
        Session(name, "plain", (Message((Block(channel, sentence),), seq=0, session=name, id=name),))
        for name, channel in (("x", first), ("y", second))
    ]
    told = [
        {
            (c.key, c.assertion.value, c.assertion.denied)
            for c in extract([*twice, *others]).claims
            if c.span.session == s
        }
        for s in ("x", "y")
    ]
    assert told[0] == told[1]


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(SENTENCES), st.sampled_from(SENTENCES))
def test_two_sentences_stand_to_each_other_alike_in_either_order(first, second):
    assert verdict(first, second) == verdict(second, first)


@settings(max_examples=300, deadline=None)
@given(
    st.one_of(LINES, st.text(max_size=30), st.from_regex(r"[0-9]{1,4}[.,]?[0-9]{0,3} ?[a-zA-Z%]{0,8}", fullmatch=True))
)
def test_normalising_and_canonicalising_never_fail_and_say_something(text):
    assert normalise(text) or not text.strip()
    assert canonical(text).strip()


@settings(max_examples=300, deadline=None)
@given(st.text(st.sampled_from("ab. !?\n-*#`|。，1"), max_size=80))
def test_sentences_lie_in_order_and_do_not_overlap(text):
    pieces = split(text)
    assert all(0 <= p.start < p.end <= len(text) for p in pieces)
    assert all(a.end <= b.start for a, b in pairwise(pieces))
    assert all(text[p.start : p.end] == text[p.start : p.end].strip() for p in pieces)


CLAUSES = st.lists(st.lists(st.sampled_from(list("abcde")), min_size=1, max_size=6).map(tuple), max_size=9, unique=True)


def templates_of_pairs(clauses: list[tuple[str, ...]]) -> set[tuple[tuple[str, ...], tuple[str, ...], frozenset[int]]]:
    """The oracle of `align.groups`: every template that any two clauses share, with all clauses that fit it."""
    templates = {
        (one[:start], one[end:])
        for one in clauses
        for start in range(len(one))
        for end in range(start + 1, min(len(one), start + 4) + 1)
        if end - start < len(one)
    }
    out = set()
    for before, after in templates:
        holes = {}
        for i, clause in enumerate(clauses):
            hole = clause[len(before) : len(clause) - len(after)]
            fits = clause[: len(before)] == before and clause[len(clause) - len(after) :] == after
            if fits and len(before) + len(after) < len(clause) and 1 <= len(hole) <= 4:
                holes[i] = hole
        if len(holes) > 1 and len({h[0] for h in holes.values()}) > 1 and len({h[-1] for h in holes.values()}) > 1:
            out.add((before, after, frozenset(holes)))
    return out


@settings(max_examples=300, deadline=None)
@given(CLAUSES)
def test_alignment_finds_exactly_the_templates_that_comparing_all_pairs_finds(clauses):
    found = {
        (clauses[g[0].clause][: g[0].start], clauses[g[0].clause][g[0].end :], frozenset(h.clause for h in g))
        for g in align.groups(clauses)
    }
    assert found == templates_of_pairs(clauses)


@settings(max_examples=300, deadline=None)
@given(CLAUSES.filter(len), st.integers(2, 5))
def test_the_columnar_template_search_agrees_with_the_plain_one(clauses, crowd):
    np = pytest.importorskip("numpy")
    codes = {"a": 11, "b": -7, "c": 2**62, "d": 0, "e": -(2**63)}
    words = np.array([codes[w] for clause in clauses for w in clause], dtype=np.int64).view(np.uint64)
    lengths = np.array([len(clause) for clause in clauses], dtype=np.int64)
    starts = np.concatenate(([0], np.cumsum(lengths)))[:-1]
    salience = np.zeros(len(clauses), dtype=np.uint8)
    found = preselect.shares_template(words, starts, lengths, salience, crowd)
    assert found.tolist() == preselect.plainly(clauses, crowd)


@settings(max_examples=60, deadline=None)
@given(sessions())
def test_a_large_input_within_the_caps_is_read_like_a_small_one(branches):
    small = extract(branches)
    with patch.object(heuristic, "LARGE", -1):
        large = extract(branches)
    assert large.claims == small.claims
    assert large.dropped == small.dropped


@settings(max_examples=60, deadline=None)
@given(sessions(), st.randoms(use_true_random=False))
def test_beyond_the_caps_the_result_still_does_not_depend_on_order(branches, rng):
    with patch.multiple(preselect, ALIGNED=2, SALIENT=2), patch.object(heuristic, "LARGE", -1):
        once = extract(branches)
        rng.shuffle(branches)
        assert extract(branches).claims == once.claims


@settings(max_examples=40, deadline=None)
@given(sessions())
def test_a_message_beside_others_is_scanned_like_alone(branches):
    from collections import Counter

    for branch in branches:
        whole = [(s.message, s.start, s.end, s.text) for s in scan(branch, Counter())]
        alone = [
            (i, s.start, s.end, s.text)
            for i, m in enumerate(branch.messages)
            for s in scan(Session("z", "plain", (m,)), Counter())
        ]
        assert whole == alone
