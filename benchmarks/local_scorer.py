"""The local scorer on the fetched weights, one thread: prefill beside llama.cpp's, and contexts that share prefixes."""

from __future__ import annotations

import random
import sys

from benchmarks.measure import Row, seconds, table

LENGTH, ENTRIES, MASKS = 781, 32, 12
ANSWER = " every 23 minutes."


def entries(n: int) -> list[str]:
    return [f"[{i}] The service in room {i * 7} restarts every {i + 3} minutes and keeps its log.\n" for i in range(n)]


def ablated(seed: int = 0) -> list[str]:
    """Contexts in which half of the later entries are left out and the first half stands, as early prefixes repeat."""
    r, all_ = random.Random(seed), entries(ENTRIES)
    half = ENTRIES // 2
    return ["".join([*all_[:half], *(e for e in all_[half:] if r.random() < 0.5)]) for _ in range(MASKS)]


def run() -> list[Row]:
    from beliefmerge.llm.local import open_scorer
    from beliefmerge.llm.local.llama import Cache
    from beliefmerge.llm.local.server import LocalServer
    from beliefmerge.llm.local.store import is_fetched, locate
    from tests.llama_cpp import post

    if not is_fetched():
        print("local_scorer: no weights: python -m beliefmerge model fetch", file=sys.stderr)
        return []
    scorer = open_scorer()
    ids = scorer.ids("".join(entries(80)))[:LENGTH]

    def scratch(prompts: list[str] | list[list[int]]) -> None:
        for prompt in prompts:
            scorer._cache = Cache(scorer._model.shape)
            scorer.score_many([prompt], ANSWER)

    def reused() -> None:
        scorer._cache = Cache(scorer._model.shape)
        scorer.score_many(contexts, ANSWER)

    ours = seconds(lambda: scratch([ids]))
    with LocalServer(locate(), threads=1) as server:
        asked = {"prompt": ids, "n_predict": 1, "temperature": 0.0}
        theirs = seconds(lambda: post(server, "/completion", asked))
    contexts = ablated()
    alone, together = seconds(lambda: scratch(contexts), repeat=1), seconds(reused, repeat=1)
    note = f"{LENGTH / ours:.0f} tokens/s; llama.cpp, quantised: {LENGTH / theirs:.0f}"
    return [
        Row(f"scoring after {LENGTH} tokens", ours, theirs, "< llama.cpp", ours < theirs, note),
        Row(f"{MASKS} contexts, shared prefixes", together, alone, "< 0.75 of one by one", together < 0.75 * alone),
    ]


if __name__ == "__main__":
    print(table(run()))
