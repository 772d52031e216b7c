"""The local scorer on the fetched weights, one thread: prefill beside llama.cpp's, and contexts that share prefixes."""

from __future__ import annotations

import json
import random
import statistics
import urllib.request
from collections.abc import Sequence
from typing import TYPE_CHECKING

from benchmarks.suite.benchmark import Benchmark
from benchmarks.suite.measure import in_turn
from benchmarks.suite.row import Row

if TYPE_CHECKING:
    from beliefmerge.llm.local.server import LocalServer

LENGTH, ENTRIES, MASKS = 781, 32, 12
ANSWER = " every 23 minutes."
SHARE = 0.75


def entries(n: int) -> list[str]:
    """Lines of a context."""
    return [f"[{i}] The service in room {i * 7} restarts every {i + 3} minutes and keeps its log.\n" for i in range(n)]


def ablated(seed: int = 0) -> list[str]:
    """Contexts in which half of the later entries are left out and the first half stands, as early prefixes repeat."""
    r, all_ = random.Random(seed), entries(ENTRIES)
    half = ENTRIES // 2
    return ["".join([*all_[:half], *(e for e in all_[half:] if r.random() < 0.5)]) for _ in range(MASKS)]


def lacks() -> str:
    """The weights, where they are not fetched."""
    from beliefmerge.llm.local.store import is_fetched

    return "" if is_fetched() else "no weights: python -m beliefmerge model fetch"


def run() -> list[Row]:
    """Prefill beside llama.cpp, and contexts together beside one by one."""
    from beliefmerge.llm.local import open_scorer
    from beliefmerge.llm.local.llama import Cache
    from beliefmerge.llm.local.server import LocalServer
    from beliefmerge.llm.local.store import locate

    scorer = open_scorer()
    ids = scorer.ids("".join(entries(80)))[:LENGTH]
    contexts = ablated()

    def scratch(prompts: Sequence[str] | Sequence[list[int]]) -> None:
        for prompt in prompts:
            scorer._cache = Cache(scorer._model.shape)
            scorer.score_many([prompt], ANSWER)

    def reused() -> None:
        scorer._cache = Cache(scorer._model.shape)
        scorer.score_many(contexts, ANSWER)

    with LocalServer(locate(), threads=1) as server:
        ours, theirs = in_turn(lambda: scratch([ids]), lambda: _prefill(server, ids))
    together, alone = in_turn(reused, lambda: scratch(contexts), rounds=1)
    rate, other = (LENGTH / statistics.median(taken) for taken in (ours, theirs))
    faster, fewer = rate > other, statistics.median(together) < SHARE * statistics.median(alone)
    note = f"{rate:.0f} tokens/s; llama.cpp {other:.0f}"
    peer = "llama.cpp, same file, quantised, one thread"
    return [
        Row(f"scoring after {LENGTH} tokens", ours, theirs, peer, "< llama.cpp", faster, note),
        Row(f"{MASKS} contexts, shared prefixes", together, alone, "one by one", f"< {SHARE} of one by one", fewer),
    ]


def _prefill(server: LocalServer, ids: list[int]) -> None:
    """Have llama.cpp read `ids` and say one token; nothing is kept from the time before."""
    asked = {"prompt": ids, "n_predict": 1, "temperature": 0.0, "cache_prompt": False}
    url, body = server.base_url.removesuffix("/v1") + "/completion", json.dumps(asked).encode()
    request = urllib.request.Request(url, body, {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=300) as reply:
        reply.read()


BENCHMARK = Benchmark("The local scorer on the fetched weights, beside llama.cpp on one thread", run, lacks)
