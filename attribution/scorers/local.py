"""Scores with the local model: a plain forward pass on the CPU, exact, common beginnings computed once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from typing import Any

from attribution.scorer import Scorer
from attribution.scorers._text import TextScorer, recorded
from beliefmerge.llm.settings import LlmSettings

SYSTEM = "You are a helpful AI assistant named SmolLM, trained by Hugging Face"
"""What the fetched model's own chat template puts first."""


def chat(prompt: str) -> str:
    """`prompt` as one user's turn in ChatML, up to where the answer begins. Markers inside it become plain text."""
    plain = prompt.replace("<|", "< |")
    return f"<|im_start|>system\n{SYSTEM}<|im_end|>\n<|im_start|>user\n{plain}<|im_end|>\n<|im_start|>assistant\n"


@contextmanager
def open_local(settings: Mapping[str, Any]) -> Iterator[Scorer]:
    """The scorer over the fetched weights, or over the GGUF file ``settings["model"]``.

    Weights are loaded when something is not on record. Raises ModelError or UsageError where they are missing.
    """
    from beliefmerge.llm.local import open_scorer
    from beliefmerge.llm.local.scorer import LocalScorer
    from beliefmerge.llm.local.store import scorer_name

    model = settings.get("model") or ""

    @cache
    def load() -> LocalScorer:
        return open_scorer(LlmSettings("local", model=model))

    yield TextScorer("local", recorded(scorer_name(model), lambda: load(), settings), chat)


SCORER = open_local
