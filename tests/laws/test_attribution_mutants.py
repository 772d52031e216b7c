"""Each law of attribution can fail: a mutant of what it guards makes it fail."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from attribution import additivity, attribute, gate, stability, surrogate, target
from attribution.designs import foldover
from attribution.gate import Verdict
from tests.laws import test_attribution_laws as laws

honest_draw = foldover.draw
honest_fit = surrogate.main_effects


def pairs_shifted(entries, ablations, rng):
    """The second half is the complement, but not row by row."""
    design = honest_draw(entries, ablations, rng)
    half = ablations // 2
    return replace(design, masks=np.vstack([design.masks[:half], np.roll(design.masks[half:], 1, axis=0)]))


def halves_repeated(entries, ablations, rng):
    """The second half repeats the first."""
    design = honest_draw(entries, ablations, rng)
    return replace(design, masks=np.vstack([design.masks[: ablations // 2]] * 2))


def entries_among_the_idle(entries, ablations, rng):
    """The columns of entries are taken for idle ones."""
    design = honest_draw(entries, ablations, rng)
    idle = design.idle.copy()
    used = min(idle.shape[1], entries)
    idle[:, :used] = design.signs[:, :used]
    return replace(design, idle=idle)


def idle_halved(design, y):
    """The idle contrasts on half of their scale."""
    fitted = honest_fit(design, y)
    return replace(fitted, squares=fitted.squares / 4.0)


def unordered_columns(entries, bits, rng):
    """Columns drawn from the whole group: nothing is nested."""
    return [int(c) for c in rng.permutation(1 << bits)[:entries]]


def whatever_the_repeats_say(self, found) -> Verdict:
    return Verdict.MEASURED if found.lds >= self.lds_floor else Verdict.UNPREDICTIVE


def neighbours_for_pairs(design, y) -> float:
    """The even share over rows that are no complements."""
    total = float(np.var(y))
    return 0.0 if total == 0.0 else float(np.var((y[::2] + y[1::2]) / 2.0)) / total


def plain_odds(log_p, tokens):
    with np.errstate(divide="ignore", invalid="ignore"):
        return (log_p - np.log(-np.expm1(log_p))) / tokens


def ranks_by_order(x):
    """Ties in the order in which they come."""
    return np.argsort(np.argsort(x, kind="stable"), kind="stable") + 1.0


def one_shuffle_for_all(weights, agreement, threshold, rng, draws=500) -> float:
    """Every repeat is shuffled alike, so that they agree as before."""
    orders = [rng.permutation(weights.shape[1]) for _ in range(20)]
    return float(np.mean([stability.mean_pairwise(weights[:, order], agreement) >= threshold for order in orders]))


MUTANTS: dict[str, tuple[object, str, object, Callable[[], None]]] = {
    "pairs shifted": (
        foldover,
        "DESIGN",
        pairs_shifted,
        laws.test_a_foldover_is_orthogonal_and_pairs_each_mask_with_its_complement,
    ),
    "halves repeated": (
        foldover,
        "DESIGN",
        halves_repeated,
        laws.test_main_effects_of_a_foldover_are_orthogonal_to_every_pairwise_product,
    ),
    "entries among the idle": (
        foldover,
        "DESIGN",
        entries_among_the_idle,
        laws.test_a_foldover_is_orthogonal_and_pairs_each_mask_with_its_complement,
    ),
    "intervals too narrow": (
        surrogate,
        "main_effects",
        idle_halved,
        laws.test_coverage_of_intervals_is_near_nominal,
    ),
    "entries taken for noise": (
        foldover,
        "DESIGN",
        entries_among_the_idle,
        laws.test_coverage_of_intervals_is_near_nominal,
    ),
    "nothing nested": (foldover, "columns", unordered_columns, laws.test_early_prefixes_of_a_foldover_repeat),
    "the gate stands open": (
        gate.Gate,
        "verdict",
        whatever_the_repeats_say,
        lambda: laws.test_a_measured_step_is_above_all("spearman"),
    ),
    "even share of strangers": (
        additivity,
        "even_share",
        neighbours_for_pairs,
        laws.test_an_additive_response_has_no_even_share,
    ),
    "certain is infinite": (
        target,
        "log_odds_per_token",
        plain_odds,
        laws.test_a_certain_response_gives_no_infinity_and_a_broken_one_an_error,
    ),
    "ties in order": (
        stability,
        "spearman",
        stability.Agreement(ranks_by_order, stability._correlation),
        laws.test_agreement_is_scipys,
    ),
    "one shuffle for all": (
        stability,
        "false_pass_rate",
        one_shuffle_for_all,
        lambda: laws.test_the_null_is_that_of_shuffling_one_draw_at_a_time(stability.spearman),
    ),
    "no book": (
        attribute._Book,
        "log_p",
        lambda self, masks: self._scorer(self._step, masks).log_p,
        laws.test_repeats_do_not_share_their_masks_and_do_not_depend_on_each_other,
    ),
}


SLOW = {"one shuffle for all"}
"""Hypothesis takes its time to find their least counterexample."""


@pytest.mark.parametrize("name", [pytest.param(n, marks=pytest.mark.slow) if n in SLOW else n for n in MUTANTS])
def test_mutant_is_caught(name, monkeypatch):
    target_, attribute_, mutant, law = MUTANTS[name]
    monkeypatch.setattr(target_, attribute_, mutant)
    for module in (laws, attribute, surrogate):
        if hasattr(module, attribute_):
            monkeypatch.setattr(module, attribute_, mutant)
    with pytest.raises((AssertionError, ValueError)):
        law()
