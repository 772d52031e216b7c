"""Likelihoods of given text under the local model: exact, offline, prefixes computed once."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from beliefmerge.llm.local.container import Container
from beliefmerge.llm.local.llama import CHUNK, Cache, Llama, Stretch
from beliefmerge.llm.local.prefixes import common, visits
from beliefmerge.llm.local.store import named
from beliefmerge.llm.local.tokenizer import Tokenizer
from beliefmerge.llm.protocol import Cause, ModelError

Prompt = str | Sequence[int]
"""A model's raw input: text, in which markers such as ``<|im_start|>`` are control tokens, or token ids."""

ROWS = 64
"""About how many rows are multiplied with the vocabulary at once: each takes a megabyte."""


class LocalScorer:
    """A `Scorer` over the GGUF file at `path`. Safe to share between threads; they take turns.

    BLAS gets `threads` threads. One is the default: threads of BLAS wait by spinning, so that two of them on a machine
    that is busy otherwise are many times slower than one, and two processes use two cores better than two threads.

    The continuation is tokenised by itself, markers in it are plain text: it has the same tokens after every prompt.
    """

    def __init__(self, path: Path, *, threads: int = 1) -> None:
        from threadpoolctl import ThreadpoolController

        container = Container(path)
        self.name = named(path, container.sha256)
        self.sha256 = container.sha256
        self.tokenizer = Tokenizer(container)
        self._model = Llama(container)
        self._cache = Cache(self._model.shape)
        self._turn = threading.Lock()
        self._pools, self._threads = ThreadpoolController(), threads
        self.computed = 0
        """Tokens that have gone through the model so far."""

    def score(self, prompt: str, continuation: str) -> tuple[float, ...]:
        """Natural log-probability of each token of `continuation` after `prompt`, in order. Raises ModelError."""
        return tuple(float(value) for value in self.score_many([prompt], continuation)[0])

    def score_many(
        self, prompts: Sequence[Prompt], continuation: Prompt, *, step: Callable[[], None] | None = None
    ) -> list[NDArray[np.float64]]:
        """For each of `prompts`, the log-probabilities of `continuation`'s tokens after it.

        Equal prompts are scored once, common beginnings computed once. `step` is called once a prompt. Raises
        ModelError for a prompt that is empty, or too long together with the continuation for the model's context.
        """
        tail = self.tokenizer.encode(continuation) if isinstance(continuation, str) else list(continuation)
        heads = [self.ids(prompt) for prompt in prompts]
        for head in heads:
            self._check(head, tail)
        found: list[NDArray[np.float64]] = [np.empty(0)] * len(heads)
        order = list(visits(heads))
        with self._turn, self._pools.limit(limits=self._threads, user_api="blas"):
            for group, values in zip(order, self._score([heads[group[0]] for group in order], tail), strict=True):
                for i in group:
                    found[i] = values.copy()
                    if step is not None:
                        step()
        return found

    def ids(self, prompt: Prompt) -> list[int]:
        """Token ids of a prompt, with the beginning-of-text token where the model wants one."""
        if isinstance(prompt, str):
            return [*self.tokenizer.beginning, *self.tokenizer.encode(prompt, markers=True)]
        return list(prompt)

    def _check(self, head: Sequence[int], tail: Sequence[int]) -> None:
        length, most, vocabulary = len(head) + len(tail), self._model.shape.context, self._model.shape.vocabulary
        if not head:
            raise ModelError(Cause.REJECTED, "an empty prompt leaves the first token without a context")
        if length > most:
            raise ModelError(Cause.REJECTED, f"{length} tokens are more than the model's context of {most}")
        if wrong := [id for id in (*head, *tail) if not 0 <= id < vocabulary]:
            raise ModelError(Cause.REJECTED, f"{wrong[0]} is no token id (0 to {vocabulary - 1})")

    def _score(self, heads: Sequence[Sequence[int]], tail: Sequence[int]) -> Iterator[NDArray[np.float64]]:
        """The log-probabilities of `tail` after each of `heads`: of as many together as fill a chunk."""
        if not tail:
            yield from [np.empty(0)] * len(heads)
            return
        path, waiting = self._cache.ids, list[Stretch]()
        for head in heads:
            ids = [*head, *tail[:-1]]
            # The prompt's last token is computed anew in any case: its row predicts the continuation's first.
            kept = min(common(path, ids), len(head) - 1)
            waiting.append(Stretch(kept, ids[kept:]))
            path = ids
            if sum(len(stretch.ids) for stretch in waiting) >= CHUNK:
                yield from self._together(waiting, tail)
                waiting = []
        yield from self._together(waiting, tail)

    def _together(self, stretches: Sequence[Stretch], tail: Sequence[int]) -> Iterator[NDArray[np.float64]]:
        """The log-probabilities of `tail`, with which each of `stretches` but for its last token ends."""
        hidden = self._model.advance(self._cache, stretches)
        self.computed += len(hidden)
        ends = np.cumsum([len(stretch.ids) for stretch in stretches])
        predicting = [hidden[end - len(tail) : end] for end in ends]
        together = max(1, ROWS // len(tail))
        for at in range(0, len(predicting), together):
            some = predicting[at : at + together]
            values = log_probabilities(self._model.logits(np.concatenate(some)), [*tail] * len(some))
            yield from values.reshape(len(some), len(tail))


def log_probabilities(logits: NDArray[np.float32], ids: Sequence[int]) -> NDArray[np.float64]:
    """``log softmax(logits[i])[ids[i]]`` for each row, in double precision."""
    wide = logits.astype(np.float64)
    wide -= wide.max(axis=1, keepdims=True)
    chosen: NDArray[np.float64] = wide[np.arange(len(ids)), list(ids)] - np.log(np.exp(wide).sum(axis=1))
    return chosen
