"""What the rest of the library asks of a language model, whatever stands behind it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Literal, Protocol

from beliefmerge.errors import BeliefMergeError


class Cause(StrEnum):
    """Why a model call gave nothing usable; the words appear in reports."""

    REFUSED = "connection refused"
    TIMEOUT = "timeout"
    UNAUTHORIZED = "not authorised"
    NOT_FOUND = "no such model or address"
    RATE_LIMITED = "rate limited"
    SERVER = "server error"
    BROKEN = "broken reply"
    TRUNCATED = "truncated"
    EMPTY = "empty reply"
    CANCELLED = "cancelled"
    REPLAY_MISS = "not on record"
    REJECTED = "request rejected"
    UNAVAILABLE = "not available"


class ModelError(BeliefMergeError):
    """A model call failed for good; `cause` is what it is counted under, ``str(error)`` one line without any secret."""

    def __init__(self, cause: Cause, message: str) -> None:
        super().__init__(f"{cause}: {message}" if message else str(cause))
        self.cause = cause


@dataclass(frozen=True, slots=True)
class ChatMessage:
    """One message of a prompt."""

    role: Literal["system", "user", "assistant"]
    content: str


@dataclass(frozen=True, slots=True)
class Usage:
    """What a call cost: tokens as the server counts them, attempts made, seconds on the wall, money where a price is
    known (US dollars).
    """

    prompt_tokens: int = 0
    completion_tokens: int = 0
    attempts: int = 1
    seconds: float = 0.0
    cost: float | None = None


@dataclass(frozen=True, slots=True)
class Completion:
    """A model's reply. `cached` says that it came from the record and not from a server."""

    text: str
    finish_reason: str
    model: str
    usage: Usage = field(default_factory=Usage)
    cached: bool = False


class LanguageModel(Protocol):
    """Completes a chat. `name` says which model, for reports and records."""

    name: str

    def complete(
        self,
        messages: Sequence[ChatMessage],
        *,
        schema: Mapping[str, Any] | None = None,
        max_tokens: int = 2048,
        temperature: float = 0.0,
        seed: int | None = 0,
    ) -> Completion:
        """Reply to `messages`; with `schema` (JSON Schema), the text is asked to be JSON of that shape, and may still
        not be. A truncated reply is returned with ``finish_reason == "length"``. Raises ModelError.
        """
        ...


class Scorer(Protocol):
    """Gives the likelihood of a given text. `name` identifies back end and weights, for records."""

    name: str

    def score(self, prompt: str, continuation: str) -> tuple[float, ...]:
        """Natural log-probability of each token of `continuation` after `prompt`, in order. Raises ModelError."""
        ...


class BatchScorer(Scorer, Protocol):
    """A scorer that is quicker over many prompts at once, such as by computing their common beginnings once."""

    def score_many(self, prompts: Sequence[str], continuation: str) -> Sequence[Iterable[float]]:
        """`score` of each of `prompts`, in order. Raises ModelError."""
        ...
