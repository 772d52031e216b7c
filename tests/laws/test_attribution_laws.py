"""Attribution against its oracles: least squares, exact values, and the properties of the fold-over."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from attribution.additivity import even_share, extra_masks, pairs
from attribution.attribute import Settings, attribute
from attribution.compare import measured
from attribution.design import DESIGNS, Design, room_for
from attribution.designs.foldover import rank
from attribution.edges import MISSING, rows
from attribution.gate import Gate, Stability, Verdict
from attribution.planted import KINDS, Term, Truth, planted_step, planted_steps, truth
from attribution.scorers.planted import Planted
from attribution.stability import AGREEMENTS, concordance, false_pass_rate, mean_pairwise, pearson, spearman
from attribution.surrogate import lasso, main_effects
from attribution.target import log_odds_per_token, log_probability
from attribution.values import banzhaf, every_mask, shapley
from beliefmerge.errors import UsageError

sizes = st.integers(1, 40).flatmap(
    lambda d: st.tuples(st.just(d), st.integers(0, 2).map(lambda k: room_for(d, intervals=False) << k))
)
seeds = st.integers(0, 2**32)


def foldover(entries: int, ablations: int, seed: int) -> Design:
    return DESIGNS["foldover"](entries, ablations, np.random.default_rng(seed))


# the design


@given(sizes, seeds)
def test_a_foldover_is_orthogonal_and_pairs_each_mask_with_its_complement(size, seed):
    entries, ablations = size
    design = foldover(entries, ablations, seed)
    half = ablations // 2
    assert (design.masks[:half] == ~design.masks[half:]).all()
    every = np.hstack([np.ones((ablations, 1)), design.signs, design.idle])
    assert np.array_equal(every.T @ every, ablations * np.eye(every.shape[1]))


@given(sizes, seeds)
def test_main_effects_of_a_foldover_are_orthogonal_to_every_pairwise_product(size, seed):
    entries, ablations = size
    signs = foldover(entries, ablations, seed).signs
    for a, b in itertools.islice(itertools.combinations(range(entries), 2), 40):
        assert not (signs.T @ (signs[:, a] * signs[:, b])).any()


@given(sizes, seeds)
def test_no_mask_comes_twice_where_the_entries_can_span_the_rows(size, seed):
    entries, ablations = size
    masks = foldover(entries, ablations, seed).masks
    bits = (ablations // 2).bit_length() - 1
    if entries > bits + 2:
        assert len(np.unique(masks, axis=0)) == ablations


@given(st.integers(8, 64), seeds)
def test_early_prefixes_of_a_foldover_repeat(entries, seed):
    masks = foldover(entries, room_for(entries), seed).masks
    assert len(np.unique(masks[:, :4], axis=0)) <= 8
    assert len(np.unique(masks[:, :2], axis=0)) <= 4


@pytest.mark.parametrize(("entries", "ablations"), [(5, 8), (5, 24), (4, 7), (3, 0)])
def test_a_foldover_of_the_wrong_size_is_refused_with_the_right_one(entries, ablations):
    with pytest.raises(UsageError, match="power of two"):
        foldover(entries, ablations, 0)


def test_rank_counts_independent_bit_vectors():
    assert rank([0, 1, 2, 3]) == 2
    assert rank([5, 6, 3]) == 2
    assert rank([1, 2, 4, 8]) == 4


# the surrogate


@given(sizes, seeds)
def test_contrasts_are_least_squares(size, seed):
    entries, ablations = size
    design = foldover(entries, ablations, seed)
    y = np.random.default_rng(seed).normal(size=ablations)
    fitted = main_effects(design, y)
    x = np.hstack([np.ones((ablations, 1)), design.masks])
    twin, *_ = np.linalg.lstsq(x, y, rcond=None)
    assert np.allclose(fitted.predict(design.masks), x @ twin)
    if np.linalg.matrix_rank(x) == entries + 1:
        assert np.allclose(fitted.effects, twin[1:])


@given(st.integers(2, 9), seeds)
@settings(max_examples=25)
def test_main_effects_over_all_masks_are_banzhaf_values(entries, seed):
    masks = every_mask(entries)
    y = np.random.default_rng(seed).normal(size=len(masks))
    assert np.allclose(main_effects(Design("all", masks, paired=True), y).effects, banzhaf(y))


@given(st.sampled_from(KINDS), st.integers(5, 10), seeds)
@settings(max_examples=25)
def test_a_planted_truth_states_its_own_banzhaf_values(kind, entries, seed):
    drawn = truth(kind, entries, np.random.default_rng(seed))
    assert np.allclose(drawn.banzhaf(entries), banzhaf(drawn.clean(every_mask(entries))))


@given(st.integers(1, 7), seeds)
@settings(max_examples=25)
def test_shapley_values_are_the_mean_gain_over_all_orders(players, seed):
    values = np.random.default_rng(seed).normal(size=1 << players)
    gains = np.zeros(players)
    if players > 5:
        assert math.isclose(shapley(values).sum(), values[-1] - values[0], abs_tol=1e-9)
        return
    orders = list(itertools.permutations(range(players)))
    for order in orders:
        subset = 0
        for player in order:
            gains[player] += values[subset | 1 << player] - values[subset]
            subset |= 1 << player
    assert np.allclose(shapley(values), gains / len(orders))


def test_the_lasso_leaves_bystanders_at_nothing():
    design = DESIGNS["bernoulli"](32, 128, np.random.default_rng(1))
    drawn = Truth("linear", (Term("sum", (3, 9), (2.0, 1.0)),))
    effects = lasso(design.masks, drawn.clean(design.masks)).effects
    assert np.argsort(-effects)[:2].tolist() == [3, 9]
    assert np.abs(np.delete(effects, [3, 9])).max() < 0.05


# the target


@given(st.floats(-1e4, 0.0), st.integers(1, 500))
def test_log_odds_are_finite_and_invert(log_p, tokens):
    odds = log_odds_per_token(np.array([log_p]), tokens)
    assert np.isfinite(odds).all()
    if log_p < -1e-3:
        assert np.allclose(log_probability(odds, tokens), log_p, rtol=1e-6)


def test_a_certain_response_gives_no_infinity_and_a_broken_one_an_error():
    assert np.isfinite(log_odds_per_token(np.array([0.0, -1e-30, 1e-6]), 1)).all()
    for bad in (float("nan"), float("-inf"), 0.5):
        with pytest.raises(ValueError, match="finite"):
            log_odds_per_token(np.array([bad]), 1)


# additivity


@given(st.integers(2, 32), seeds)
@settings(max_examples=25)
def test_an_additive_response_has_no_even_share(entries, seed):
    rng = np.random.default_rng(seed)
    design = foldover(entries, room_for(entries), seed)
    assert even_share(design, design.masks @ rng.normal(size=entries)) < 1e-9


@pytest.mark.parametrize("kind", ["redundant", "conjunctive", "saturating"])
@pytest.mark.parametrize("entries", [12, 32, 128])
def test_planted_redundancy_is_flagged(kind, entries):
    for seed in range(3):
        step = planted_step(kind, entries, np.random.default_rng(seed), name="s")
        assert attribute(step, Planted(), Settings(repeats=2)).stability.even_share > 0.15


def test_pairwise_terms_find_who_shares_and_who_needs_whom():
    drawn = Truth("mixed", (Term("any", (0, 5), (2.0,)), Term("all", (2, 7), (2.0,))))
    masks = extra_masks(10, [0, 2, 5, 7], 200, np.random.default_rng(0))
    found = {(pair.a, pair.b): pair for pair in pairs(masks, drawn.clean(masks), [0, 2, 5, 7])}
    assert found[0, 5].joint == pytest.approx(-2.0, abs=0.01)
    assert found[0, 5].shares
    assert found[0, 5].both == pytest.approx(2.0, abs=0.01)
    assert found[2, 7].joint == pytest.approx(2.0, abs=0.01)
    assert not found[2, 7].shares
    assert abs(found[0, 2].joint) < 0.01


# agreement


@given(st.lists(st.tuples(st.integers(-5, 5), st.integers(-5, 5)), min_size=3, max_size=20))
def test_agreement_is_scipys(points):
    from scipy.stats import spearmanr

    x, y = np.array(points, float).T
    if np.ptp(x) and np.ptp(y):
        assert spearman(x, y) == pytest.approx(spearmanr(x, y).statistic)
    assert -1.000001 <= concordance(x, y) <= abs(pearson(x, y)) + 1e-9 or not (np.ptp(x) and np.ptp(y))


def test_concordance_is_one_for_equal_values_only():
    x = np.arange(5.0)
    assert concordance(x, x) == pytest.approx(1.0)
    assert concordance(x, x + 1) < 1.0 == pytest.approx(pearson(x, x + 1))


@pytest.mark.parametrize("agreement", [spearman, concordance])
@given(seed=seeds, entries=st.integers(2, 12))
@settings(max_examples=10)
def test_the_null_is_that_of_shuffling_one_draw_at_a_time(agreement, seed, entries):
    weights = np.round(np.random.default_rng(seed).normal(size=(3, entries)), 1)
    fast = false_pass_rate(weights, agreement, 0.2, np.random.default_rng(seed), draws=400)
    rng = np.random.default_rng(seed + 1)
    passed = [mean_pairwise(np.vstack([rng.permutation(w) for w in weights]), agreement) >= 0.2 for _ in range(400)]
    assert fast == pytest.approx(np.mean(passed), abs=0.15)


@pytest.mark.parametrize("agreement", [spearman, concordance])
def test_pure_noise_passes_the_threshold_hardly_ever(agreement):
    rng = np.random.default_rng(0)
    rates = [false_pass_rate(rng.normal(size=(3, 12)), agreement, 0.6, rng, draws=200) for _ in range(5)]
    assert max(rates) <= 0.05


# the gate

shares = st.floats(-1.0, 1.0)


@given(st.builds(Stability, shares, shares, shares, shares, shares, st.none() | st.floats(0, 1), st.floats(-1, 5)))
@pytest.mark.parametrize("kind", AGREEMENTS)
def test_a_measured_step_is_above_all(kind, found):
    gate = Gate(kind)
    agreement = found.rho if kind == "spearman" else found.concordance
    above = (
        found.whole >= gate.whole_floor,
        found.even_share is None or found.even_share <= gate.even_share,
        agreement >= gate.threshold,
        found.lds >= gate.lds_floor,
    )
    assert (gate.verdict(found) is Verdict.MEASURED) == all(above)


# whole steps


def test_a_linear_step_passes_by_concordance_and_its_intervals_hold_the_truth():
    (step,) = planted_steps(["linear"], [32], 0, noise=0.1)
    found = attribute(step, Planted())
    assert found.stability.concordance > 0.9
    assert found.design == "foldover"
    assert found.degrees == 3 * (64 - 32)
    assert np.mean(np.abs(found.effects - step.truth.banzhaf(32)) <= found.half_width) >= 0.9


def test_two_copies_share_credit_where_leave_one_out_gives_both_nothing():
    (step,) = planted_steps(["redundant"], [12], 0)
    found = attribute(step, Planted())
    a, b = sorted(step.truth.sources)
    assert found.loo[[a, b]] == pytest.approx([0.0, 0.0], abs=1e-6)
    assert found.weights[[a, b]] == pytest.approx([0.5, 0.5], abs=0.01)
    (pair,) = found.shared
    assert (pair.a, pair.b, pair.shares) == (a, b, True)
    assert found.verdict is Verdict.NOT_ADDITIVE


def test_noise_turns_the_gate_down():
    quiet, loud = (planted_steps(["linear"], [12], 1, noise=noise)[0] for noise in (0.02, 6.0))
    assert attribute(quiet, Planted()).verdict is Verdict.MEASURED
    found = attribute(loud, Planted())
    assert found.stability.rho < 0.6
    assert found.verdict is not Verdict.MEASURED


def test_the_gate_passes_pure_noise_in_at_most_one_case_in_twenty():
    noise = [Truth("linear", (Term("sum", (0,), (0.0,)),), 1.0, seed) for seed in range(60)]
    passed = 0
    for seed, drawn in enumerate(noise):
        step = planted_step("linear", 12, np.random.default_rng(seed), name=f"noise-{seed}")
        object.__setattr__(step, "truth", drawn)
        passed += attribute(step, Planted(), Settings(repeats=3)).verdict is Verdict.MEASURED
    assert passed <= 3


def test_coverage_of_intervals_is_near_nominal():
    inside = total = 0
    for seed in range(12):
        for step in planted_steps(KINDS, [12, 32], seed, noise=0.2):
            found = attribute(step, Planted())
            truth_ = step.truth.banzhaf(len(step.entries))
            inside += int(np.sum(np.abs(found.effects - truth_) <= found.half_width))
            total += len(truth_)
    assert 0.90 <= inside / total <= 0.98


def test_repeats_do_not_share_their_masks_and_do_not_depend_on_each_other():
    (step,) = planted_steps(["linear"], [32], 0)
    three, two = (attribute(step, Planted(), Settings(repeats=r)) for r in (3, 2))
    assert np.array_equal(three.repeats[:2], two.repeats)
    assert three.scored > 3 * 128


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("entries", [5, 12])
def test_rounding_makes_no_entry_a_missing_edge(kind, entries):
    for step in (planted_steps([kind], [entries], seed)[0] for seed in range(6)):
        assert all(row["low_ppm"] > 0 for row in rows(attribute(step, Planted())) if row["verdict"] == MISSING)


def test_where_every_context_was_tried_no_interval_is_said_to_cover():
    (step,) = planted_steps(["linear"], [5], 0, noise=0.2)
    found = attribute(step, Planted())
    assert (found.ablations, found.half_width) == (32, 0.0)
    assert found.effects == pytest.approx(banzhaf(step.truth.log_odds(every_mask(5))))
    assert measured(found)["coverage"] is None


def test_too_few_ablations_fall_back_to_bernoulli_and_show_no_interval():
    (step,) = planted_steps(["linear"], [32], 0)
    found = attribute(step, Planted(), Settings(ablations=48))
    assert (found.design, found.half_width, found.stability.even_share) == ("bernoulli", None, None)


def test_a_step_of_two_entries_is_tried_whole():
    (step,) = planted_steps(["redundant"], [2], 0)
    found = attribute(step, Planted())
    assert (found.ablations, found.half_width) == (4, 0.0)
