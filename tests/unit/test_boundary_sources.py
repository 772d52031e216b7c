"""Pairs a summary confuses, overlapping sources and idempotence, against sets, lists and every order."""

from __future__ import annotations

from itertools import combinations, permutations, product

import pytest

from beliefmerge.scores import SCORES
from confluence import reference
from confluence.horizon import class_of, layers, refine
from confluence.idempotence import broken
from confluence.identified import identified
from confluence.outcomes import Folder, multisets
from confluence.overlap import disjoint_failures, joins, redelivery_failures, trunk_failures
from confluence.representation import REPRESENTATIONS, decide, union
from confluence.space import SPACES, Form, Space

BOTH = ("egalitarian", "elitist")
ALL = list(REPRESENTATIONS)
TINY = [Space(2, 2, 2, Form.GENERAL), Space(2, 1, 3, Form.GENERAL), Space(2, 2, 3, Form.WELL_FORMED)]
tiny = pytest.mark.parametrize("space", TINY, ids=str)
either = pytest.mark.parametrize("score", [SCORES[name] for name in BOTH], ids=BOTH)
every = pytest.mark.parametrize("representation", ALL)


def kept(order, representation, score, levels):
    """The accumulator, by sets of (source, assertion) for JOIN and by lists without sources for a summary."""
    if representation == "JOIN":
        together = set().union(*order)
        return together, tuple(sorted(assertion for _, assertion in together))
    accumulator = tuple(sorted(assertion for _, assertion in order[0]))
    for branch in order[1:]:
        said = tuple(assertion for _, assertion in branch)
        accumulator = REPRESENTATIONS[representation](tuple(sorted(accumulator + said)), score, levels)
    return None, accumulator


def truth(branches, score):
    return decide(tuple(sorted(assertion for _, assertion in set().union(*branches))), score)


def named(source, template):
    return {(source, assertion) for assertion in template}


@tiny
@either
@every
def test_a_shared_trunk_fails_as_often_as_counted_one_profile_at_a_time(space, score, representation):
    failing = 0
    for trunk, *own in product(space.templates(), repeat=space.branches + 1):
        branches = [named("trunk", trunk) | named(i, template) for i, template in enumerate(own)]
        ends = [kept(order, representation, score, space.levels)[1] for order in permutations(branches)]
        failing += any(decide(end, score) != truth(branches, score) for end in ends)
    assert trunk_failures(space, score, representation) == failing


@tiny
@either
@every
def test_a_second_delivery_fails_as_often_as_counted_one_profile_at_a_time(space, score, representation):
    failing = 0
    for profile in product(space.templates(), repeat=space.branches):
        branches = [named(i, template) for i, template in enumerate(profile)]
        ends = [
            kept([*order, again], representation, score, space.levels)[1]
            for order in permutations(branches)
            for again in branches
        ]
        failing += any(decide(end, score) != truth(branches, score) for end in ends)
    assert redelivery_failures(space, score, representation) == failing


@either
@every
@pytest.mark.parametrize("space", [space for space in SPACES["small"].spaces if space.total <= 343], ids=str)
def test_disjoint_sources_fail_as_often_as_the_reference_says(space, score, representation):
    assert disjoint_failures(space, score, representation) == reference.failures(space, score, representation)


@either
@pytest.mark.parametrize("space", SPACES["small"].spaces, ids=str)
def test_scores_fail_only_where_sources_overlap_and_join_nowhere(space, score):
    assert disjoint_failures(space, score, "SCORES") == 0
    assert trunk_failures(space, score, "JOIN") == redelivery_failures(space, score, "JOIN") == 0
    if space.values > 1:
        assert trunk_failures(space, score, "SCORES") > 0
        assert redelivery_failures(space, score, "SCORES") > 0


@pytest.mark.parametrize(("values", "failing"), [(2, 4), (3, 54)])
def test_two_branches_can_fail_under_max(values, failing):
    space = Space(values, 2, 2, Form.GENERAL)
    assert disjoint_failures(space, SCORES["egalitarian"], "MAX") == failing
    assert disjoint_failures(space, SCORES["egalitarian"], "COUNT") == 0


@tiny
@either
@pytest.mark.parametrize("summary", ["COUNT", "MAX", "SCORES"])
def test_pairs_are_identified_when_two_folds_end_alike_and_wrongly_when_a_continuation_parts_them(
    space, score, summary
):
    automaton = layers(space)
    found = identified(
        Folder(summary, score, space.levels), space.templates(), class_of(automaton, refine(automaton, score))
    )
    for one in found:
        folds = {}
        for order in product(space.templates(), repeat=one.layer):
            folds.setdefault(union(order), set()).add(reference.fold(order, space, score, summary))
        pairs = list(combinations(folds, 2))
        together = [(a, b) for a, b in pairs if folds[a] & folds[b]]
        more = [union(branches) for branches in product(space.templates(), repeat=space.branches - one.layer)]
        wrong = [
            (a, b)
            for a, b in together
            if any(decide(union((a, n)), score) != decide(union((b, n)), score) for n in more)
        ]
        assert (one.pairs, one.together, one.wrong) == (len(pairs), len(together), len(wrong))
    assert [one.layer for one in found] == list(range(1, space.branches + 1))


@either
@pytest.mark.parametrize("space", SPACES["small"].spaces, ids=str)
def test_scores_never_identify_states_that_a_continuation_parts(space, score):
    automaton = layers(space)
    classes = class_of(automaton, refine(automaton, score))
    assert all(one.wrong == 0 for one in identified(Folder("SCORES", score, space.levels), space.templates(), classes))


def test_layers_with_too_many_states_have_no_pairs(monkeypatch):
    monkeypatch.setattr("confluence.identified.MOST_STATES", 20)
    automaton = layers(TINY[0])
    classes = class_of(automaton, refine(automaton, SCORES["elitist"]))
    assert len(identified(Folder("MAX", SCORES["elitist"], 2), TINY[0].templates(), classes)) == 1


@tiny
@either
@pytest.mark.parametrize("representation", ["JOIN", "COUNT", "MAX"])
def test_idempotence_breaks_as_often_as_counted_one_profile_at_a_time(space, score, representation):
    state = decision = redelivered = 0
    rewrite = REPRESENTATIONS[representation]
    for profile in product(space.templates(), repeat=space.branches):
        x = tuple(sorted(assertion for branch in profile for assertion in branch))
        once = rewrite(x, score, space.levels)
        state += once != x
        decision += decide(once, score) != decide(x, score)
        branches = [named(i, template) for i, template in enumerate(profile)]
        redelivered += any(
            decide(kept(order, representation, score, space.levels)[1], score)
            != decide(kept([*order, again], representation, score, space.levels)[1], score)
            for order in permutations(branches)
            for again in branches
        )
    found = broken(space, score, representation)
    assert (found.total, found.state, found.decision, found.redelivered) == (space.total, state, decision, redelivered)


@pytest.mark.parametrize("space", SPACES["small"].spaces, ids=str)
def test_idempotence_holds_for_join_and_the_decision_of_count_and_fails_for_max_under_egalitarian_alone(space):
    for score in BOTH:
        join, count = (broken(space, SCORES[score], name) for name in ("JOIN", "COUNT"))
        assert (join.state, join.decision, join.redelivered, count.decision) == (0, 0, 0, 0)
    assert broken(space, SCORES["elitist"], "MAX").decision == 0


def test_collapsing_by_max_turns_a_tie_of_two_weak_and_one_strong_into_a_win():
    score, tie = SCORES["egalitarian"], ((0, 1), (0, 1), (1, 2))
    once = REPRESENTATIONS["MAX"](tie, score, 2)
    assert (decide(tie, score), decide(once, score)) == ({0, 1}, {1})
    assert broken(Space(2, 2, 3, Form.WELL_FORMED), score, "MAX").decision > 0


def test_a_branch_that_comes_again_breaks_a_tie_of_counts():
    folder = Folder("COUNT", SCORES["elitist"], 1)
    (tie,) = folder.ends((((0, 1),), ((1, 1),)))
    assert (folder.decide(tie), folder.decide(folder.step(tie, ((0, 1),)))) == ({0, 1}, {0})


@tiny
def test_multisets_with_their_orders_are_all_profiles(space):
    listed = list(multisets(space.templates(), space.branches))
    assert sum(orders for _, orders in listed) == space.total
    for branches, orders in listed:
        assert orders == len(set(permutations(branches)))


def test_joins_over_all_orders_end_in_one_union():
    branches = [frozenset({(i, (0, 1)), (9, (1, 1))}) for i in range(4)]
    assert joins(branches) == {frozenset().union(*branches)}
