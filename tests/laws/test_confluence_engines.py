"""Each engine of the confluence experiment against the one before."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import combinations_with_replacement
from math import factorial, prod

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from beliefmerge.scores import SCORES
from confluence import reference
from confluence.counterexample import minimal, order_of
from confluence.engine import Family, pieces
from confluence.representation import REPRESENTATIONS
from confluence.space import SPACES, Form, Shape, Space
from confluence.work import ENGINES, Task, Worker, plan, profile_from

KNOWN = {
    (3, 2, Form.GENERAL, "egalitarian"): (0, 7_740, 8_034),
    (3, 2, Form.GENERAL, "elitist"): (0, 7_794, 7_620),
    (3, 2, Form.WELL_FORMED, "egalitarian"): (0, 54, 90),
    (3, 2, Form.WELL_FORMED, "elitist"): (0, 36, 72),
    (2, 4, Form.GENERAL, "egalitarian"): (0, 4_488, 3_594),
    (2, 4, Form.GENERAL, "elitist"): (0, 3_276, 3_240),
    (2, 4, Form.WELL_FORMED, "egalitarian"): (0, 90, 114),
    (2, 4, Form.WELL_FORMED, "elitist"): (0, 72, 96),
}


def by_engine(engine, tasks):
    """(failures, total, counterexample) of each task."""
    worker = Worker(tasks, engine)
    found = [[0, 0, None] for _ in tasks]
    for block in plan(tasks, engine):
        for row in worker.do(block):
            mine, profile = found[row["task"]], profile_from(row["counterexample"])
            mine[0] += int(row["failures"])
            mine[1] += int(row["total"])
            mine[2] = min((p for p in (mine[2], profile) if p is not None), key=order_of, default=None)
    return [tuple(f) for f in found]


def seed_tasks():
    return [
        Task(Space(k, e, 3, form), score, representation)
        for k, e, form, score in KNOWN
        for representation in ("JOIN", "COUNT", "MAX")
    ]


@pytest.mark.parametrize("engine", ["orbits", "automaton", pytest.param("reference", marks=pytest.mark.slow)])
def test_the_seed_space_gives_the_known_table_to_the_unit(engine):
    counts = iter(failures for failures, _, _ in by_engine(engine, seed_tasks()))
    assert {key: (next(counts), next(counts), next(counts)) for key in KNOWN} == KNOWN


@pytest.mark.parametrize("shape", list(Shape))
@pytest.mark.parametrize("space", SPACES["small"].spaces, ids=lambda s: f"k{s.values}E{s.levels}n{s.branches}{s.form}")
def test_fast_engines_agree_with_the_brute_force_on_small_spaces(space, shape):
    tasks = [Task(replace(space, shape=shape), score, rep) for score in SCORES.names() for rep in REPRESENTATIONS]
    expected = by_engine("reference", tasks)
    assert by_engine("automaton", tasks) == expected
    assert by_engine("orbits", tasks) == expected
    assert {total for _, total, _ in expected} == {space.total}


@st.composite
def spaces(draw):
    space = Space(
        draw(st.integers(1, 4)), draw(st.integers(1, 4)), draw(st.integers(2, 5)),
        draw(st.sampled_from(Form)), draw(st.sampled_from(Shape)),
    )  # fmt: skip
    while space.total > (600 if space.branches < 5 else 60):
        space = replace(space, branches=space.branches - 1) if space.branches > 2 else replace(space, values=1)
    return space


@settings(max_examples=40, deadline=None)
@given(spaces(), st.sampled_from(SCORES.names()), st.sampled_from(list(REPRESENTATIONS)))
def test_engines_agree_on_any_space(space, score, representation):
    tasks = [Task(space, score, representation)]
    expected = by_engine("reference", tasks)
    assert by_engine("automaton", tasks) == expected
    assert by_engine("orbits", tasks) == expected


@pytest.mark.parametrize("shape", list(Shape))
@pytest.mark.parametrize("representation", ["JOIN", "SCORES"])
def test_what_is_certified_not_to_fail_does_not_fail_when_enumerated(representation, shape):
    for space in SPACES["small"].spaces:
        for name in SCORES.names():
            family = Family(space, space.branches, symmetry=True, certify=False)
            every = list(pieces(family.classes, space.branches))
            assert family.count(every, space.branches, SCORES[name], representation, shape).failures == 0
            assert family.automaton(SCORES[name], representation, shape).machine.cannot_fail()


class Pairs:
    """A score that a later witness shows to have forgotten something: only pairs of witnesses count."""

    name = "pairs"

    def total(self, levels):
        return (len(levels) // 2,)


def test_no_certificate_is_given_where_a_score_forgets_what_matters_later():
    space, score = Space(2, 1, 4, Form.GENERAL), Pairs()
    family = Family(space, 4, symmetry=True)
    counted = family.count(list(pieces(family.classes, 4)), 4, score, "SCORES", Shape.FOLD)
    assert not family.automaton(score, "SCORES", Shape.FOLD).machine.cannot_fail()
    assert counted.failures == reference.failures(space, score, "SCORES") > 0


def test_however_the_last_layer_is_cut_the_pieces_add_up():
    space = Space(3, 2, 4, Form.WELL_FORMED)
    family = Family(space, 4, symmetry=True)
    counts = set()
    for most in (1, 7, 1_000):
        counted = family.count(list(pieces(family.classes, 4, most)), 4, SCORES["elitist"], "COUNT", Shape.FOLD)
        counts.add((counted.failures, counted.total, minimal(counted.minimal, 3)))
    assert len(counts) == 1


def test_a_fold_is_a_merge_tree():
    for space in SPACES["small"].spaces:
        for rep in ("COUNT", "MAX"):
            fold, tree = by_engine("orbits", [Task(replace(space, shape=shape), "egalitarian", rep) for shape in Shape])
            assert fold[0] <= tree[0]


@pytest.mark.parametrize("branches", [4, 5])
def test_merge_trees_that_are_no_folds_are_counted_where_they_matter(branches):
    space, score = Space(2, 2, branches, Form.GENERAL, Shape.TREE), SCORES["egalitarian"]
    expected = sum(
        factorial(branches) // prod(map(factorial, Counter(profile).values()))
        for profile in combinations_with_replacement(space.templates(), branches)
        if reference.fails(profile, space, score, "MAX")
    )
    fold = by_engine("orbits", [Task(replace(space, shape=Shape.FOLD), "egalitarian", "MAX")])[0][0]
    for engine in ("automaton", "orbits"):
        (tree,) = by_engine(engine, [Task(space, "egalitarian", "MAX")])
        assert fold < tree[0] == expected


def test_two_branches_can_fail_under_max_and_never_under_count():
    two, three = Space(2, 2, 2, Form.GENERAL), Space(3, 2, 2, Form.GENERAL)
    tasks = [Task(space, "egalitarian", rep) for space in (two, three) for rep in ("MAX", "COUNT")]
    assert [failures for failures, _, _ in by_engine("orbits", tasks)] == [4, 0, 54, 0]


def test_the_counterexample_of_the_source_is_the_minimal_one():
    count, largest = by_engine(
        "orbits", [Task(Space(2, 2, 3, Form.WELL_FORMED), "egalitarian", rep) for rep in ("COUNT", "MAX")]
    )
    assert count[2] == (((0, 1),), ((0, 1),), ((1, 2),))
    assert largest[2] == (((0, 1),), ((0, 1),), ((1, 1),))


def test_every_engine_is_tested_here():
    assert set(ENGINES) == {"orbits", "automaton", "reference"}


@pytest.mark.parametrize("shape", list(Shape))
@pytest.mark.parametrize("representation", ["COUNT", "MAX"])
def test_reachable_sets_are_where_the_brute_force_ends(representation, shape):
    space, score = Space(2, 2, 5, Form.GENERAL, shape), SCORES["egalitarian"]
    family = Family(space, 5, symmetry=False)
    automaton = family.automaton(score, representation, shape)
    merged = reference.folds if shape is Shape.FOLD else reference.trees
    for size in (2, 3, 4):
        reach, layer = automaton.layer(size), family.multisets.layer(size)
        rows = zip(*(column.tolist() for column in layer.columns), strict=True)
        for row, number in zip(rows, reach.of.tolist(), strict=True):
            profile = tuple(family.classes.templates[t] for t in row)
            states = {family.code.state(int(reach.states[member])) for member in reach.members(number)}
            assert states == set(merged(profile, space, score, representation))
