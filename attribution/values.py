"""Exact values of a game with few players: every subset is looked at. The oracle for estimates."""

from __future__ import annotations

from math import comb

import numpy as np

from attribution.arrays import Floats, Masks

MOST = 16
"""More players than this are not enumerated."""


def every_mask(players: int) -> Masks:
    """[2^D, D]: row i keeps player d where bit d of i is set. Raises ValueError for more than `MOST` players."""
    if not 1 <= players <= MOST:
        raise ValueError(f"{players} players: 1 to {MOST} are enumerated")
    return (np.arange(1 << players)[:, None] >> np.arange(players)) & 1 > 0


def _gains(values: Floats, player: int) -> tuple[Floats, Floats]:
    """For each subset without `player`: what the player adds to it, and how many are in it."""
    index = np.arange(len(values))
    without = index[(index >> player) & 1 == 0]
    return values[without | (1 << player)] - values[without], np.bitwise_count(without).astype(np.float64)


def banzhaf(values: Floats) -> Floats:
    """[D]: mean gain over all subsets (Banzhaf, 1965); `values` are [2^D] as `every_mask` orders them.

    Also the coefficients of the best additive approximation under masks that keep each player with probability one half
    (Hammer and Holzman, 1992).
    """
    players = len(values).bit_length() - 1
    return np.array([_gains(values, p)[0].mean() for p in range(players)])


def shapley(values: Floats) -> Floats:
    """[D]: mean gain over all orders (Shapley, 1953)."""
    players = len(values).bit_length() - 1
    weight = np.array([1.0 / (players * comb(players - 1, size)) for size in range(players)])
    found = []
    for player in range(players):
        gains, sizes = _gains(values, player)
        found.append(float(gains @ weight[sizes.astype(np.int64)]))
    return np.array(found)
