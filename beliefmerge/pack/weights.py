"""Every weight of the packing objective, in one place."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, fields

from beliefmerge.errors import UsageError


def _type_values() -> dict[str, float]:
    return {
        "Constraint": 1.3,
        "Decision": 1.2,
        "Goal": 1.1,
        "Refuted": 1.1,
        "Fact": 1.0,
        "Artifact": 0.9,
        "OpenQuestion": 0.8,
    }


@dataclass(frozen=True, slots=True)
class Weights:
    """What an item is worth: ``type * plausibility * (base + sum of weight * feature)``, every feature in 0..1.

    Raises UsageError for a negative or infinite weight, and when `detail` is so large that leaving out a quote could
    cost more than leaving out a live item.
    """

    base: float = 1.0
    """What every item is worth before any feature."""
    evidence: float = 1.0
    corroboration: float = 0.5
    """Saturating in the number of witnesses: ``1 - 2 ** (1 - witnesses)``."""
    trust: float = 0.5
    relevance: float = 2.0
    recency: float = 0.5
    plausibility: float = 0.05
    """Share of its value that an item of salience 0 keeps; grows linearly to 1."""
    type_value: Mapping[str, float] = field(default_factory=_type_values, hash=False)
    """Factor by type; a type that is not listed has 1."""
    coverage: float = 2.0
    """``w_type``: the most that items of one type earn together by being of that type."""
    coverage_of: Mapping[str, float] = field(default_factory=dict, hash=False)
    """``w_type`` where it differs from `coverage`."""
    gamma: float = 0.5
    """How fast the coverage of a type saturates."""
    retracted: float = 0.05
    """Share of its personal value that a retracted item keeps."""
    detail: float = 0.005
    """Share of its personal value that an item loses with quality 0."""

    def __post_init__(self) -> None:
        for name, value in self._numbers():
            if not (math.isfinite(value) and value >= 0):
                raise UsageError(f"packing weight {name} must be finite and not negative, not {value}")
        for name in ("plausibility", "retracted", "detail"):
            if getattr(self, name) > 1:
                raise UsageError(f"packing weight {name} is a share and lies in 0..1, not {getattr(self, name)}")
        least, most = self.personal_range
        if self.detail * most > (1 - self.detail) * least:
            raise UsageError(
                f"packing weight detail={self.detail} would let a quote outweigh an item: "
                f"live items are worth {least:g} to {most:g}, so it may be {least / (least + most):.3g} at most"
            )

    def _numbers(self) -> list[tuple[str, float]]:
        plain = [(f.name, getattr(self, f.name)) for f in fields(self) if f.name not in ("type_value", "coverage_of")]
        tables = (("type_value", self.type_value), ("coverage_of", self.coverage_of))
        return plain + [(f"{name}[{kind}]", value) for name, table in tables for kind, value in table.items()]

    @property
    def personal_range(self) -> tuple[float, float]:
        """The least and the greatest personal value that a live item in its best rendition can have."""
        factors = [1.0, *self.type_value.values()]
        features = self.evidence + self.corroboration + self.trust + self.relevance + self.recency
        return min(factors) * self.plausibility * self.base, max(factors) * (self.base + features)

    def coverage_weight(self, kind: str) -> float:
        """``w_type`` of a type."""
        return self.coverage_of.get(kind, self.coverage)
