"""Linear surrogates: the effect of keeping each entry, fitted to scored masks."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from attribution.arrays import Floats, Masks
from attribution.design import Design

ALPHA = 0.01
"""ContextCite's penalty, on log-odds per token over standardised masks (Cohen-Wang et al., 2024)."""


@dataclass(frozen=True, eq=False)
class Surrogate:
    """``intercept + masks @ effects``. `squares` are the squared effects of the design's idle contrasts, if any."""

    intercept: float
    effects: Floats
    squares: Floats | None = None

    def predict(self, masks: Masks) -> Floats:
        """[N]: the response's predicted log-odds per token."""
        return np.asarray(self.intercept + masks @ self.effects, dtype=np.float64)


def main_effects(design: Design, y: Floats) -> Surrogate:
    """Least squares under an orthogonal design: each effect is a contrast of `y` [N], independent of the others."""
    n = len(y)
    effects = 2.0 * design.signs.T @ y / n
    idle = None if design.idle is None else (2.0 * design.idle.T @ y / n) ** 2
    return Surrogate(float(np.mean(y) - np.sum(effects) / 2.0), effects, idle)


def lasso(masks: Masks, y: Floats, alpha: float = ALPHA) -> Surrogate:
    """ContextCite's estimator: the Lasso over standardised masks, its coefficients scaled back."""
    from sklearn.linear_model import Lasso
    from sklearn.preprocessing import StandardScaler

    scaler = StandardScaler().fit(masks.astype(np.float64))
    model = Lasso(alpha=alpha, max_iter=10_000).fit(scaler.transform(masks.astype(np.float64)), y)
    effects = np.asarray(model.coef_ / scaler.scale_, dtype=np.float64)
    return Surrogate(float(model.intercept_ - scaler.mean_ @ effects), effects)


def fit(design: Design, y: Floats) -> Surrogate:
    """The surrogate that belongs to a design: contrasts where it is orthogonal, the Lasso where it is drawn."""
    return main_effects(design, y) if design.paired else lasso(design.masks, y)
