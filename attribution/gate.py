"""The stability gate: when measured weights may replace declared ones."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Verdict(StrEnum):
    """What became of a step's edges."""

    MEASURED = "measured"
    UNSTABLE = "kept: repeats disagree"
    UNPREDICTIVE = "kept: does not predict held-out contexts"
    NOT_ADDITIVE = "kept: not additive"
    NO_EFFECT = "kept: the context hardly matters"


@dataclass(frozen=True, slots=True)
class Stability:
    """What the gate looks at. Correlations are in -1..1, shares in 0..1, `whole` in log-odds per token."""

    rho: float
    """Mean pairwise Spearman correlation of the repeats' weights."""
    concordance: float
    """Mean pairwise Lin concordance of the repeats' weights."""
    rho_null: float
    """The share of shuffles of the same weights that would pass the threshold by Spearman."""
    concordance_null: float
    """The same by concordance."""
    lds: float
    """Spearman correlation of predicted and measured log-odds on held-out contexts."""
    even_share: float | None
    whole: float
    """``f(all) - f(none)``."""


@dataclass(frozen=True, slots=True)
class Gate:
    """Thresholds. `kind` names the agreement that decides: `spearman` or `concordance`."""

    kind: str = "spearman"
    threshold: float = 0.6
    lds_floor: float = 0.5
    even_share: float = 0.15
    whole_floor: float = 0.05

    def agreement(self, found: Stability) -> float:
        """The agreement that decides."""
        return found.rho if self.kind == "spearman" else found.concordance

    def verdict(self, found: Stability) -> Verdict:
        """The first reason to keep the declared edges, or `MEASURED`."""
        if found.whole < self.whole_floor:
            return Verdict.NO_EFFECT
        if found.even_share is not None and found.even_share > self.even_share:
            return Verdict.NOT_ADDITIVE
        if self.agreement(found) < self.threshold:
            return Verdict.UNSTABLE
        if found.lds < self.lds_floor:
            return Verdict.UNPREDICTIVE
        return Verdict.MEASURED
