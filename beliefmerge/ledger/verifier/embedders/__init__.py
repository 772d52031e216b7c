"""Embeddings of texts, one back end a file: `hashing` (no model), `wordllama` (offline), `openai` (a server)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

from beliefmerge.registry import Registry

Vector = Sequence[float]


class Embedder(Protocol):
    """Turns texts into vectors of length 1. `name` says which model, `floor` the cosine from which texts are alike."""

    name: str
    floor: float

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        """One vector a text, in order. Raises ModelError when a server or a model is not there."""
        ...


EMBEDDERS: Registry[Callable[..., Embedder]] = Registry("embedder", __name__, "EMBEDDER")


def embedder(name: str, **options: Any) -> Embedder:
    """The embedder called `name`; raises UsageError with the nearest match for an unknown one."""
    return EMBEDDERS[name](**options)


def normalised(vector: Sequence[float]) -> Vector:
    """`vector` at length 1; zero stays zero."""
    length = sum(x * x for x in vector) ** 0.5
    return [x / length for x in vector] if length else list(vector)
