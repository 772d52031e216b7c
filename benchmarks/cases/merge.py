"""Merging 16 branches of 20,000 messages of 400 characters, in a fresh process, beside splitting the same text plainly.

The text is generated: sentences over a vocabulary of 30,000 words with some numbers, one in ten of them said in several
branches with one span changed, so that there is something to align.
"""

from __future__ import annotations

import contextlib
import json
import os
import random
import re
import subprocess
import sys
import threading
import time
from pathlib import Path

from beliefmerge.session.model import Block, Channel, Message, Session
from benchmarks.suite.benchmark import Benchmark
from benchmarks.suite.row import Row

BRANCHES, MESSAGES, CHARACTERS = 16, 20_000, 400
LIMIT_SECONDS, LIMIT_BYTES = 60, 2 * 1024**3


def _vocabulary(rng: random.Random) -> list[str]:
    syllables = [c + v for c in "bdfgklmnprstvz" for v in ("a", "e", "i", "o", "u", "en", "ar", "is")]
    return ["".join(rng.choices(syllables, k=rng.randint(2, 4))) for _ in range(30_000)]


def _sentence(rng: random.Random, words: list[str]) -> str:
    said = rng.choices(words, k=rng.randint(8, 16))
    if rng.random() < 0.3:
        said[rng.randrange(len(said))] = str(rng.randrange(10_000))
    if rng.random() < 0.3:
        said.insert(3, rng.choice(["is", "uses", "must", "has", "runs on", "was moved to"]))
    return " ".join(said).capitalize() + "."


def sessions(branches: int, messages: int) -> list[Session]:
    """Generated sessions; the same bytes in every run."""
    rng = random.Random(7)
    words = _vocabulary(rng)
    shared = [_sentence(rng, words) for _ in range(2_000)]
    channels = [Channel.USER, Channel.MODEL, Channel.REASONING, Channel.TOOL]
    out = []
    for b in range(branches):
        log = []
        for i in range(messages):
            text = ""
            while len(text) < CHARACTERS - 40:
                if rng.random() < 0.1:
                    said = rng.choice(shared).rstrip(".").split()
                    said[-1] = rng.choice(words)
                    text += " ".join(said) + ". "
                else:
                    text += _sentence(rng, words) + " "
            log.append(Message((Block(channels[i % 4], text[:CHARACTERS]),), seq=i, session=f"s{b}", id=f"s{b}-{i}"))
        out.append(Session(f"s{b}", "plain", tuple(log)))
    return out


def _tree() -> list[int]:
    """The process and its children."""
    children = Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()
    return [os.getpid(), *map(int, children)]


def _resident() -> int:
    """Bytes that this process and its children hold, pages shared by a fork counted once (proportional set size)."""
    total = 0
    for pid in _tree():
        with contextlib.suppress(OSError):
            lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
            total += next(int(line.split()[1]) * 1024 for line in lines if line.startswith("Pss:"))
    return total


class _Peak(threading.Thread):
    """Samples the resident size until stopped; an upper envelope to within what is allocated in a fifth of a second."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.bytes, self._done = 0, threading.Event()

    def run(self) -> None:
        while not self._done.wait(0.2):
            self.bytes = max(self.bytes, _resident())

    def stop(self) -> int:
        self._done.set()
        self.join()
        return max(self.bytes, _resident())


def measured(branches: int, messages: int) -> dict[str, float]:
    """Seconds of the merge and of the plain reference, and the peak resident bytes, input included."""
    from beliefmerge import merge

    given = sessions(branches, messages)
    start = time.perf_counter()
    count = sum(len(re.findall(r"\w+|[^\w\s]", m.text)) for s in given for m in s.messages)
    plain = time.perf_counter() - start
    before, peak = _resident(), _Peak()
    peak.start()
    start = time.perf_counter()
    merged = merge(given, budget=1200)
    ours = time.perf_counter() - start
    assert merged.report.tokens <= 1200
    return {"ours": ours, "plain": plain, "tokens": count, "input": before, "peak": peak.stop()}


def run() -> list[Row]:
    """One row, of one round."""
    code = f"import json; from {__name__} import measured; print(json.dumps(measured({BRANCHES}, {MESSAGES})))"
    done = subprocess.run([sys.executable, "-c", code], check=True, stdout=subprocess.PIPE, text=True)
    figures = json.loads(done.stdout.splitlines()[-1])
    holds = figures["ours"] < LIMIT_SECONDS and figures["peak"] < LIMIT_BYTES
    note = f"{figures['peak'] / 1024**3:.2f} GiB; {figures['tokens'] / 1e6:.0f} M words and marks"
    what = f"merge {BRANCHES} x {MESSAGES:,} x {CHARACTERS}"
    bar = f"< {LIMIT_SECONDS} s, < {LIMIT_BYTES >> 30} GiB"
    peer = "splitting the same text into words and marks once"
    return [Row(what, (figures["ours"],), (figures["plain"],), peer, bar, holds, note)]


BENCHMARK = Benchmark("Merging sixteen long branches, beside splitting the same text into words", run)
