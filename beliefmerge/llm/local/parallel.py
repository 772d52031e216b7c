"""One scorer in several processes: each takes a run of prompts that begin alike, so that each reuses what it computed.

Processes, since a thread of BLAS that waits spins, and two of them use two cores worse than two processes do.
"""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from beliefmerge.llm.local.prefixes import common
from beliefmerge.llm.protocol import BatchScorer, Cause, ModelError


class ParallelScorer(BatchScorer):
    """Scores with the GGUF file at `path` in `processes` processes, started when the first prompt is scored.

    `name` is that of the scorer in one process: the numbers are the same, up to single precision. A context manager.
    """

    def __init__(self, path: Path, name: str, *, processes: int = 2) -> None:
        if processes < 1:
            raise ValueError("a scorer needs a process")
        self.name, self._path, self._count = name, path, processes
        self._workers: list[_Worker] = []

    def score(self, prompt: str, continuation: str) -> tuple[float, ...]:
        """Log-probabilities; see `Scorer`."""
        return self.score_many([prompt], continuation)[0]

    def score_many(self, prompts: Sequence[str], continuation: str) -> list[tuple[float, ...]]:
        """Log-probabilities; see `BatchScorer`. Raises ModelError, also where a process ends early."""
        self.start()
        shares = shared_out(prompts, self._count)
        with ThreadPoolExecutor(self._count) as pool:
            answers = pool.map(lambda worker, share: worker.ask(share, continuation), self._workers, shares)
            found = {
                prompt: tuple(s)
                for share, a in zip(shares, answers, strict=True)
                for prompt, s in zip(share, a, strict=True)
            }
        return [found[prompt] for prompt in prompts]

    def start(self) -> None:
        """Start the processes and wait until they have loaded the model, unless they run. Raises ModelError."""
        if self._workers:
            return
        self._workers = [_Worker(self._path) for _ in range(self._count)]
        for worker in self._workers:
            worker.hear()

    def close(self) -> None:
        """End the processes."""
        workers, self._workers = self._workers, []
        for worker in workers:
            worker.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        self.close()


def shared_out(prompts: Sequence[str], shares: int) -> list[list[str]]:
    """The distinct prompts, sorted, in `shares` runs of about equal work: what a prompt adds to the one before it."""
    order = sorted(set(prompts))
    work = [len(b) - common(a, b) + 1 for a, b in zip(["", *order], order, strict=False)]
    runs: list[list[str]] = [[] for _ in range(shares)]
    done, total = 0.0, sum(work)
    for prompt, own in zip(order, work, strict=True):
        runs[min(shares - 1, int(shares * (done + own / 2.0) / total))].append(prompt)
        done += own
    return runs


class _Worker:
    """A process that scores."""

    def __init__(self, path: Path) -> None:
        started = [sys.executable, "-m", "beliefmerge.llm.local.worker", str(path)]
        self._process = subprocess.Popen(started, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, prompts: Sequence[str], continuation: str) -> list[list[float]]:
        """The scores of `prompts`."""
        if not prompts:
            return []
        assert self._process.stdin is not None
        with contextlib.suppress(BrokenPipeError):
            self._process.stdin.write(json.dumps({"prompts": list(prompts), "continuation": continuation}) + "\n")
            self._process.stdin.flush()
        scores: list[list[float]] = self.hear()["scores"]
        return scores

    def hear(self) -> dict[str, Any]:
        """Its next line."""
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise ModelError(Cause.UNAVAILABLE, f"a process of the local model ended early ({self._process.wait()})")
        said: dict[str, Any] = json.loads(line)
        if "error" in said:
            raise ModelError(Cause(said["cause"]), said["error"])
        return said

    def close(self) -> None:
        """End it: closing its standard input does; kill it where that does not."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        with contextlib.suppress(OSError):
            self._process.stdin.close()
        try:
            self._process.wait(timeout=3)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._process.stdout.close()
