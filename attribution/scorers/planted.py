"""Scores planted steps from their own truth: for checks of everything that comes after the scores."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from attribution.arrays import Masks
from attribution.planted import TOKENS, Truth
from attribution.scorer import Scorer, Scores, Tick, silent
from attribution.step import BadStep, Step
from attribution.target import log_probability


class Planted:
    """The likelihood that a step's truth says."""

    name = "planted"
    model = "planted"

    def __call__(self, step: Step, masks: Masks, tick: Tick = silent) -> Scores:
        """Score by the step's truth. Raises BadStep for a step that has none."""
        if not isinstance(step.truth, Truth):
            raise BadStep(f"step {step.step_id!r} is not planted: scorer=planted knows no likelihood of it")
        for _ in masks:
            tick()
        return Scores(log_probability(step.truth.log_odds(masks), TOKENS), TOKENS)


@contextmanager
def open_planted(settings: Mapping[str, Any]) -> Iterator[Scorer]:
    """There is nothing to open."""
    yield Planted()


SCORER = open_planted
