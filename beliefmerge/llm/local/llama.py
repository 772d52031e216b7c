"""A Llama decoder's forward pass in NumPy, with a cache of keys and values that can be cut back.

Root-mean-square normalisation, rotary positions over adjacent pairs (the order GGUF stores), grouped-query attention,
gated SiLU: Touvron et al. (2023). Single precision throughout.

A row's numbers hardly depend on which rows are computed beside it: matrix products of very few rows, which BLAS does
by other routines, are padded, and the softmax's denominator is summed by the product that sums its numerator, so that
masked columns add exact zeros. BLAS may still sum a row in another order when it is beside others: log-probabilities
after a cache that was cut back agree with those after one filled from the start within 1e-5.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from beliefmerge.errors import UsageError
from beliefmerge.llm.local.container import Array, Container, Shape

Turn = NDArray[np.complex64]
"""Rotations: position × 1 × pair."""

CHUNK = 768
"""Most rows computed at once: enough to read the weights seldom, few enough for what lies between layers."""
PIECE = 128
"""Most rows that attend at once: scores of a row for those after it are computed in vain."""
LEAST = 16
"""Fewest rows of a product."""


@dataclass(frozen=True, slots=True)
class Block:
    """Weights of one layer, transposed (inputs × outputs); queries, keys, values and gate, up side by side."""

    attention_norm: Array
    qkv: Array
    attention_out: Array
    feed_norm: Array
    gate_up: Array
    down: Array


class Stretch(NamedTuple):
    """The tokens `ids`, to be read after the first `begin` tokens of what has been read so far."""

    begin: int
    ids: Sequence[int]


class Cache:
    """Keys and values of the tokens so far: ``ids[i]`` is the token of position i."""

    def __init__(self, shape: Shape) -> None:
        self.ids: list[int] = []
        self._shape = shape
        self.keys: list[Array] = [np.empty((shape.kv_heads, 0, shape.head_width), np.float32)] * shape.blocks
        self.values: list[Array] = [np.empty((shape.kv_heads, 0, shape.head_width + 1), np.float32)] * shape.blocks

    def cut(self, length: int) -> None:
        """Forget all but the first `length` tokens."""
        del self.ids[length:]

    def reserve(self, length: int) -> None:
        """Make room for `length` tokens. The values' last column is 1: it sums the weights they are averaged with."""
        room = self.keys[0].shape[1]
        if length <= room:
            return
        more = max(length, 2 * room) - room
        kv = self._shape.kv_heads
        for block in range(self._shape.blocks):
            keys, values = self.keys[block], self.values[block]
            self.keys[block] = np.concatenate([keys, np.zeros((kv, more, keys.shape[2]), np.float32)], axis=1)
            self.values[block] = np.concatenate([values, np.ones((kv, more, values.shape[2]), np.float32)], axis=1)


class Llama:
    """The decoder. `advance` computes hidden states, `logits` what they predict."""

    def __init__(self, container: Container) -> None:
        self.shape = container.shape()
        self.embedding = container.tensor("token_embd.weight")
        tied = not container.has("output.weight")
        self._head = self.embedding.T if tied else container.tensor("output.weight").T
        self._norm = container.tensor("output_norm.weight")
        self._blocks = [_block(container, f"blk.{i}.") for i in range(self.shape.blocks)]
        s = self.shape
        side_by_side = (s.heads + 2 * s.kv_heads) * s.head_width
        if s.heads % max(s.kv_heads, 1) or any(block.qkv.shape[1] != side_by_side for block in self._blocks):
            raise UsageError(f"{container.path}: its weights do not have the numbers of heads that it states")
        factors = container.tensor("rope_freqs.weight") if container.has("rope_freqs.weight") else 1.0
        exponents = np.arange(0, self.shape.head_width, 2) / self.shape.head_width
        self._frequencies = self.shape.rope_base**-exponents / factors

    def advance(self, cache: Cache, stretches: Sequence[Stretch]) -> Array:
        """Final hidden states, normalised, of the tokens of `stretches` one after another (tokens × width).

        Each stretch cuts `cache` back to where it begins, and its tokens join it. An interrupt leaves it as it was or
        cut back.
        """
        states = [self._advance(cache, chunk) for chunk in chunks(stretches, CHUNK, PIECE)]
        return np.concatenate(states) if states else np.empty((0, self.shape.width), np.float32)

    def _advance(self, cache: Cache, chunk: Sequence[Stretch]) -> Array:
        path = cache.ids
        for begin, ids in chunk:
            path = [*path[:begin], *ids]
        cache.cut(min(begin for begin, _ in chunk))
        # Rows that pad come last, so that no row that counts attends to them; the next tokens overwrite them.
        last, padding = chunk[-1], max(0, LEAST - sum(len(ids) for _, ids in chunk))
        padded = [*chunk[:-1], Stretch(last.begin, [*last.ids, *[0] * padding])]
        cache.reserve(max(begin + len(ids) for begin, ids in padded))
        x = self.embedding[[id for _, ids in padded for id in ids]]
        positions = np.concatenate([np.arange(begin, begin + len(ids)) for begin, ids in padded])
        turn: Turn = np.exp(1j * (positions[:, None] * self._frequencies)).astype(np.complex64)[:, None]
        ends = np.cumsum([len(ids) for _, ids in padded])
        places = [(begin, slice(end - len(ids), end)) for (begin, ids), end in zip(padded, ends, strict=True)]
        for number, block in enumerate(self._blocks):
            qkv = self._normed(x, block.attention_norm) @ block.qkv
            # In each layer the stretches come in their order, so that each finds the keys of those it goes on from.
            seen = [self._attend(cache, number, qkv[rows], begin, turn[rows]) for begin, rows in places]
            x += np.concatenate(seen) @ block.attention_out
            x += _gated(self._normed(x, block.feed_norm) @ block.gate_up) @ block.down
        cache.ids = path
        return self._normed(x, self._norm)[: len(x) - padding]

    def _normed(self, x: Array, weight: Array) -> Array:
        scale = np.sqrt(np.square(x).mean(axis=1, keepdims=True) + np.float32(self.shape.epsilon))
        normed: Array = x / scale
        normed *= weight
        return normed

    def _attend(self, cache: Cache, number: int, qkv: Array, begin: int, turn: Turn) -> Array:
        """Attention of the new rows over the cached ones and themselves; heads side by side (rows × heads·width)."""
        s = self.shape
        rows, end = len(qkv), begin + len(qkv)
        split = np.split(qkv.reshape(rows, -1, s.head_width), [s.heads, s.heads + s.kv_heads], axis=1)
        queries, keys, values = _turned(split[0], turn), _turned(split[1], turn), split[2]
        keys_, values_ = cache.keys[number], cache.values[number]
        keys_[:, begin:end] = keys.transpose(1, 0, 2)
        values_[:, begin:end, :-1] = values.transpose(1, 0, 2)
        group = s.heads // s.kv_heads
        # Query heads that share a key head are stacked: (kv_heads, group·rows, width).
        queries *= np.float32(s.head_width**-0.5)
        stacked = queries.transpose(1, 0, 2).reshape(s.kv_heads, group * rows, -1)
        unseen = np.triu(np.full((rows, rows), -np.inf, np.float32), 1)
        scores = np.empty((group * rows, end), np.float32)
        means = np.empty((s.kv_heads, group * rows, s.head_width), np.float32)
        # Head by head in one buffer: scores of all heads at once would not stay in the processor's cache.
        for head in range(s.kv_heads):
            np.matmul(stacked[head], keys_[head, :end].T, out=scores)
            scores.reshape(group, rows, end)[..., begin:] += unseen
            scores -= scores.max(axis=1, keepdims=True)
            sums = np.exp(scores, out=scores) @ values_[head, :end]
            np.divide(sums[:, :-1], sums[:, -1:], out=means[head])
        joined: Array = means.reshape(s.heads, rows, -1).transpose(1, 0, 2).reshape(rows, -1)
        return joined

    def logits(self, hidden: Array) -> Array:
        """Scores of every token of the vocabulary after each row of `hidden` (rows × vocabulary)."""
        padded = np.pad(hidden, ((0, max(0, LEAST - len(hidden))), (0, 0)))
        scores: Array = (padded @ self._head)[: len(hidden)]
        return scores


def chunks(stretches: Sequence[Stretch], most: int, piece: int) -> Iterator[list[Stretch]]:
    """`stretches` in their order, divided into ones of at most `piece` tokens, in lists of `most` tokens together."""
    chunk: list[Stretch] = []
    room = most
    for begin, ids in stretches:
        at = 0
        while at < len(ids):
            taken = ids[at : at + min(room, piece)]
            chunk.append(Stretch(begin + at, taken))
            at, room = at + len(taken), room - len(taken)
            if not room:
                yield chunk
                chunk, room = [], most
    if chunk:
        yield chunk


def _block(container: Container, prefix: str) -> Block:
    def joined(*names: str) -> Array:
        return np.ascontiguousarray(np.concatenate([container.tensor(f"{prefix}{name}.weight") for name in names]).T)

    return Block(
        attention_norm=container.tensor(f"{prefix}attn_norm.weight"),
        qkv=joined("attn_q", "attn_k", "attn_v"),
        attention_out=joined("attn_output"),
        feed_norm=container.tensor(f"{prefix}ffn_norm.weight"),
        gate_up=joined("ffn_gate", "ffn_up"),
        down=joined("ffn_down"),
    )


def _turned(x: Array, turn: Turn) -> Array:
    """Adjacent pairs of the last axis, taken as complex numbers, turned by their position's angles."""
    pairs: Array = (x.view(np.complex64) * turn).view(np.float32)
    return pairs


def _gated(gate_up: Array) -> Array:
    """``silu(gate) · up``. A gate far below 0 overflows its exponential, to the right limit 0."""
    gate, up = np.split(gate_up, 2, axis=1)
    with np.errstate(over="ignore"):
        gated: Array = np.exp(-gate)
    gated += 1
    np.divide(gate, gated, out=gated)
    gated *= up
    return gated
