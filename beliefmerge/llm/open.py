"""From settings to a model that can be asked: the client, the local server where there is one, the record around it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from typing import Any

from beliefmerge.errors import UsageError
from beliefmerge.llm.account import Account, Metered
from beliefmerge.llm.cache import Cache
from beliefmerge.llm.client import Client
from beliefmerge.llm.clock import Clock
from beliefmerge.llm.protocol import ChatMessage, Completion, LanguageModel
from beliefmerge.llm.recorded import Record, RecordedModel
from beliefmerge.llm.settings import PREFIX, LlmSettings


class OpenModel(LanguageModel):
    """A model that holds connections, or a server of its own, until it is closed. A context manager.

    `account` counts what its calls have cost.
    """

    def __init__(self, settings: LlmSettings, connect: Callable[[ExitStack], LanguageModel]) -> None:
        self.name, self.settings, self.account = settings.model, settings, Account()
        self._open, self._connect, self._lock = ExitStack(), connect, threading.Lock()
        self._connected: LanguageModel | None = None
        recorded = RecordedModel(self.name, self._model, Record(Cache(settings.cache_dir), settings.cache))
        self._metered = Metered(recorded, self.account)

    def complete(
        self,
        messages: Sequence[ChatMessage],
        *,
        schema: Mapping[str, Any] | None = None,
        max_tokens: int = 2048,
        temperature: float = 0.0,
        seed: int | None = 0,
    ) -> Completion:
        """What the model replies; see `LanguageModel`. The settings cap `max_tokens` and shift `seed`."""
        return self._metered.complete(
            messages,
            schema=schema,
            max_tokens=min(max_tokens, self.settings.max_tokens),
            temperature=temperature,
            seed=None if seed is None else seed + self.settings.seed,
        )

    def _model(self) -> LanguageModel:
        with self._lock:
            if self._connected is None:
                self._connected = self._connect(self._open)
            return self._connected

    def close(self) -> None:
        """Give back what the model holds; asked again, it connects again."""
        with self._lock:
            self._connected = None
            self._open.close()

    def __enter__(self) -> OpenModel:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def open_model(
    settings: LlmSettings, *, cancel: threading.Event | None = None, clock: Clock | None = None
) -> OpenModel:
    """The model that `settings` describe. Nothing is connected to or started before the first call that needs it.

    Setting `cancel` ends a call that waits, with `Cause.CANCELLED`. Raises UsageError for settings that name no model.
    """
    if not settings.configured:
        raise UsageError(f"no model is configured: set --llm or {PREFIX}")
    full = settings.resolved()

    def connect(opened: ExitStack) -> LanguageModel:
        where = full
        if full.name == "local" and not full.base_url:
            from beliefmerge.llm.local import serve

            where = replace(full, base_url=opened.enter_context(serve(full)).base_url)
        client = Client(where, cancel=cancel, clock=clock)
        opened.callback(client.close)
        return client

    return OpenModel(full, connect)
