"""Confidence intervals for experiments. The unit is whatever was drawn independently; pass one value a unit.

`t` (Student, 1908) is for means over units, such as a benchmark's scenarios, `clustered` for means over values that
depend on one another within a unit; `clopper_pearson` (1934) is exact for counts of independent trials and for nothing
else.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean, stdev

CONFIDENCE = 0.95
"""The confidence of every interval, unless it is said otherwise."""
FEW = 20
"""Below this many units an interval is marked: its coverage leans on the normal shape of few values."""


@functools.cache
def student_quantile(probability: float, degrees: int) -> float:
    """The quantile above the median of Student's t with a whole number of `degrees` of freedom, by bisection.

    SciPy has it too; importing SciPy takes longer than a benchmark's table may.
    """
    low, high = 0.0, 2.0
    while student_tails(high, degrees) > 2 * (1 - probability):
        low, high = high, 2 * high
    for _ in range(80):
        middle = (low + high) / 2
        low, high = (middle, high) if student_tails(middle, degrees) > 2 * (1 - probability) else (low, middle)
    return high


def student_tails(t: float, degrees: int) -> float:
    """P(|T| > t), by the finite sums of Abramowitz and Stegun (1964), 26.7.3 and 26.7.4."""
    angle = math.atan(t / math.sqrt(degrees))
    squared, term = math.cos(angle) ** 2, 1.0
    odd = degrees % 2
    total = 0.0
    for k in range(odd, degrees - 1, 2):
        total += term
        term *= squared * (k + 1) / (k + 2)
    if odd:
        return 1 - 2 / math.pi * (angle + math.sin(angle) * math.cos(angle) * total)
    return 1 - math.sin(angle) * total


@dataclass(frozen=True, slots=True)
class Interval:
    """A mean (or proportion) of `n` units and its confidence limits; the limits are None when `n` is below 2."""

    mean: float
    low: float | None
    high: float | None
    n: int

    @property
    def few(self) -> bool:
        """Whether the interval is to be marked as resting on few units."""
        return self.n < FEW

    def clipped(self, least: float, most: float) -> Interval:
        """The same with its limits held inside the quantity's range."""
        if self.low is None or self.high is None:
            return self
        return Interval(self.mean, min(most, max(least, self.low)), max(least, min(most, self.high)), self.n)


def t(values: Sequence[float], confidence: float = CONFIDENCE) -> Interval:
    """Student's interval for the mean of `values`, one a unit. Raises ValueError when there are none."""
    n = len(values)
    if n == 0:
        raise ValueError("no values")
    mean = fmean(values)
    if n == 1:
        return Interval(mean, None, None, 1)
    half = student_quantile(0.5 + confidence / 2, n - 1) * stdev(values) / math.sqrt(n)
    return Interval(mean, mean - half, mean + half, n)


def clustered(values: Sequence[float], units: Sequence[str], confidence: float = CONFIDENCE) -> Interval:
    """Interval for the mean of `values` that depend on one another within a unit; `n` is the number of units.

    Liang and Zeger (1986): the variance of the mean from the sums of deviations of each unit, with Student's t on one
    degree of freedom less than there are units. With one value a unit it is `t`. Raises ValueError when there are none.
    """
    if not values:
        raise ValueError("no values")
    mean = fmean(values)
    sums: dict[str, float] = {}
    for value, unit in zip(values, units, strict=True):
        sums[unit] = sums.get(unit, 0.0) + value - mean
    n = len(sums)
    if n == 1:
        return Interval(mean, None, None, 1)
    spread = math.sqrt(n / (n - 1) * math.fsum(total * total for total in sums.values())) / len(values)
    half = student_quantile(0.5 + confidence / 2, n - 1) * spread
    return Interval(mean, mean - half, mean + half, n)


def paired(treated: Sequence[float], control: Sequence[float], confidence: float = CONFIDENCE) -> Interval:
    """Student's interval for the mean difference over units measured both ways."""
    return t([x - y for x, y in zip(treated, control, strict=True)], confidence)


def clopper_pearson(successes: int, trials: int, confidence: float = CONFIDENCE) -> Interval:
    """Exact interval for a proportion of `trials` independent trials."""
    if trials < 1 or not 0 <= successes <= trials:
        raise ValueError(f"{successes} of {trials} is no proportion")
    from scipy.special import betaincinv

    tail = (1 - confidence) / 2
    low = 0.0 if successes == 0 else float(betaincinv(successes, trials - successes + 1, tail))
    high = 1.0 if successes == trials else float(betaincinv(successes + 1, trials - successes, 1 - tail))
    return Interval(successes / trials, low, high, trials)
