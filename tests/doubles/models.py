"""Language models in the process, for what needs no HTTP."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from beliefmerge.llm.protocol import ChatMessage, Completion, LanguageModel
from tests.doubles.replies import lines_of, opinion, reply, slot


class Scripted(LanguageModel):
    """Replies what `answer` makes of the user's first message, and remembers every prompt."""

    name = "scripted"

    def __init__(self, answer: Callable[[str], Any]) -> None:
        self.answer, self.prompts = answer, list[list[ChatMessage]]()

    def complete(
        self,
        messages: Sequence[ChatMessage],
        *,
        schema: Mapping[str, Any] | None = None,
        max_tokens: int = 2048,
        temperature: float = 0.0,
        seed: int | None = 0,
    ) -> Completion:
        self.prompts.append(list(messages))
        given = self.answer(next(message.content for message in messages if message.role == "user"))
        return Completion(given if isinstance(given, str) else json.dumps(given), "stop", self.name)


def echo(prompt: str) -> Any:
    """A slot for every subject: what stands before “ is ” is the key, what stands after it the value."""
    slots: dict[str, list[Any]] = {}
    for branch, number, _, text in lines_of(prompt):
        key, verb, value = text.rstrip(".").partition(" is ")
        if verb:
            slots.setdefault(key.lower(), []).append(opinion(branch, value, text, number))
    return reply(*(slot(key, *opinions) for key, opinions in slots.items()))
