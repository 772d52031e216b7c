"""Intervals against SciPy and against published values."""

from __future__ import annotations

import math

import pytest

from experiment.intervals import Interval, clopper_pearson, clustered, paired, student_quantile, t


@pytest.mark.parametrize("degrees", [1, 2, 3, 4, 5, 9, 30, 199])
@pytest.mark.parametrize("probability", [0.6, 0.95, 0.975, 0.9995])
def test_student_quantile_agrees_with_scipy(degrees, probability):
    from scipy.stats import t as student

    assert student_quantile(probability, degrees) == pytest.approx(student.ppf(probability, degrees), rel=1e-9)


def test_t_interval_agrees_with_scipy():
    from scipy import stats

    values = [0.2, 0.5, 0.4, 0.9, 0.3]
    low, high = stats.t.interval(0.95, 4, loc=sum(values) / 5, scale=stats.sem(values))
    found = t(values)
    assert (found.low, found.high) == pytest.approx((low, high))
    assert found.n == 5
    assert found.few


def test_one_value_has_a_mean_and_no_limits():
    assert t([0.5]) == Interval(0.5, None, None, 1)


def test_equal_values_give_an_interval_of_no_width():
    assert (t([1.0] * 4).low, t([1.0] * 4).high) == (1.0, 1.0)


def test_limits_are_clipped_to_the_range_of_the_quantity():
    clipped = Interval(0.9, 0.7, 1.1, 5).clipped(0, 1)
    assert (clipped.low, clipped.high) == (0.7, 1.0)


def test_a_paired_interval_is_that_of_the_differences():
    assert paired([0.9, 0.8, 0.7], [0.1, 0.3, 0.2]) == t([0.8, 0.5, 0.5])


def test_pairs_of_unequal_length_are_refused():
    with pytest.raises(ValueError):
        paired([1.0, 2.0], [1.0])


def test_no_values_are_refused():
    with pytest.raises(ValueError, match="no values"):
        t([])


@pytest.mark.parametrize(("successes", "trials"), [(0, 10), (10, 10), (3, 10), (1, 1), (50, 1000)])
def test_clopper_pearson_agrees_with_scipy(successes, trials):
    from scipy import stats

    reference = stats.binomtest(successes, trials).proportion_ci(0.95, method="exact")
    found = clopper_pearson(successes, trials)
    assert (found.low, found.high) == pytest.approx((reference.low, reference.high), abs=1e-9)
    assert found.mean == successes / trials


def test_clopper_pearson_refuses_what_is_no_proportion():
    with pytest.raises(ValueError):
        clopper_pearson(3, 2)
    with pytest.raises(ValueError):
        clopper_pearson(0, 0)


def test_the_t_interval_covers_the_mean_as_often_as_it_says():
    from experiment.seeds import stream

    rng = stream("coverage")
    inside = 0
    for _ in range(2000):
        found = t([rng.gauss(0.5, 0.2) for _ in range(5)])
        inside += found.low <= 0.5 <= found.high
    assert abs(inside / 2000 - 0.95) < 4 * math.sqrt(0.95 * 0.05 / 2000)


def test_with_one_value_a_unit_the_clustered_interval_is_students():
    values = [0.2, 0.5, 0.4, 0.9, 0.3]
    found, expected = clustered(values, list("abcde")), t(values)
    assert (found.mean, found.low, found.high, found.n) == pytest.approx(
        (expected.mean, expected.low, expected.high, expected.n)
    )


def test_repeating_the_values_of_a_unit_tells_nothing_new():
    values, units = [0.2, 0.5, 0.4, 0.9], list("aabc")
    once, thrice = clustered(values, units), clustered(values * 3, units * 3)
    assert (thrice.low, thrice.high, thrice.n) == pytest.approx((once.low, once.high, 3))
    naive = t(values * 3)
    assert naive.high - naive.low < thrice.high - thrice.low


def test_units_of_equal_size_give_the_interval_of_their_means():
    values, units = [0.1, 0.3, 0.8, 0.6, 0.5, 0.9], list("aabbcc")
    found, expected = clustered(values, units), t([0.2, 0.7, 0.7])
    assert (found.mean, found.low, found.high) == pytest.approx((expected.mean, expected.low, expected.high))


def test_one_unit_has_no_limits():
    assert clustered([0.0, 1.0], ["a", "a"]) == Interval(0.5, None, None, 1)
