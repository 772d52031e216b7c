"""WordLlama: static token embeddings, 256 numbers, whose weights (16 MB) ship in the wheel. Offline; no torch.

The package is under the MIT licence; its weights are distilled from Llama 2's, whose own licence applies to them.
Extra: ``pip install 'beliefmerge[embeddings]'``.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from beliefmerge.ledger.verifier.embedders import Vector
from beliefmerge.llm.protocol import Cause, ModelError


class WordLlama:
    """The model of the installed package."""

    name = "wordllama:l2_supercat_256"
    floor = 0.4

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        """One vector a text."""
        found: list[Vector] = _model().embed(list(texts), norm=True).tolist() if texts else []
        return found


@lru_cache(maxsize=1)
def _model() -> Any:
    try:
        import wordllama
    except ImportError:
        raise ModelError(
            Cause.UNAVAILABLE, "wordllama is not installed: pip install 'beliefmerge[embeddings]'"
        ) from None
    # Its own search misses the tokenizer that the wheel ships; as a "cache" its own folder has both files.
    return wordllama.WordLlama.load(cache_dir=Path(wordllama.__file__).parent, disable_download=True)


EMBEDDER = WordLlama
