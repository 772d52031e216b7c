"""``context-cite`` behind a pipe, run by an interpreter that has it: ``python peer.py GGUF THREADS``.

A line of JSON in, a line out. Requests by ``op``: `attribute` (the package's own way from step to weights, timed),
`masks` (those it would draw), `fit` (its surrogate over scored masks). Log-probabilities are natural and of the whole
response; weights are log-odds per response token.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
import time
from collections.abc import Sequence
from importlib.metadata import version
from typing import Any

Answer = dict[str, Any]

os.environ |= {"HF_HUB_OFFLINE": "1", "TRANSFORMERS_VERBOSITY": "error", "TQDM_DISABLE": "1"}


class Peer:
    """The package with its model loaded."""

    def __init__(self, gguf: str, threads: int) -> None:
        import nltk

        nltk.download = lambda *_, **__: True  # it would ask the network for what only its own partitioner needs
        import torch
        from context_cite.context_partitioner import BaseContextPartitioner
        from transformers import AutoModelForCausalLM, AutoTokenizer

        torch.set_num_threads(threads)
        place, name = os.path.split(gguf)
        self._tokenizer = AutoTokenizer.from_pretrained(place, gguf_file=name)
        self._model = AutoModelForCausalLM.from_pretrained(place, gguf_file=name).eval()

        class Lines(BaseContextPartitioner):  # type: ignore[misc]
            """Entries as sources, a line each."""

            def __init__(self, entries: Sequence[str]) -> None:
                super().__init__("\n".join(entries))
                self._entries = entries

            num_sources = property(lambda self: len(self._entries))

            def split_context(self) -> None:
                """They come apart."""

            def get_source(self, index: int) -> str:
                """An entry."""
                return self._entries[index]

            def get_context(self, mask: Sequence[bool] | None = None) -> str:
                """The entries that a mask keeps."""
                kept = [True] * len(self._entries) if mask is None else mask
                return "\n".join(entry for entry, keep in zip(self._entries, kept, strict=True) if keep)

        self._lines = Lines
        self.about = {name: version(name) for name in ("context-cite", "torch", "transformers")}

    def attribute(self, entries: Sequence[str], query: str, response: str, ablations: int) -> Answer:
        """Weights as the package finds them, and what they were fitted to."""
        import numpy as np
        from context_cite import ContextCiter

        lines = self._lines(entries)
        citer = ContextCiter(
            self._model, self._tokenizer, lines.context, query, num_ablations=ablations, partitioner=lines
        )
        _, prompt = citer._get_prompt_ids(return_prompt=True)
        citer._cache["output"] = prompt + response
        tokens = len(citer._response_ids)
        begun = time.perf_counter()
        weights = citer.get_attributions(verbose=False)
        seconds = time.perf_counter() - begun
        return {
            "seconds": seconds,
            "weights": (weights / tokens).tolist(),
            "masks": citer._masks.tolist(),
            "log_p": (-np.logaddexp(0.0, -citer._logit_probs.astype(np.float64))).sum(axis=1).tolist(),
            "tokens": tokens,
            "prompt_tokens": len(citer._get_prompt_ids()),
        }

    def masks(self, entries: int, ablations: int, seed: int) -> Answer:
        """The contexts that it would draw."""
        from context_cite.utils import _create_mask

        return {"masks": [_create_mask(entries, 0.5, seed + row).tolist() for row in range(ablations)]}

    def fit(self, masks: Sequence[Sequence[bool]], log_p: Sequence[float], tokens: int) -> Answer:
        """Weights of its surrogate for contexts that are scored."""
        import numpy as np
        from context_cite.solver import LassoRegression

        natural = np.array(log_p)
        with np.errstate(divide="ignore"):
            outputs = natural - np.log1p(-np.exp(natural))
        try:
            weights, bias = LassoRegression().fit(np.array(masks), outputs, tokens)
        except ValueError as error:
            return {"error": str(error).split("\n")[0]}
        return {"weights": (weights / tokens).tolist(), "bias": float(bias) / tokens}


def main() -> None:
    """Load the model, say so, answer until the input ends."""
    answers = sys.stdout
    with contextlib.redirect_stdout(sys.stderr):
        peer = Peer(sys.argv[1], int(sys.argv[2]))
        print(json.dumps(peer.about), file=answers, flush=True)
        for line in sys.stdin:
            asked = json.loads(line)
            print(json.dumps(getattr(peer, asked.pop("op"))(**asked)), file=answers, flush=True)


if __name__ == "__main__":
    main()
