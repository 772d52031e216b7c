"""Scores with a server that gives log-probabilities of a prompt: ``/completions`` with ``echo``, as vLLM has it.

Servers are known to return none, or ones that are shifted against the tokens. Before anything is scored a probe must
agree with itself: a token that the server generates has, read back as a part of the prompt, the log-probability it was
generated with, and a text scored whole has that of its parts.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from attribution.scorer import Scorer
from attribution.scorers._text import TextScorer, recorded
from beliefmerge.errors import UsageError
from beliefmerge.llm.protocol import BatchScorer, Cause, ModelError
from beliefmerge.llm.settings import BACKENDS

GLUE = "\n\n"
"""Between a prompt and the response, for a server that is sent plain text."""
PROBE = ("The days of the week are Monday, Tuesday,", " Wednesday, Thursday,", " Friday and Saturday.")
TOLERANCE = 0.02
"""By how many nats a token the two ways of scoring the probe may differ."""


class ServerScorer(BatchScorer):
    """Log-probabilities of text from an OpenAI-compatible server. Probed once, before the first score."""

    def __init__(self, base_url: str, model: str, key: str = "") -> None:
        self.name = f"server:{model}"
        self._url, self._model, self._key = base_url.rstrip("/"), model, key
        self._sdk: Any = None

    def score(self, prompt: str, continuation: str) -> tuple[float, ...]:
        """Log-probabilities; see `Scorer`."""
        return self.score_many([prompt], continuation)[0]

    def score_many(self, prompts: Sequence[str], continuation: str) -> list[tuple[float, ...]]:
        """Log-probabilities; see `BatchScorer`. One request a prompt."""
        if self._sdk is None:
            self._open()
        return [self._echoed(prompt, continuation) for prompt in prompts]

    def close(self) -> None:
        """Close the connections."""
        if self._sdk is not None:
            self._sdk.close()

    def _open(self) -> None:
        from openai import OpenAI

        self._sdk = OpenAI(base_url=self._url, api_key=self._key or "none", max_retries=3, timeout=120.0)
        start, first, second = PROBE
        token, generated = self._generated(start)
        read = sum(self._echoed(start, token))
        if abs(read - generated) > TOLERANCE:
            raise self._unfit(f"a token generated at {generated:.2f} nats reads {read:.2f} in the prompt")
        whole = self._echoed(start, first + second)
        parts = [*self._echoed(start, first), *self._echoed(start + first, second)]
        if abs(sum(whole) - sum(parts)) > TOLERANCE * max(len(whole), 1):
            raise self._unfit(f"a text scored whole gives {sum(whole):.2f} nats, in two parts {sum(parts):.2f}")

    def _generated(self, prompt: str) -> tuple[str, float]:
        """The likeliest next token, and its log-probability as the server gives it while generating."""
        reply = self._asked(prompt, echo=False)
        found = getattr(reply.choices[0], "logprobs", None) if reply.choices else None
        values = getattr(found, "token_logprobs", None)
        if not values or not isinstance(values[0], float) or not reply.choices[0].text:
            raise self._unfit("not even for what it generates")
        return str(reply.choices[0].text), values[0]

    def _echoed(self, prompt: str, continuation: str) -> tuple[float, ...]:
        """Log-probabilities of the tokens that begin in `continuation`."""
        return self._of_reply(self._asked(prompt + continuation, echo=True), len(prompt), len(continuation))

    def _asked(self, text: str, *, echo: bool) -> Any:
        from openai import APIConnectionError, APIError

        try:
            return self._sdk.completions.create(
                model=self._model, prompt=text, max_tokens=1, temperature=0, echo=echo, logprobs=1
            )
        except APIConnectionError:
            raise ModelError(Cause.REFUSED, f"no answer from {self._url}") from None
        except APIError as error:
            said = " ".join(str(error.message).split())[:200]
            raise ModelError(Cause.REJECTED, said.replace(self._key, "…") if self._key else said) from None

    def _of_reply(self, reply: Any, start: int, length: int) -> tuple[float, ...]:
        found = getattr(reply.choices[0], "logprobs", None) if reply.choices else None
        values, offsets = (getattr(found, name, None) for name in ("token_logprobs", "text_offset"))
        if not values or not offsets or len(values) != len(offsets):
            raise self._unfit("its reply has no log-probabilities of the prompt with their places")
        own = [v for v, at in zip(values, offsets, strict=True) if start <= at < start + length]
        if not own or any(not isinstance(value, float) or value > 1e-6 for value in own):
            raise self._unfit("some of the response's tokens have no log-probability")
        if start not in offsets:
            raise self._unfit("a token spans the end of the prompt, so the response's likelihood is not told apart")
        return tuple(own)

    def _unfit(self, why: str) -> ModelError:
        return ModelError(Cause.UNAVAILABLE, f"{self._url} gives no usable prompt log-probabilities: {why}")


def chat(prompt: str) -> str:
    """`prompt` as plain text, up to where the answer begins."""
    return prompt + GLUE


@contextmanager
def open_server(settings: Mapping[str, Any]) -> Iterator[Scorer]:
    """The server at ``settings["base_url"]``, asked when something is not on record. Raises UsageError without one."""
    url, model = settings.get("base_url") or BACKENDS["vllm"].base_url, settings.get("model") or ""
    if not model:
        raise UsageError("scorer=server needs scorer.model: the name of the model that the server has")
    key_env = settings.get("key_env") or ""
    if key_env and not os.environ.get(key_env):
        raise UsageError(f"scorer.key_env={key_env}: no such environment variable")
    scorer = ServerScorer(url, model, os.environ.get(key_env, "") if key_env else "")
    try:
        yield TextScorer("server", recorded(scorer.name, lambda: scorer, settings), chat)
    finally:
        scorer.close()


SCORER = open_server
