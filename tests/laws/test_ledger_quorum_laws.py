"""Who counts as an independent origin, beside trying all subsets."""

from __future__ import annotations

import random
from itertools import combinations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from beliefmerge.ledger.core import independent, likeness, quorum
from beliefmerge.ledger.core.embedding import hashing
from beliefmerge.ledger.core.quorum import Independence, Origin, independent_origins, maximum
from tests.ledger_oracle import conflict, most_independent, near_copies
from tests.ledger_strategies import HOSTS, TEXTS, Log

WORDS = [f"word{i}" for i in range(40)]
vocabulary = st.sampled_from(WORDS)
plain = st.lists(vocabulary, min_size=0, max_size=14).map(" ".join)


@st.composite
def variants(draw):
    """Texts that are near-copies of each other or nearly so."""
    base = draw(st.lists(vocabulary, min_size=8, max_size=14))
    out = []
    for _ in range(draw(st.integers(2, 7))):
        text = list(base)
        for place in draw(st.lists(st.integers(0, len(base) - 1), max_size=3)):
            text[place] = draw(vocabulary)
        out.append(" ".join(text))
    return out


@st.composite
def origins(draw):
    texts = draw(st.one_of(variants(), st.lists(plain, min_size=1, max_size=7)))
    few = st.integers(0, draw(st.integers(0, 6)))
    return [Origin(i, f"s{draw(few)}", f"d{draw(few)}.com", text) for i, text in enumerate(texts)]


def plainly(found):
    return [(o.source, o.domain, o.text) for o in found]


@given(origins())
def test_independent_origins_are_as_many_as_the_largest_subset_without_a_conflict(found):
    chosen = independent_origins(found)
    assert len(chosen) == most_independent(plainly(found))
    assert not any(conflict(a, b) for a, b in combinations(plainly(o for o in found if o.key in chosen), 2))
    assert len(maximum(found)) == len(chosen)


@given(origins())
def test_counting_as_they_come_is_counting_at_once(found):
    growing = Independence()
    for i, origin in enumerate(found, 1):
        growing.add(origin)
        assert len(growing.chosen()) == most_independent(plainly(found[:i]))


@given(origins(), st.data())
def test_the_count_does_not_depend_on_the_order(found, data):
    assert len(independent_origins(data.draw(st.permutations(found)))) == len(independent_origins(found))


@given(st.lists(st.one_of(plain, st.text(max_size=30)), min_size=2, max_size=8), variants())
def test_the_index_of_copies_loses_none(loose, close):
    texts = [*loose, *close]
    index = likeness.Copies()
    for i, text in enumerate(texts):
        document = index.read(text)
        assert [c.key for c in index.near(document)] == [j for j in range(i) if near_copies(text, texts[j])]
        index.add(i, document)


@given(
    st.one_of(plain, st.text(max_size=20)),
    st.lists(
        st.tuples(st.integers(0, 99), st.sampled_from("\u00ad\u200b\u2060\ufeff\ufe0f\u3164\U000e0041")), min_size=1
    ),
)
@example("the dam is finished", [(5, "\u00ad")])
def test_what_is_not_seen_makes_no_other_text(text, hidden):
    woven = text
    for place, character in hidden:
        at = place % (len(woven) + 1)
        woven = woven[:at] + character + woven[at:]
    assert likeness.shingles(woven) == likeness.shingles(text)


@given(st.integers(1, 9).flatmap(lambda n: st.tuples(st.just(n), st.sets(st.tuples(*[st.integers(0, n - 1)] * 2)))))
def test_maximum_independent_sets_are_maximum(graph):
    size, edges = graph
    adjacency = [0] * size
    for a, b in edges:
        if a != b:
            adjacency[a] |= 1 << b
            adjacency[b] |= 1 << a
    free = [s for s in range(1 << size) if not any(adjacency[v] & s for v in independent.bits(s))]
    found = independent.maximum(adjacency, (1 << size) - 1)
    assert found in free
    assert found.bit_count() == max(s.bit_count() for s in free)


@given(origins(), st.integers(1, 4))
def test_enough_is_as_many_as_there_are_or_the_limit(found, limit):
    chosen = maximum(found, limit=limit)
    assert min(len(chosen), limit) == min(most_independent(plainly(found)), limit)
    assert not any(conflict(a, b) for a, b in combinations(plainly(chosen), 2))
    growing = Independence(limit=limit)
    for origin in found:
        growing.add(origin)
    assert min(len(growing.chosen()), limit) == min(most_independent(plainly(found)), limit)


def drawn(size, degree):
    draw = random.Random(1)
    adjacency = [0] * size
    for _ in range(size * degree // 2):
        a, b = draw.sample(range(size), 2)
        adjacency[a] |= 1 << b
        adjacency[b] |= 1 << a
    return adjacency


@pytest.mark.timeout(20)
def test_a_hard_graph_is_given_up_and_some_independent_set_found_all_the_same():
    adjacency = drawn(256, 6)
    assert independent.maximum(adjacency, (1 << 256) - 1) is None
    some = independent.greedy(adjacency, (1 << 256) - 1)
    assert not any(adjacency[v] & some for v in independent.bits(some))
    assert all(adjacency[v] & some or some >> v & 1 for v in range(256))
    assert independent.maximum(drawn(60, 6), (1 << 60) - 1) is not None


@pytest.mark.timeout(10)
def test_many_sources_with_many_domains_are_counted_exactly_and_at_once():
    draw = random.Random(1)
    found = [Origin(i, f"s{draw.randrange(40)}", f"d{draw.randrange(40)}.com", f"a{i} b{i} c{i}") for i in range(256)]
    assert len(independent_origins(found)) == 40


@given(st.sets(st.tuples(st.integers(0, 5), st.integers(0, 5)), max_size=14))
def test_matchings_are_maximum(pairs):
    edges: dict[str, dict[str, int]] = {}
    for i, (left, right) in enumerate(sorted(pairs)):
        edges.setdefault(f"l{left}", {})[f"r{right}"] = i
    expected = most_independent([(f"s{a}", f"d{b}", f"{a} {b} text") for a, b in sorted(pairs)]) if pairs else 0
    matched = [sorted(pairs)[i] for i in independent.matching(edges)]
    assert len({a for a, _ in matched}) == len({b for _, b in matched}) == len(matched)
    assert len(matched) == expected


@given(st.integers(1, 12))
@example(9)
def test_one_domain_cannot_outvote(seals):
    log = Log()
    target = log.seal("the bridge is open", "t", "target.com")
    one = [log.seal(f"{TEXTS[i % 6]} issue {i} of {i * 7} pages", f"s{i}", f"n{i}.example.com") for i in range(seals)]
    assert log.state.judge(target, one).independent == 1
    other = log.seal(TEXTS[2], "honest", "other.org")
    assert log.state.judge(target, [*one, other]).independent == 2


def test_a_document_between_two_honest_ones_can_lose_its_own_vote_only():
    log = Log()
    target = log.seal("the bridge is open", "t", "target.com")
    left, middle, right = (" ".join(WORDS[a : a + 20]) for a in (0, 2, 4))
    assert near_copies(left, middle)
    assert near_copies(middle, right)
    assert not near_copies(left, right)
    bridge = log.seal(middle, "s1", "one.org")
    honest = [log.seal(left, "s2", "two.org"), log.seal(right, "s3", "three.org")]
    verdict = log.state.judge(target, [bridge, *honest])
    assert verdict.votes == tuple(honest)
    assert verdict.refused == {bridge: "not independent of the others"}


def test_who_has_no_vote():
    log = Log()
    target = log.seal(TEXTS[0], "s0", "a.com")
    derived = log.derive(target)
    guess = log.guess()
    own = log.seal(TEXTS[2], "s0", "own.org")
    nowhere = log.seal(TEXTS[3], "s9", "10.0.0.1")
    unlisted = log.seal(TEXTS[3], "s9", None)
    stale = log.seal(TEXTS[4], "s8", "stale.org")
    log.find(stale, "mismatch")
    good = log.seal(TEXTS[5], "s7", "good.org")
    verdict = log.state.judge(target, [target, derived, guess, own, nowhere, unlisted, stale, good, good])
    assert verdict.votes == (good,)
    assert not verdict.passed
    assert set(verdict.refused) == {target, derived, guess, own, nowhere, unlisted, stale}


def test_long_texts_that_mean_the_same_are_copies_by_embedding_and_short_ones_are_not():
    for size, expected in ((60, 1), (30, 2)):
        text = " ".join(f"w{i}" for i in range(size))
        other = " ".join(f"w{(i * 37) % size}" for i in range(size))
        assert not near_copies(text, other)
        found = [Origin(0, "a", "a.com", text), Origin(1, "b", "b.com", other)]
        assert len(independent_origins(found, hashing)) == expected
        assert len(independent_origins(found)) == 2


@pytest.mark.parametrize("limit", ["COMPARISONS", "EXACT"])
def test_past_its_limits_the_count_is_too_small_never_too_large(limit, monkeypatch):
    @given(origins())
    def never_more(found):
        chosen = [o for o in found if o.key in independent_origins(found)]
        assert not any(conflict(a, b) for a, b in combinations(plainly(chosen), 2))

    monkeypatch.setattr(quorum, limit, 0)
    never_more()


def test_every_host_of_the_strategies_but_the_address_has_a_domain():
    from beliefmerge.ledger.core.domains import registrable

    assert [registrable(f"https://{host}/") for host in HOSTS] == [
        "a.com",
        "a.com",
        "b.org",
        "c.co.uk",
        "d.net",
        "e.io",
        "github.io",
        "github.io",
        None,
    ]
