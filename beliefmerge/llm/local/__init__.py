"""The local model: weights that are fetched once, a scorer in NumPy, and a server on loopback. Offline afterwards."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from beliefmerge.llm.local.scorer import LocalScorer
    from beliefmerge.llm.local.server import LocalServer
    from beliefmerge.llm.settings import LlmSettings


def serve(settings: LlmSettings | None = None) -> LocalServer:
    """A server, not started yet, for the weights that ``settings.model`` names: a context manager with a `base_url`.

    Raises ModelError when they have not been fetched or the extra is not installed, UsageError when a path leads to no
    file.
    """
    from beliefmerge.llm.local.server import LocalServer
    from beliefmerge.llm.local.store import locate, need

    model = settings.model if settings else ""
    need("xllamacpp")
    path = locate(model)
    return LocalServer(path, name="" if path.name == model.rpartition("/")[2] else model)


def open_scorer(settings: LlmSettings | None = None) -> LocalScorer:
    """The scorer over the weights that ``settings.model`` names, by default the fetched ones; loading takes seconds.

    Raises as `serve` does, and UsageError for a model that it cannot compute.
    """
    from beliefmerge.llm.local.store import locate, need

    need("gguf", "tokenizers")
    path = locate(settings.model if settings else "")

    from beliefmerge.llm.local.scorer import LocalScorer

    return LocalScorer(path)
