"""Trust tiers, founding belief, and exact arithmetic on parts per million.

Values are rationals in [0, 1]. They are carried as intervals of integers over ``ONE`` = 10^36 that hold the exact
value, tight enough that rounding their ends nearly always agrees. Where it does not, the fraction itself is
computed. What is reported is therefore the exact value rounded once, half to even.
"""

from __future__ import annotations

from enum import IntEnum
from fractions import Fraction
from functools import lru_cache
from types import MappingProxyType
from typing import TypeAlias

PPM = 1_000_000
ONE = 10**36
_PER_PPM = ONE // PPM

Interval: TypeAlias = tuple[int, int]
"""Lower and upper bound of a value, in units of 1 / ONE."""

WHOLE: Interval = (ONE, ONE)


class Tier(IntEnum):
    """What an entry's trust rests on, weakest first."""

    CONJECTURE = 0
    DERIVED = 1
    SEALED_UNVERIFIED = 2
    SEALED_VERIFIED = 3

    @property
    def label(self) -> str:
        """The name in records and answers, such as ``sealed_verified``."""
        return self.name.lower()


BASE = MappingProxyType(
    {
        Tier.CONJECTURE: 200_000,
        Tier.DERIVED: 900_000,
        Tier.SEALED_UNVERIFIED: 700_000,
        Tier.SEALED_VERIFIED: 950_000,
    }
)
"""Base values, ppm. A seal's is multiplied by the mean of its source, a derivation's by its weakest parent's belief."""

FALL = 50_000
"""What a passing contradiction leaves of its target's belief (f), ppm."""
QUORUM = 2
"""Independent origins a contradiction needs to pass, and a claim to be corroborated (K)."""
GATE = 600_000
"""Stability a measured edge needs to replace a declared one (ρ), ppm."""


@lru_cache(maxsize=4096)
def sealed(base: int, alpha: int, beta: int, origins: int) -> Interval:
    """Founding belief of a seal: base × alpha / (alpha + beta); each origin after the first halves the doubt."""
    mean = base * _PER_PPM * alpha
    low, high = mean // (alpha + beta), -(-mean // (alpha + beta))
    halvings = max(origins - 1, 0)
    return ONE + ((low - ONE) >> halvings), ONE - ((ONE - high) >> halvings)


def sealed_exactly(base: int, alpha: int, beta: int, origins: int) -> Fraction:
    """What ``sealed`` bounds."""
    mean = Fraction(base * alpha, PPM * (alpha + beta))
    return 1 - (1 - mean) * Fraction(1, 1 << max(origins - 1, 0))


def times(value: Interval, ppm: int) -> Interval:
    """`value` times a factor in ppm."""
    low, high = value
    below, rest = divmod(low * ppm, PPM)
    if low == high:
        return below, below + 1 if rest else below
    return below, -(-high * ppm // PPM)


def remains(path: Interval) -> Interval:
    """F = 1 − (1 − f) · path: what a trigger leaves at the end of a path whose weights multiply to `path`."""
    low, high = path
    return ONE + (-high * (PPM - FALL) // PPM), ONE - low * (PPM - FALL) // PPM


def product(a: Interval, b: Interval) -> Interval:
    """The product of two values."""
    return a[0] * b[0] // ONE, -(-a[1] * b[1] // ONE)


def rounded(value: Interval) -> int | None:
    """`value` in ppm, half to even; None when its bounds round to different numbers."""
    low, high = _round(value[0]), _round(value[1])
    return low if low == high else None


@lru_cache(maxsize=4096)
def _round(value: int) -> int:
    whole, rest = divmod(value, _PER_PPM)
    twice = 2 * rest
    return whole + (twice > _PER_PPM or (twice == _PER_PPM and whole & 1 == 1))
