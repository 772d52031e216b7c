"""From settings to a model that can be asked: the client, the local server where there is one, the cache around it."""

from __future__ import annotations

import threading

from beliefmerge.llm.protocol import LanguageModel
from beliefmerge.llm.settings import LlmSettings


class OpenModel(LanguageModel):
    """A model that holds connections, or a server of its own, until it is closed. A context manager."""

    def close(self) -> None:
        """Give back what the model holds. It is not asked again."""
        raise NotImplementedError

    def __enter__(self) -> OpenModel:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def open_model(settings: LlmSettings, *, cancel: threading.Event | None = None) -> OpenModel:
    """The model that `settings` describe. Nothing is connected to or started before the first call that needs it.

    Setting `cancel` ends a call that waits, with `Cause.CANCELLED`. Raises UsageError for settings that name no model.
    """
    raise NotImplementedError
