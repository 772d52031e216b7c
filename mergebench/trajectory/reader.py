"""Readers: who answers the question from the working set.

The strict reader is deterministic. It reads the lines that are printed, takes those that state exactly one of the
values the question could have, and believes what is presented as holding. Of a ledger's context it believes what is
labelled verified or derived (first contract: belief of a half and more), and of two such lines the one that stands
higher; conjectures, uncorroborated and retracted lines it does not believe. Of a flat context it believes the last
such line: nothing there says more than the order. With nothing to believe it says that it does not know.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from beliefmerge.ledger.context import HEADING, parse
from beliefmerge.llm.protocol import Cause, ChatMessage, Completion, LanguageModel, ModelError
from mergebench.match import shown

UNKNOWN = "unknown"
MAX_TOKENS = 24
"""Of a model's answer."""
_BELIEVED = {"verified": 2.0, "derived": 1.0}
_HALF = 0.5


class Strict(LanguageModel):
    """Answers with one of `values`, or with ``unknown``."""

    name = "strict"

    def __init__(self, values: Sequence[str]) -> None:
        self._values = tuple(values)

    def complete(
        self,
        messages: Sequence[ChatMessage],
        *,
        schema: Mapping[str, Any] | None = None,
        max_tokens: int = 2048,
        temperature: float = 0.0,
        seed: int | None = 0,
    ) -> Completion:
        """The value that the prompt's context presents as holding."""
        return Completion(self._answer(messages[-1].content), "stop", self.name)

    def _answer(self, prompt: str) -> str:
        lines = prompt.split("\n")
        stated = _labelled(lines) if HEADING in lines else [(float(place), line) for place, line in enumerate(lines)]
        best, said = 0.0, UNKNOWN
        for rank, line in stated:
            found = shown(line, self._values)
            if len(found) == 1 and rank > best:
                best, said = rank, found[0]
        return said


def _labelled(lines: Sequence[str]) -> list[tuple[float, str]]:
    """Lines of a ledger's context that a reader who follows labels believes, with how much."""
    start = lines.index(HEADING)
    end = next((place for place in range(start, len(lines)) if not lines[place]), len(lines))
    ranked = [(_rank(prefix), text) for prefix, text in parse("\n".join(lines[start:end]) + "\n")]
    return [(rank, text) for rank, text in ranked if rank]


def _rank(prefix: str) -> float:
    tier, _, belief = prefix.partition(" ")
    if tier in _BELIEVED and not belief:
        return _BELIEVED[tier]
    try:
        return float(belief) if float(belief) >= _HALF else 0.0
    except ValueError:
        return 0.0


class Forgiving(LanguageModel):
    """`model`, for which an answer that is empty or cut off is an answer."""

    def __init__(self, model: LanguageModel) -> None:
        self.name, self._model = model.name, model

    def complete(
        self,
        messages: Sequence[ChatMessage],
        *,
        schema: Mapping[str, Any] | None = None,
        max_tokens: int = 2048,
        temperature: float = 0.0,
        seed: int | None = 0,
    ) -> Completion:
        """What the model says, nothing where it says nothing; see `LanguageModel`."""
        try:
            return self._model.complete(
                messages, schema=schema, max_tokens=max_tokens, temperature=temperature, seed=seed
            )
        except ModelError as error:
            if error.cause in (Cause.EMPTY, Cause.TRUNCATED):
                return Completion("", "stop", self.name)
            raise
