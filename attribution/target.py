"""What is measured: the log-odds of the response, per response token."""

from __future__ import annotations

import numpy as np

from attribution.arrays import Floats

CERTAIN = 1e-6
"""A response is never taken to be more likely than 1 - this: below it a single-precision scorer cannot tell."""


def log_odds_per_token(log_p: Floats, tokens: int) -> Floats:
    """``log(p / (1 - p)) / tokens`` of responses with natural log-probabilities `log_p` (<= 0), any shape.

    Finite for every finite input: at log p near 0 the odds are those of `CERTAIN`, far below 0 they are log p itself.
    Raises ValueError where a log-probability is not finite or above 0 by more than rounding.
    """
    if tokens < 1:
        raise ValueError("a response needs a token")
    if not np.all(np.isfinite(log_p)) or np.any(log_p > 1e-4):
        raise ValueError("log-probabilities must be finite and at most 0")
    held = np.minimum(log_p, np.log1p(-CERTAIN))
    return np.asarray((held - np.log(-np.expm1(held))) / tokens, dtype=np.float64)


def log_probability(odds: Floats, tokens: int) -> Floats:
    """The inverse: natural log-probabilities of responses with these log-odds per token."""
    return np.asarray(-np.logaddexp(0.0, -odds * tokens), dtype=np.float64)
