"""Models and scorers with a record around them: each call is looked up, asked, or refused, as the mode says.

A secret is in nothing that is sent, returned or kept: what a detector finds in a prompt is redacted before it is asked,
and in a reply before anybody sees it. Redacting what is kept alone would make a replay differ from its recording.
"""

from __future__ import annotations

import datetime
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from beliefmerge.llm.cache import Cache
from beliefmerge.llm.entry import (
    CorruptEntry,
    Entry,
    address,
    chat_reply,
    chat_request,
    completion,
    logprobs,
)
from beliefmerge.llm.protocol import Cause, ChatMessage, Completion, LanguageModel, ModelError, Scorer
from beliefmerge.session.redact import redact_text, secrets_in


class Record:
    """A cache and the mode that it is used in: `off`, `record`, `replay` or `auto`."""

    def __init__(self, cache: Cache, mode: str) -> None:
        self.cache, self.mode = cache, mode
        self._made: set[str] = set()
        self._lock = threading.Lock()

    def answer(self, kind: str, request: dict[str, Any], ask: Callable[[], Entry]) -> tuple[Entry, bool]:
        """The entry of `request`, and whether it was on record. Raises ModelError."""
        place = address(kind, request)
        if self.mode in ("replay", "auto") or (self.mode == "record" and place in self._made):
            found = self._found(place)
            if found is not None:
                return found, True
            if self.mode == "replay":
                raise ModelError(Cause.REPLAY_MISS, f"no {kind} {place[:12]} in {self.cache.path}")
        entry = ask()
        if self.mode == "off":
            return entry, False
        kept = self.cache.put(entry, replace=self.mode == "record")
        with self._lock:
            self._made.add(place)
        return kept, False

    def _found(self, place: str) -> Entry | None:
        """What is on record. A corrupt entry is an error where nobody can be asked, else as good as none."""
        try:
            return self.cache.get(place)
        except CorruptEntry as damage:
            if self.mode == "replay":
                raise ModelError(Cause.REPLAY_MISS, str(damage)) from None
            return None


class RecordedModel(LanguageModel):
    """The model that `connect` gives, behind a record. It is not asked for before it is needed."""

    def __init__(self, name: str, connect: Callable[[], LanguageModel], record: Record) -> None:
        self.name, self._connect, self._record = name, connect, record

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
        clean = [ChatMessage(message.role, _clean(message.content)) for message in messages]
        options: dict[str, Any] = {
            "schema": schema,
            "max_tokens": max_tokens,
            "temperature": temperature,
            "seed": seed,
        }
        request = chat_request(self.name, clean, **options)
        fresh: list[Completion] = []

        def ask() -> Entry:
            reply = self._connect().complete(clean, **options)
            text, kinds = redact_text(_text(reply.text))
            fresh.append(Completion(text if kinds else reply.text, reply.finish_reason, reply.model, reply.usage))
            said, usage = chat_reply(fresh[0])
            return Entry("complete", request, said, usage, _now())

        entry, _ = self._record.answer("complete", request, ask)
        if fresh and chat_reply(fresh[0])[0] == entry.reply:
            return fresh[0]
        try:
            return completion(entry)
        except CorruptEntry as damage:
            raise ModelError(Cause.REPLAY_MISS, str(damage)) from None


class RecordedScorer(Scorer):
    """The scorer that `connect` gives, behind a record. A text with a secret is scored and not kept."""

    def __init__(self, name: str, connect: Callable[[], Scorer], record: Record) -> None:
        self.name, self._connect, self._record = name, connect, record

    def score(self, prompt: str, continuation: str) -> tuple[float, ...]:
        """Log-probabilities; see `Scorer`."""
        if self._record.mode != "replay" and secrets_in(f"{prompt}\n{continuation}"):
            return self._connect().score(prompt, continuation)
        request = {"model": self.name, "prompt": prompt, "continuation": continuation}

        def ask() -> Entry:
            scores = self._connect().score(prompt, continuation)
            return Entry("score", request, {"logprobs": list(scores)}, {}, _now())

        entry, _ = self._record.answer("score", request, ask)
        try:
            return logprobs(entry)
        except CorruptEntry as damage:
            raise ModelError(Cause.REPLAY_MISS, str(damage)) from None


def _clean(text: str) -> str:
    return redact_text(_text(text))[0]


def _text(text: str) -> str:
    """`text` without lone surrogates, which no server can be sent."""
    return text.encode("utf-8", "replace").decode()


def _now() -> str:
    return datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
