"""Spaces, multisets and codes of the confluence experiment."""

from __future__ import annotations

from collections import Counter
from itertools import combinations_with_replacement
from math import factorial, prod

import numpy as np
import pytest

from beliefmerge.algebra.decision import Stance
from beliefmerge.algebra.evidence import Trust
from beliefmerge.algebra.representation import REWRITINGS
from beliefmerge.algebra.tally import Tally
from beliefmerge.algebra.tally import decide as decide_tally
from beliefmerge.errors import UsageError
from beliefmerge.scores import SCORES
from confluence.coding import Code, Machine, Weighing
from confluence.multisets import Multisets
from confluence.orbits import symmetric
from confluence.representation import REPRESENTATIONS, decide, union
from confluence.space import SPACES, Form, Space


def test_the_seed_space_has_the_profiles_of_the_source():
    assert 2 * sum(space.total for space in SPACES["seed"].spaces) == 72_760


@pytest.mark.parametrize("form", list(Form))
def test_a_space_has_as_many_templates_as_its_formula_says(form):
    for k in (1, 2, 3):
        for e in (1, 2, 3, 4):
            space = Space(k, e, 2, form)
            templates = space.templates()
            assert len(set(templates)) == space.width
            assert templates == sorted(templates)


def test_the_wide_space_is_the_one_of_the_specification():
    spaces = SPACES["wide"].spaces
    assert {space.branches for space in spaces} == {3, 4, 5, 6}
    assert max(space.total for space in spaces) <= 10**9
    assert Space(4, 4, 3, Form.GENERAL) in spaces
    assert SPACES["huge"].spaces[0].total >= 10**12


@pytest.mark.parametrize("wrong", [(0, 1, 2), (1, 0, 2), (1, 5, 2), (1, 1, 1)])
def test_a_space_that_cannot_be_is_refused_in_one_line(wrong):
    with pytest.raises(UsageError) as refusal:
        Space(*wrong, Form.GENERAL)
    assert "\n" not in str(refusal.value)


def test_layers_hold_every_multiset_once_with_its_arrangements_and_what_is_left_without_each_element():
    width = 5
    multisets = Multisets(np.arange(width, dtype=np.uint64), np.ones(width, np.int16))
    for size in (1, 2, 3, 4):
        layer = multisets.layer(size)
        rows = list(zip(*(column.tolist() for column in layer.columns), strict=True))
        assert sorted(rows) == list(combinations_with_replacement(range(width), size))
        assert rows == sorted(rows, key=lambda row: row[::-1])
        for row, ways, key in zip(rows, layer.arrangements.tolist(), layer.keys.tolist(), strict=True):
            assert ways == factorial(size) // prod(map(factorial, Counter(row).values()))
            assert key == sum(row)
        if size > 1:
            below = list(zip(*(column.tolist() for column in multisets.layer(size - 1).columns), strict=True))
            for place, down in enumerate(layer.without):
                assert [below[rank] for rank in down] == [row[:place] + row[place + 1 :] for row in rows]


@pytest.mark.parametrize("name", SCORES.names())
@pytest.mark.parametrize("representation", REPRESENTATIONS)
def test_coded_states_are_decided_and_rewritten_as_the_plain_ones(name, representation):
    space = Space(3, 2, 4, Form.GENERAL)
    code = Code(3, 2, 4)
    machine = Machine(Weighing(code, SCORES[name]), representation)
    states = [union(pair) for pair in combinations_with_replacement(space.templates(), 2)]
    keys = np.array([code.key(state) for state in states], np.uint64)
    assert [code.state(int(key)) for key in keys] == states
    kept = [code.state(int(key)) for key in machine.rewrite(keys)]
    assert kept == [REPRESENTATIONS[representation](state, SCORES[name], 2) for state in states]
    winners = [frozenset(v for v in range(3) if int(bits) >> v & 1) for bits in machine.weighing.decide(keys)]
    assert winners == [decide(state, SCORES[name]) for state in states]


def test_classes_of_templates_are_contiguous_and_cover_them():
    classes = symmetric(Space(3, 2, 2, Form.GENERAL))
    assert [b for b, _ in classes.bounds[1:]] == [e for _, e in classes.bounds[:-1]]
    assert classes.templates[0] == ()
    assert sorted(end - begin for begin, end in classes.bounds) == [1, 1, 1, 3, 3, 3, 3, 3, 3, 6]
    assert classes.bounds[-1][1] == len(classes.templates) == 27


def test_a_space_too_large_for_the_fast_engines_says_so():
    with pytest.raises(UsageError, match="engine=reference"):
        Code(6, 4, 10)


@pytest.mark.parametrize("name", SCORES.names())
def test_the_experiment_s_summaries_are_those_of_the_algebra(name):
    score = SCORES[name]
    templates = Space(3, 2, 2, Form.GENERAL).templates()
    for state in {union(three) for three in combinations_with_replacement(templates, 3)}:
        tally = tally_of(state)
        stances = {Stance("abc"[value]) for value in decide(state, score)}
        assert decide_tally(tally, score).stances == stances
        for ours, theirs in (("COUNT", "count"), ("MAX", "max")):
            kept = REPRESENTATIONS[ours](state, score, 2)
            assert tally_of(kept).voices == REWRITINGS[theirs](tally, score).voices
        scores = tally_of(REPRESENTATIONS["SCORES"](state, score, 2))
        kept_scores = REWRITINGS["scores"](tally, score)
        assert all(scores.net(v, score) == kept_scores.net(v, score) for v in "abc")


def tally_of(state):
    """A state as the algebra's tally."""
    levels = {value: sorted((level for v, level in state if v == value), reverse=True) for value, _ in state}
    return Tally(
        {
            Stance("abc"[value]): tuple((int(Trust.EXTERNAL), level) for level in heard)
            for value, heard in levels.items()
        }
    )
