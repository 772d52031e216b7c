"""The slow, obvious twin of the local scorer: loops over positions and heads, double precision, no cache.

Written from the paper's formulas, not from the fast pass: one position at a time, one head at a time.
"""

from __future__ import annotations

import math

import numpy as np

from beliefmerge.llm.local.container import Container


class SlowLlama:
    """Log-probabilities by the definition."""

    def __init__(self, container: Container) -> None:
        self.shape = container.shape()
        self.container = container
        self._tensors: dict[str, np.ndarray] = {}

    def tensor(self, name: str) -> np.ndarray:
        if name not in self._tensors:
            self._tensors[name] = self.container.tensor(name).astype(np.float64)
        return self._tensors[name]

    def log_probabilities(self, head: list[int], tail: list[int]) -> list[float]:
        ids = [*head, *tail]
        vectors = [self.tensor("token_embd.weight")[id] for id in ids]
        for block in range(self.shape.blocks):
            vectors = self._block(f"blk.{block}.", vectors)
        output = "output.weight" if self.container.has("output.weight") else "token_embd.weight"
        found = []
        for i, id in enumerate(tail):
            state = self._norm(vectors[len(head) - 1 + i], "output_norm.weight")
            logits = self.tensor(output) @ state
            largest = max(logits)
            found.append(logits[id] - largest - math.log(sum(math.exp(value - largest) for value in logits)))
        return found

    def _norm(self, vector: np.ndarray, weight: str) -> np.ndarray:
        return vector / math.sqrt(sum(vector**2) / len(vector) + self.shape.epsilon) * self.tensor(weight)

    def _block(self, prefix: str, vectors: list[np.ndarray]) -> list[np.ndarray]:
        s, d = self.shape, self.shape.head_width
        normed = [self._norm(vector, prefix + "attn_norm.weight") for vector in vectors]
        q = [self.tensor(prefix + "attn_q.weight") @ vector for vector in normed]
        k = [self.tensor(prefix + "attn_k.weight") @ vector for vector in normed]
        v = [self.tensor(prefix + "attn_v.weight") @ vector for vector in normed]
        after = []
        for t, vector in enumerate(vectors):
            heads = []
            for head in range(s.heads):
                mine = slice(head * d, (head + 1) * d)
                theirs = slice(head // (s.heads // s.kv_heads) * d, (head // (s.heads // s.kv_heads) + 1) * d)
                query = self._turn(q[t][mine], t)
                scores = [float(query @ self._turn(k[u][theirs], u)) / math.sqrt(d) for u in range(t + 1)]
                weights = [math.exp(score - max(scores)) for score in scores]
                heads.append(sum(w * v[u][theirs] for u, w in enumerate(weights)) / sum(weights))
            x = vector + self.tensor(prefix + "attn_output.weight") @ np.concatenate(heads)
            y = self._norm(x, prefix + "ffn_norm.weight")
            gate, up = self.tensor(prefix + "ffn_gate.weight") @ y, self.tensor(prefix + "ffn_up.weight") @ y
            gated = np.array([g / (1 + math.exp(-g)) * u for g, u in zip(gate, up, strict=True)])
            after.append(x + self.tensor(prefix + "ffn_down.weight") @ gated)
        return after

    def _turn(self, vector: np.ndarray, position: int) -> np.ndarray:
        turned = np.empty_like(vector)
        for i in range(0, len(vector), 2):
            angle = position * self.shape.rope_base ** (-i / len(vector))
            if self.container.has("rope_freqs.weight"):
                angle /= self.tensor("rope_freqs.weight")[i // 2]
            turned[i] = vector[i] * math.cos(angle) - vector[i + 1] * math.sin(angle)
            turned[i + 1] = vector[i] * math.sin(angle) + vector[i + 1] * math.cos(angle)
        return turned
