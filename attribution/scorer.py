"""Scorers: the log-probability of a given response when only some entries are kept. One file each in
`attribution.scorers`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

import numpy as np

from attribution.arrays import Floats, Masks
from attribution.step import Step
from beliefmerge.registry import Registry


@dataclass(frozen=True, eq=False)
class Scores:
    """Natural log-probabilities of the response, [N] in the order of the masks, and its length in tokens."""

    log_p: Floats
    tokens: int


Tick: TypeAlias = Callable[[], None]
"""Called as contexts are scored."""


def silent() -> None:
    """A tick that nobody hears."""


class Scorer(Protocol):
    """Scores masks of a step. Equal masks of one step have equal scores."""

    name: str
    """Back end, for records."""
    model: str
    """Weights, by a hash or a name that fixes them."""

    def __call__(self, step: Step, masks: Masks, tick: Tick = silent) -> Scores:
        """Score every row of `masks`. Raises ModelError or BadStep."""
        ...


Opening: TypeAlias = Callable[[Mapping[str, Any]], AbstractContextManager[Scorer]]
"""(settings) -> a scorer, held open while the block lasts."""

SCORERS: Registry[Opening] = Registry("scorer", "attribution.scorers", "SCORER")


def score_once(scorer: Scorer, step: Step, masks: Masks, tick: Tick = silent) -> Scores:
    """The same as ``scorer(step, masks)``, with equal masks scored once."""
    distinct, where = np.unique(masks, axis=0, return_inverse=True)
    scores = scorer(step, distinct, tick)
    return Scores(scores.log_p[where.reshape(-1)], scores.tokens)
