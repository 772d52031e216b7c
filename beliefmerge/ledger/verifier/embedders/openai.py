"""Embeddings by an OpenAI-compatible server, through the `openai` package."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from beliefmerge.ledger.verifier.embedders import Vector, normalised
from beliefmerge.llm.protocol import Cause, ModelError

_BATCH = 256


class OpenAI:
    """The embeddings of `model`. `client` is an ``openai.OpenAI``; without one, it is made from the environment."""

    floor = 0.6

    def __init__(self, model: str = "text-embedding-3-small", client: Any = None) -> None:
        self.name = f"openai:{model}"
        self._model, self._client = model, client

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        """One vector a text, asked for in batches."""
        import openai

        out: list[Vector] = []
        try:
            if self._client is None:
                self._client = openai.OpenAI()
            for start in range(0, len(texts), _BATCH):
                batch = list(texts[start : start + _BATCH])
                answer = self._client.embeddings.create(model=self._model, input=batch)
                found = sorted(answer.data, key=lambda each: each.index)
                if [each.index for each in found] != list(range(len(batch))):
                    raise ModelError(Cause.BROKEN, f"{len(found)} embeddings for {len(batch)} texts")
                out += [normalised(each.embedding) for each in found]
        except openai.OpenAIError as error:
            raise ModelError(_cause(error), type(error).__name__) from None
        return out


def _cause(error: Exception) -> Cause:
    import openai

    causes: list[tuple[type[Exception], Cause]] = [
        (openai.APITimeoutError, Cause.TIMEOUT),
        (openai.APIConnectionError, Cause.REFUSED),
        (openai.AuthenticationError, Cause.UNAUTHORIZED),
        (openai.NotFoundError, Cause.NOT_FOUND),
        (openai.RateLimitError, Cause.RATE_LIMITED),
        (openai.InternalServerError, Cause.SERVER),
        (openai.APIStatusError, Cause.REJECTED),
    ]
    return next((cause for kind, cause in causes if isinstance(error, kind)), Cause.UNAVAILABLE)


EMBEDDER = OpenAI
