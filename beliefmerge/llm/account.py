"""What model calls have cost so far."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from beliefmerge.llm.protocol import ChatMessage, Completion, LanguageModel


@dataclass(frozen=True, slots=True)
class Totals:
    """Sums over calls. A reply from the record counts as `cached`, and its tokens and money were spent before."""

    calls: int = 0
    cached: int = 0
    attempts: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    seconds: float = 0.0
    cost: float | None = None
    """US dollars, as far as prices are known."""

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        return asdict(self) | {"seconds": round(self.seconds, 3)}


class Account:
    """Adds up calls. Safe for several threads."""

    def __init__(self) -> None:
        self._totals = Totals()
        self._lock = threading.Lock()

    @property
    def totals(self) -> Totals:
        """The sums so far."""
        return self._totals

    def add(self, reply: Completion) -> None:
        """Count one reply."""
        usage, fresh = reply.usage, not reply.cached
        with self._lock:
            before = self._totals
            costs = [cost for cost in (before.cost, usage.cost if fresh else None) if cost is not None]
            self._totals = Totals(
                calls=before.calls + 1,
                cached=before.cached + reply.cached,
                attempts=before.attempts + usage.attempts * fresh,
                prompt_tokens=before.prompt_tokens + usage.prompt_tokens,
                completion_tokens=before.completion_tokens + usage.completion_tokens,
                seconds=before.seconds + usage.seconds * fresh,
                cost=sum(costs) if costs else None,
            )


class Metered(LanguageModel):
    """`model`, whose replies are counted in `account`."""

    def __init__(self, model: LanguageModel, account: Account) -> None:
        self.name, self._model, self.account = model.name, model, account

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
        reply = self._model.complete(messages, schema=schema, max_tokens=max_tokens, temperature=temperature, seed=seed)
        self.account.add(reply)
        return reply
