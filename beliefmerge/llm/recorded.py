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
from beliefmerge.llm.protocol import BatchScorer, Cause, ChatMessage, Completion, LanguageModel, ModelError
from beliefmerge.session.redact import redact_text, secrets_in

BATCH = 32
"""Prompts that are scored before their scores are kept."""


class Record:
    """A cache and the mode that it is used in: `off`, `record`, `replay` or `auto`."""

    def __init__(self, cache: Cache, mode: str) -> None:
        self.cache, self.mode = cache, mode
        self._made: set[str] = set()
        self._lock = threading.Lock()

    def answer(self, kind: str, request: dict[str, Any], ask: Callable[[], Entry]) -> tuple[Entry, bool]:
        """The entry of `request`, and whether it was on record. Raises ModelError."""
        if (found := self.known(kind, request)) is not None:
            return found, True
        place = address(kind, request)
        entry = ask()
        if self.mode == "off":
            return entry, False
        kept = self.cache.put(entry, replace=self.mode == "record")
        with self._lock:
            self._made.add(place)
        return kept, False

    def known(self, kind: str, request: dict[str, Any]) -> Entry | None:
        """The entry of `request` that the mode lets be used, or None. Raises ModelError for a miss in a replay."""
        place = address(kind, request)
        if not (self.mode in ("replay", "auto") or (self.mode == "record" and place in self._made)):
            return None
        found = self._found(place)
        if found is None and self.mode == "replay":
            raise ModelError(Cause.REPLAY_MISS, f"no {kind} {place[:12]} in {self.cache.path}")
        return found

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


class RecordedScorer(BatchScorer):
    """The scorer that `connect` gives, behind a record. A text with a secret is scored and not kept."""

    def __init__(self, name: str, connect: Callable[[], BatchScorer], record: Record) -> None:
        self.name, self._connect, self._record = name, connect, record

    def score(self, prompt: str, continuation: str) -> tuple[float, ...]:
        """Log-probabilities; see `Scorer`."""
        return self.score_many([prompt], continuation)[0]

    def score_many(
        self, prompts: Sequence[str], continuation: str, *, step: Callable[[], None] | None = None
    ) -> list[tuple[float, ...]]:
        """Log-probabilities; see `BatchScorer`. What is not on record is asked for in batches, each kept when it comes.

        `step` is called once a distinct prompt.
        """
        found: dict[str, tuple[float, ...]] = {}
        missing: list[str] = []
        for prompt in sorted(set(prompts)):
            known = self._known(prompt, continuation)
            if known is None:
                missing.append(prompt)
                continue
            found[prompt] = known
            if step is not None:
                step()
        for start in range(0, len(missing), BATCH):
            batch = missing[start : start + BATCH]
            for prompt, scores in zip(batch, self._connect().score_many(batch, continuation), strict=True):
                found[prompt] = self._kept(prompt, continuation, tuple(map(float, scores)))
                if step is not None:
                    step()
        return [found[prompt] for prompt in prompts]

    def _request(self, prompt: str, continuation: str) -> dict[str, Any]:
        return {"model": self.name, "prompt": prompt, "continuation": continuation}

    def _known(self, prompt: str, continuation: str) -> tuple[float, ...] | None:
        """What is on record. Raises ModelError where a replay has nothing else."""
        found = self._record.known("score", self._request(prompt, continuation))
        if found is None:
            return None
        try:
            return logprobs(found)
        except CorruptEntry as damage:
            raise ModelError(Cause.REPLAY_MISS, str(damage)) from None

    def _kept(self, prompt: str, continuation: str, scores: tuple[float, ...]) -> tuple[float, ...]:
        if secrets_in(f"{prompt}\n{continuation}"):
            return scores
        request = self._request(prompt, continuation)
        entry, _ = self._record.answer(
            "score", request, lambda: Entry("score", request, {"logprobs": list(scores)}, {}, _now())
        )
        return logprobs(entry)


def _clean(text: str) -> str:
    return redact_text(_text(text))[0]


def _text(text: str) -> str:
    """`text` without lone surrogates, which no server can be sent."""
    return text.encode("utf-8", "replace").decode()


def _now() -> str:
    return datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
