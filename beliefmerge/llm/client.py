"""The one client: any OpenAI-compatible server, through the ``openai`` package.

What may pass (429, 5xx, a broken or refused connection) is tried again a few times, after a wait that doubles,
with jitter, and is at least what ``Retry-After`` asks for. Everything else fails at once. A request runs on a thread of
its own, so that the time limit of the whole call and its cancellation hold whatever the server does.
"""

from __future__ import annotations

import json
import os
import queue
import random
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any
from urllib.parse import urlsplit

from beliefmerge.llm.clock import Clock, SystemClock
from beliefmerge.llm.dialect import Dialect, arguments
from beliefmerge.llm.faults import RETRIED, body, complaint, fault, retry_after, safe
from beliefmerge.llm.protocol import Cause, ChatMessage, Completion, LanguageModel, ModelError, Usage
from beliefmerge.llm.refusal import cut_refusals
from beliefmerge.llm.settings import LlmSettings

FIRST_WAIT_S, LONGEST_WAIT_S = 0.5, 30.0
_MAX_BODY = 32 << 20
_MAX_COUNT = 1 << 53
_TICK_S = 0.05
_LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})


class Client(LanguageModel):
    """A model behind an OpenAI-compatible server. Safe for several threads."""

    def __init__(
        self,
        settings: LlmSettings,
        *,
        cancel: threading.Event | None = None,
        clock: Clock | None = None,
        jitter: Callable[[], float] = random.random,
    ) -> None:
        self.name = settings.model
        self._settings = settings
        self._key = os.environ.get(settings.key_env, "").strip() if settings.key_env else ""
        self._cancel, self._clock, self._jitter = cancel or threading.Event(), clock or SystemClock(), jitter
        self._dialect = Dialect()
        self._sdk: Any = None
        self._lock = threading.Lock()

    def close(self) -> None:
        """Close the connections."""
        with self._lock:
            if self._sdk is not None:
                self._sdk.close()
                self._sdk = None

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
        if self._settings.key_env and not self._key:
            raise ModelError(Cause.UNAVAILABLE, f"no key for {self._settings.name}: set {self._settings.key_env}")
        if not (self._key.isascii() and self._key.isprintable()):
            raise ModelError(Cause.UNAVAILABLE, f"{self._settings.key_env} holds characters that no key has")
        said = [{"role": message.role, "content": message.content} for message in messages]
        started, attempts, refusals = self._clock.now(), 0, 0
        while True:
            rungs = self._dialect.rungs()
            options = arguments(rungs, schema=schema, max_tokens=max_tokens, temperature=temperature, seed=seed)
            attempts += 1
            outcome = self._outcome(said, options, self._left(started))
            if isinstance(outcome, bytes):
                return self._completion(outcome, attempts, self._clock.now() - started)
            if not self._steps_down(outcome, rungs):
                refusals += 1
                self._wait(fault(outcome, key=self._key, url=self._settings.base_url), outcome, refusals, started)

    def _outcome(self, said: list[dict[str, str]], options: Mapping[str, Any], left: float) -> bytes | Exception:
        """The body of a reply, or what went wrong: an error that is raised later has no server's words behind it."""
        try:
            return self._request(said, options, left)
        except Exception as error:
            return error

    def _left(self, started: float) -> float:
        """Seconds that are left of the call's time."""
        left = self._settings.timeout_s - (self._clock.now() - started)
        if left <= 0:
            raise ModelError(Cause.TIMEOUT, f"no reply within {self._settings.timeout_s:g} s")
        return left

    def _steps_down(self, error: Exception, rungs: Mapping[str, int]) -> bool:
        """Whether the server refused an optional parameter that can be left out or said otherwise."""
        import openai

        if not isinstance(error, openai.APIStatusError) or error.status_code not in (400, 422):
            return False
        return self._dialect.step_down(rungs, str(body(error).get("param") or ""), complaint(error))

    def _wait(self, failure: ModelError, error: Exception, refusals: int, started: float) -> None:
        """Wait before the next attempt. Raises `failure` when there is none, or no time for it."""
        import openai

        if failure.cause not in RETRIED or refusals > self._settings.retries:
            raise failure
        seconds = min(LONGEST_WAIT_S, FIRST_WAIT_S * 2 ** (refusals - 1)) * (0.5 + self._jitter() / 2)
        if isinstance(error, openai.APIStatusError):
            seconds = max(seconds, retry_after(error.response.headers) or 0.0)
        if self._clock.now() - started + seconds >= self._settings.timeout_s:
            raise failure
        if self._clock.wait(seconds, self._cancel):
            raise ModelError(Cause.CANCELLED, "")

    def _request(self, messages: list[dict[str, str]], options: Mapping[str, Any], left: float) -> bytes:
        """The body of the reply to one request, made on a thread of its own, within `left` seconds."""
        abandoned = threading.Event()
        results: queue.SimpleQueue[bytes | Exception] = queue.SimpleQueue()

        def work() -> None:
            try:
                results.put(self._body(messages, options, left, abandoned))
            except Exception as error:
                results.put(error)

        threading.Thread(target=work, name="beliefmerge-llm", daemon=True).start()
        waited = 0.0
        try:
            while not self._cancel.is_set():
                try:
                    result = results.get(timeout=min(_TICK_S, left))
                except queue.Empty:
                    waited += _TICK_S
                    if waited >= left:
                        raise ModelError(
                            Cause.TIMEOUT, f"no whole reply within {self._settings.timeout_s:g} s"
                        ) from None
                    continue
                if isinstance(result, Exception):
                    raise result
                return result
            raise ModelError(Cause.CANCELLED, "")
        finally:
            abandoned.set()

    def _body(
        self, messages: list[dict[str, str]], options: Mapping[str, Any], left: float, abandoned: threading.Event
    ) -> bytes:
        import openai

        limits = self._settings
        timeout = openai.Timeout(min(limits.read_timeout_s, left), connect=min(limits.connect_timeout_s, left))
        chat = self._connection().chat.completions.with_streaming_response
        parts: list[bytes] = []
        size = 0
        with chat.create(model=limits.model, messages=messages, timeout=timeout, **options) as response:
            for part in response.iter_bytes():
                parts.append(part)
                size += len(part)
                if abandoned.is_set():
                    break
                if size > _MAX_BODY:
                    raise ModelError(Cause.BROKEN, f"{limits.base_url}: a reply of more than {_MAX_BODY >> 20} MiB")
        return b"".join(parts)

    def _connection(self) -> Any:
        import openai

        with self._lock:
            if self._sdk is None:
                # A proxy for the world is no way to this machine.
                local = urlsplit(self._settings.base_url).hostname in _LOOPBACK
                self._sdk = openai.OpenAI(
                    api_key=self._key or "none",
                    base_url=self._settings.base_url,
                    max_retries=0,
                    http_client=openai.DefaultHttpxClient(
                        trust_env=not local, follow_redirects=False, event_hooks={"response": [cut_refusals]}
                    ),
                )
            return self._sdk

    def _completion(self, raw: bytes, attempts: int, seconds: float) -> Completion:
        """The reply in `raw`. Raises ModelError where it is none."""
        try:
            reply = json.loads(raw)
            choice = reply["choices"][0]
            text = choice["message"].get("content") or ""
            finish, usage = str(choice.get("finish_reason") or "stop"), reply.get("usage") or {}
            counts = [_count(usage.get(name)) for name in ("prompt_tokens", "completion_tokens")]
        except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
            raise ModelError(Cause.BROKEN, f"{self._settings.base_url}: not a chat completion") from None
        if not isinstance(text, str):
            raise ModelError(Cause.BROKEN, f"{self._settings.base_url}: the reply is no text")
        if not text.strip() and finish != "length":
            raise ModelError(Cause.EMPTY, f"{self.name} says nothing (finish reason {safe(finish[:40], self._key)})")
        spent = Usage(counts[0], counts[1], attempts, seconds, self._cost(*counts))
        return Completion(text, finish, str(reply.get("model") or self.name), spent)

    def _cost(self, prompt: int, completion: int) -> float | None:
        per_prompt, per_completion = self._settings.price_prompt, self._settings.price_completion
        if per_prompt is None or per_completion is None:
            return None
        return (prompt * per_prompt + completion * per_completion) / 1e6


def _count(value: Any) -> int:
    """A number of tokens as a server states it; 0 for what is none."""
    return int(value) if isinstance(value, int | float) and 0 <= value <= _MAX_COUNT else 0
