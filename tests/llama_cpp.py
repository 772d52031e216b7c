"""Log-probabilities from llama.cpp, the second implementation: one request a token, the whole vocabulary returned."""

from __future__ import annotations

import json
import urllib.request

from beliefmerge.llm.local.server import LocalServer


def log_probabilities(
    server: LocalServer, head: list[int], tail: list[int], *, vocabulary: int, letter: int
) -> list[float]:
    """Of each token of `tail` after `head` and the ones before it.

    Probabilities are left out where the token that is drawn ends in half a character, so the draw is pushed to
    `letter`, a token that is a whole one: what is reported are probabilities before the push.
    """
    found = []
    for i, id in enumerate(tail):
        request = {"prompt": [*head, *tail[:i]], "n_predict": 1, "n_probs": vocabulary, "temperature": 0.0}
        reply = post(server, "/completion", {**request, "logit_bias": [[letter, 1e6]]})
        (step,) = reply["completion_probabilities"]
        found += [entry["logprob"] for entry in step["top_logprobs"] if entry["id"] == id]
    return found


def post(server: LocalServer, path: str, body: dict) -> dict:
    url = server.base_url.removesuffix("/v1") + path
    headers = {"Content-Type": "application/json"}
    with urllib.request.urlopen(urllib.request.Request(url, json.dumps(body).encode(), headers), timeout=300) as reply:
        return json.loads(reply.read())
