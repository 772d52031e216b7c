"""Scorers of texts: masks become prompts, and log-probabilities come from a record or from a back end."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from attribution.arrays import Masks
from attribution.scorer import Scores, Tick, silent
from attribution.step import Step
from beliefmerge.llm.cache import Cache
from beliefmerge.llm.protocol import BatchScorer
from beliefmerge.llm.recorded import Record, RecordedScorer
from beliefmerge.llm.settings import default_cache_dir


class TextScorer:
    """Scores a step by the text of its prompt, put as `chat` puts it to the model."""

    def __init__(self, name: str, scorer: RecordedScorer, chat: Callable[[str], str]) -> None:
        self.name, self.model = name, scorer.name
        self._scorer, self._chat = scorer, chat

    def __call__(self, step: Step, masks: Masks, tick: Tick = silent) -> Scores:
        """Score every mask; equal prompts once."""
        prompts = [self._chat(step.prompt([bool(keep) for keep in mask])) for mask in masks]
        found = self._scorer.score_many(prompts, step.response, step=tick)
        return Scores(np.array([sum(scores) for scores in found]), max(1, len(found[0])))


def recorded(name: str, connect: Callable[[], BatchScorer], settings: Mapping[str, Any]) -> RecordedScorer:
    """The back end that `connect` gives, asked for when it is needed, behind the record that `settings` name."""
    path = settings.get("cache_dir") or default_cache_dir()
    return RecordedScorer(name, connect, Record(Cache(Path(path).expanduser()), settings.get("cache", "off")))
