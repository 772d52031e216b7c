"""The cascade counted by signatures, against every profile and every order."""

from __future__ import annotations

import math
import random
from itertools import product

import pytest

from beliefmerge.algebra.semiring import OUT, Graph, Rule, grade
from beliefmerge.scores import SCORES
from confluence.cascade import told
from confluence.cascade_counts import cascade, signatures
from confluence.cascade_reference import fixpoint, outcome, profiles, slot
from confluence.derivations import DERIVATIONS, Derivation
from confluence.representation import REPRESENTATIONS

BOTH = ("egalitarian", "elitist")
LOSSY = ("COUNT", "MAX")
ALONE = Derivation(((),))


def brute(derivation, branches, score, representation):
    """Counts and smallest profiles of each sort, one profile at a time."""
    counts, smallest = dict.fromkeys(("deleted", "resurrected", "mixed"), 0), {}
    for profile in profiles(derivation, branches):
        seen = outcome(derivation, profile, SCORES[score], representation)
        sorts = {"deleted": seen.deleted, "resurrected": seen.resurrected, "mixed": seen.deleted and seen.resurrected}
        size = sum(len(said) for claim in profile for said in claim)
        for sort in (sort for sort, holds in sorts.items() if holds):
            counts[sort] += 1
            smallest[sort] = min(smallest.get(sort, (size, profile)), (size, profile))
    return counts, {sort: profile for sort, (_, profile) in smallest.items()}


def counted(derivation, branches, score, representation):
    found = cascade(derivation, branches, SCORES[score], representation)
    assert found.total == 5 ** (branches * derivation.claims)
    return {sort: getattr(found, sort) for sort in ("deleted", "resurrected", "mixed")}, dict(found.witnesses)


@pytest.mark.parametrize("score", BOTH)
@pytest.mark.parametrize("representation", LOSSY)
def test_chain_2_is_counted_as_by_brute_force(score, representation):
    chain = DERIVATIONS["chain 2"]
    assert counted(chain, 3, score, representation) == brute(chain, 3, score, representation)


@pytest.mark.parametrize("representation", list(REPRESENTATIONS))
@pytest.mark.parametrize("graph", ["two-route", "chain 3"])
def test_three_claims_and_two_branches_are_counted_as_by_brute_force(graph, representation):
    derivation = DERIVATIONS[graph]
    assert counted(derivation, 2, "egalitarian", representation) == brute(derivation, 2, "egalitarian", representation)


@pytest.mark.parametrize("branches", [3, 4])
@pytest.mark.parametrize("score", BOTH)
@pytest.mark.parametrize("representation", list(REPRESENTATIONS))
def test_one_claim_is_counted_as_by_brute_force(score, representation, branches):
    assert counted(ALONE, branches, score, representation) == brute(ALONE, branches, score, representation)


@pytest.mark.slow
@pytest.mark.parametrize("score", BOTH)
@pytest.mark.parametrize("representation", LOSSY)
@pytest.mark.parametrize("graph", ["two-route", "chain 3"])
def test_three_claims_and_three_branches_are_counted_as_by_visiting_every_profile(graph, score, representation):
    derivation, templates = DERIVATIONS[graph], slot(3).templates()
    asserted = {}
    for said in product(templates, repeat=3):
        seen = outcome(ALONE, (said,), SCORES[score], representation)
        asserted[said] = [bool(seen.nary), *map(bool, seen.folds.values())]
    inside = {
        holds: fixpoint(derivation, {c for c in range(3) if holds[c]}) for holds in product((False, True), repeat=3)
    }
    deleted = resurrected = mixed = 0
    for slots in product(asserted.values(), repeat=3):
        nary, *folds = [inside[holds] for holds in zip(*slots, strict=True)]
        lost, gained = any(nary - fold for fold in folds), any(fold - nary for fold in folds)
        deleted, resurrected, mixed = deleted + lost, resurrected + gained, mixed + (lost and gained)
    counts, _ = counted(derivation, 3, score, representation)
    assert counts == {"deleted": deleted, "resurrected": resurrected, "mixed": mixed}


@pytest.mark.parametrize("score", BOTH)
@pytest.mark.parametrize("representation", LOSSY)
@pytest.mark.parametrize("graph", DERIVATIONS)
def test_claims_are_combined_as_by_trying_every_choice_of_signatures(graph, representation, score):
    derivation, slots = DERIVATIONS[graph], signatures(3, SCORES[score], representation)
    counts = dict.fromkeys(("deleted", "resurrected", "mixed"), 0)
    for chosen in product(slots, repeat=derivation.claims):
        asserted = [{claim for claim, bits in enumerate(chosen) if bits >> i & 1} for i in range(7)]
        nary, *folds = [fixpoint(derivation, claims) for claims in asserted]
        lost, gained = any(nary - fold for fold in folds), any(fold - nary for fold in folds)
        profiles = math.prod(slots[bits].profiles for bits in chosen)
        for sort, holds in zip(counts, (lost, gained, lost and gained), strict=True):
            counts[sort] += profiles * holds
    assert counted(derivation, 3, score, representation)[0] == counts


@pytest.mark.parametrize("graph", ["two-route", "diamond", "chain 3"])
@pytest.mark.parametrize("representation", LOSSY)
def test_rates_of_larger_graphs_are_near_those_of_drawn_profiles(graph, representation):
    derivation, draw = DERIVATIONS[graph], random.Random(5)
    templates, drawn = slot(3).templates(), 1500
    failing = 0
    for _ in range(drawn):
        profile = tuple(tuple(draw.choices(templates, k=3)) for _ in range(derivation.claims))
        seen = outcome(derivation, profile, SCORES["egalitarian"], representation)
        failing += seen.deleted or seen.resurrected
    found = cascade(derivation, 3, SCORES["egalitarian"], representation)
    rate = found.failing / found.total
    assert abs(failing / drawn - rate) < 4 * (rate * (1 - rate) / drawn) ** 0.5


@pytest.mark.parametrize("score", BOTH)
@pytest.mark.parametrize("graph", DERIVATIONS)
@pytest.mark.parametrize("representation", ["JOIN", "SCORES"])
def test_nothing_is_lost_or_gained_by_join_or_scores(graph, score, representation):
    counts, witnesses = counted(DERIVATIONS[graph], 3, score, representation)
    assert set(counts.values()) == {0}
    assert not witnesses


def test_two_weak_assertions_collapsed_by_max_delete_a_claim():
    witness = cascade(DERIVATIONS["chain 2"], 3, SCORES["egalitarian"], "MAX").witnesses["deleted"]
    seen = outcome(DERIVATIONS["chain 2"], witness, SCORES["egalitarian"], "MAX")
    assert told(witness) == "b0: c0+1, b1: c0+1, b2: c0-1"
    assert seen.nary == {0}
    assert seen.folds[0, 1, 2] == frozenset()
    assert seen.deleted
    assert not seen.resurrected


def test_assert_and_refute_cannot_be_exchanged():
    kinds = signatures(3, SCORES["egalitarian"], "MAX")
    asserted = sum(kind.profiles for bits, kind in kinds.items() if bits & 1)
    assert 2 * asserted < slot(3).total


@pytest.mark.parametrize("graph", DERIVATIONS)
def test_what_is_in_agrees_with_the_library_s_derivation(graph):
    premises = DERIVATIONS[graph].premises
    for chosen in product((False, True), repeat=len(premises)):
        asserted = {claim for claim, holds in enumerate(chosen) if holds}
        rules = [Rule(claim, body) for claim in asserted for body in premises[claim] or ((),)]
        grades = grade(Graph(len(premises), rules))
        assert fixpoint(DERIVATIONS[graph], asserted) == {c for c in asserted if grades[c] != OUT}


def test_a_second_route_holds_where_the_first_falls_and_a_diamond_needs_both_sides():
    assert fixpoint(DERIVATIONS["two-route"], {1, 2}) == {1, 2}
    assert fixpoint(DERIVATIONS["two-route"], {2}) == frozenset()
    assert fixpoint(DERIVATIONS["diamond"], {0, 1, 3}) == {0, 1}
    assert fixpoint(DERIVATIONS["diamond"], {0, 1, 2, 3}) == {0, 1, 2, 3}


def test_a_claim_may_rest_on_earlier_ones_alone():
    with pytest.raises(ValueError, match="c1 rests on a claim that does not come before it"):
        Derivation(((), ((1,),)))
