"""Every entry kept with probability one half, independently: the design of ContextCite (Cohen-Wang et al., 2024)."""

from __future__ import annotations

import numpy as np

from attribution.design import Design


def draw(entries: int, ablations: int, rng: np.random.Generator) -> Design:
    """`ablations` independent masks."""
    return Design("bernoulli", rng.random((ablations, entries)) < 0.5)


DESIGN = draw
