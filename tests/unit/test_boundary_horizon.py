"""State counts on bounded horizons, against continuations listed one by one."""

from __future__ import annotations

from itertools import product

import pytest

from beliefmerge.scores import SCORES
from confluence.horizon import additive, counts, difference, layers, refine, size
from confluence.representation import decide, union
from confluence.space import SPACES, Form, Space

BOTH = ("egalitarian", "elitist")
EXAMPLE = Space(3, 2, 4, Form.WELL_FORMED)
FEW = [space for space in SPACES["small"].spaces if space.total <= 729]


def counted(space, score):
    automaton = layers(space)
    return counts(space, SCORES[score], automaton, refine(automaton, SCORES[score]))


def parted(space, layer, score):
    """Partition of a layer by what every continuation decides, all of them tried."""
    left = space.branches - layer.depth
    continuations = [union(branches) for branches in product(space.templates(), repeat=left)]
    return [tuple(decide(union((state, more)), score) for more in continuations) for state in layer.states]


def test_the_worked_example_comes_out():
    layer = counted(EXAMPLE, "egalitarian")
    assert [one.differences for one in layer] == [1, 7, 25, 56, 98]
    assert [one.minimal for one in layer] == [1, 7, 25, 35, 8]


@pytest.mark.parametrize("score", BOTH)
@pytest.mark.parametrize("space", FEW, ids=str)
def test_refinement_parts_exactly_what_some_continuation_parts(space, score):
    automaton = layers(space)
    for layer, classes in zip(automaton, refine(automaton, SCORES[score]), strict=True):
        told = parted(space, layer, SCORES[score])
        assert len(set(classes)) == len(set(told)) == len(set(zip(classes, told, strict=True)))


@pytest.mark.parametrize("space", FEW, ids=str)
def test_a_layer_holds_the_sums_of_so_many_templates(space):
    for layer in layers(space):
        sums = {union(branches) for branches in product(space.templates(), repeat=layer.depth)}
        assert set(layer.states) == sums
        assert len(layer.states) == len(sums)


@pytest.mark.parametrize("score", BOTH)
@pytest.mark.parametrize("space", SPACES["small"].spaces, ids=str)
def test_the_formula_bounds_the_minimum_and_meets_it_once_enough_branches_are_to_come(space, score):
    for one in counted(space, score):
        assert one.minimal <= one.differences <= one.states
        assert (one.minimal == one.differences) == (one.remaining >= one.enough)


@pytest.mark.parametrize("score", BOTH)
@pytest.mark.parametrize("form", list(Form))
@pytest.mark.parametrize(("values", "levels"), [(2, 1), (2, 2), (2, 3), (3, 1), (3, 2), (4, 1)])
def test_what_is_enough_is_the_least_horizon_that_reaches_the_formula(values, levels, form, score):
    longest = 3 if form is Form.GENERAL else 6
    for branches in range(2, longest + 1):
        for one in counted(Space(values, levels, branches, form), score):
            assert (one.minimal == one.differences) == (one.remaining >= one.enough)


class Weights:
    """A score that adds up, with these weights for levels 1, 2, …"""

    name = "weights"

    def __init__(self, *weights):
        self.weights = weights

    def total(self, levels):
        return (sum(self.weights[level - 1] for level in levels),)


@pytest.mark.parametrize("form", list(Form))
@pytest.mark.parametrize("weights", [(1, 1), (2, 2, 2), (1, 3, 3), (1, 1, 2)])
def test_what_is_enough_depends_on_whether_levels_weigh_alike(weights, form):
    space, score = Space(2, len(weights), 4 if form is Form.WELL_FORMED else 3, form), Weights(*weights)
    automaton = layers(space)
    for one in counts(space, score, automaton, refine(automaton, score)):
        assert (one.minimal == one.differences) == (one.remaining >= one.enough)


@pytest.mark.parametrize("score", BOTH)
def test_equal_differences_are_one_class(score):
    automaton = layers(EXAMPLE)
    for layer, classes in zip(automaton, refine(automaton, SCORES[score]), strict=True):
        by_difference = {}
        for state, number in zip(layer.states, classes, strict=True):
            assert by_difference.setdefault(difference(state, EXAMPLE, SCORES[score]), number) == number


def test_with_no_branch_to_come_the_classes_are_the_decisions():
    assert counted(EXAMPLE, "elitist")[-1].minimal == 2**3


def test_one_value_needs_two_states_however_long_it_goes_on():
    assert {one.minimal for one in counted(Space(1, 4, 6, Form.GENERAL), "egalitarian")[1:]} == {2}


def test_no_formula_is_claimed_for_a_score_that_does_not_add_up():
    space = Space(2, 4, 3, Form.WELL_FORMED)
    assert not additive(space, SCORES["capped"])
    assert {(one.differences, one.enough) for one in counted(space, "capped")} == {(None, None)}
    assert all(additive(space, SCORES[score]) for score in BOTH)


@pytest.mark.parametrize("space", SPACES["small"].spaces, ids=str)
def test_the_size_of_an_automaton_is_known_before_it_is_built(space):
    assert size(space) == sum(map(len, layers(space)[-2].moves))
