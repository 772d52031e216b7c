"""Scores with the local model: a plain forward pass on the CPU, exact, common beginnings computed once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from functools import cache
from typing import Any

from attribution.scorer import Scorer
from attribution.scorers._text import TextScorer, recorded
from beliefmerge.llm.protocol import BatchScorer

SYSTEM = "You are a helpful AI assistant named SmolLM, trained by Hugging Face"
"""What the fetched model's own chat template puts first."""


def chat(prompt: str) -> str:
    """`prompt` as one user's turn in ChatML, up to where the answer begins. Markers inside it become plain text."""
    plain = prompt.replace("<|", "< |")
    return f"<|im_start|>system\n{SYSTEM}<|im_end|>\n<|im_start|>user\n{plain}<|im_end|>\n<|im_start|>assistant\n"


@contextmanager
def open_local(settings: Mapping[str, Any]) -> Iterator[Scorer]:
    """The scorer over the fetched weights, or over the GGUF file ``settings["model"]``.

    Weights are loaded when something is not on record, once in each of ``settings["processes"]``. Raises ModelError or
    UsageError where they are missing.
    """
    from beliefmerge.llm.local.parallel import ParallelScorer
    from beliefmerge.llm.local.store import locate, need, scorer_name

    model = settings.get("model") or ""
    name = scorer_name(model)
    with ExitStack() as stack:

        @cache
        def load() -> BatchScorer:
            need("gguf", "tokenizers")
            return stack.enter_context(ParallelScorer(locate(model), name, processes=settings.get("processes") or 2))

        yield TextScorer("local", recorded(name, lambda: load(), settings), chat)


SCORER = open_local
