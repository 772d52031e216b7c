"""The model that arms and the answerer ask: opened once a run, and not asked on where that makes no sense."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from beliefmerge.errors import BeliefMergeError, UsageError
from beliefmerge.llm.protocol import Cause, ChatMessage, Completion, LanguageModel, ModelError
from beliefmerge.llm.settings import LlmSettings
from experiment.results import recordings

if TYPE_CHECKING:
    from beliefmerge.llm.open import OpenModel
    from mergebench.config import LlmConfig

FATAL = frozenset(
    {
        Cause.REPLAY_MISS,
        Cause.UNAVAILABLE,
        Cause.UNAUTHORIZED,
        Cause.NOT_FOUND,
        Cause.REFUSED,
        Cause.CANCELLED,
    }
)
"""Causes that the next scenario would meet too: the run ends, and no table of fallbacks is printed."""

RECORDINGS = "mergebench-live"


class AskedModel(LanguageModel):
    """The opened model, which remembers the first failure that ends the run: a merge falls back and goes on."""

    def __init__(self, model: OpenModel) -> None:
        self.name, self._model = model.name, model
        self.failure: BeliefMergeError | None = None

    def complete(
        self,
        messages: Sequence[ChatMessage],
        *,
        schema: Mapping[str, Any] | None = None,
        max_tokens: int = 2048,
        temperature: float = 0.0,
        seed: int | None = 0,
    ) -> Completion:
        """What the model replies; see `LanguageModel`."""
        try:
            return self._model.complete(
                messages, schema=schema, max_tokens=max_tokens, temperature=temperature, seed=seed
            )
        except BeliefMergeError as error:
            if not isinstance(error, ModelError) or error.cause in FATAL:
                self.failure = self.failure or error
            raise

    def check(self) -> None:
        """Raise the failure that ends the run, if there was one."""
        if self.failure is not None:
            raise self.failure

    @property
    def facts(self) -> dict[str, Any]:
        """What was asked and what it cost, for the record."""
        return {**self._model.settings.to_json(), **self._model.account.totals.to_json()}

    @property
    def note(self) -> str:
        """One line for the table."""
        totals = self._model.account.totals
        asked = f"{totals.calls} calls ({totals.cached} from the record), {totals.completion_tokens:,} tokens written"
        tiny = "; a model of this size extracts, judges and answers poorly: see docs/local-model.md"
        return f"model: {self.name}, {asked}{tiny if self._model.settings.name == 'local' else ''}"


@contextmanager
def opened(config: LlmConfig, *, needed: bool) -> Iterator[AskedModel | None]:
    """The configured model while the run lasts; None where nothing asks one. Raises UsageError where one is missing."""
    if not needed:
        yield None
        return
    if config.name == "none":
        raise UsageError("this asks a model: add llm=local, or another of the names that --help lists")
    from beliefmerge.llm.open import open_model

    with open_model(settings(config)) as model:
        yield AskedModel(model)


def settings(config: LlmConfig) -> LlmSettings:
    """The library's settings. What is empty comes from the environment, then from what is usual for the back end."""
    from beliefmerge.llm.settings import settings_from

    return settings_from(
        name=config.name,
        model=config.model,
        base_url=config.base_url,
        key_env=config.key_env,
        cache=config.cache,
        cache_dir=config.cache_dir or (recordings(RECORDINGS) if config.cache == "replay" else ""),
        max_tokens=config.max_tokens,
        timeout_s=config.timeout_s,
        read_timeout_s=config.timeout_s,
    )
