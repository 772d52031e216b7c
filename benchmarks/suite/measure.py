"""Timing ways of doing one thing, in turn, and seeing that they do the same."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from beliefmerge.errors import BeliefMergeError
from benchmarks.suite.row import Rounds

T = TypeVar("T")
Work = Callable[[], object]
Clock = Callable[[], float]


def timed(work: Callable[[], T], clock: Clock = time.perf_counter) -> tuple[float, T]:
    """Seconds that `work` takes by `clock`, and what it made; garbage is collected before."""
    gc.collect()
    start = clock()
    made = work()
    return clock() - start, made


def in_turn(*ways: Work, rounds: int = 3, clock: Clock = time.perf_counter) -> list[Rounds]:
    """Seconds of each way in each round, one way after the other, so that what else the machine does meets all."""
    taken = [[timed(way, clock)[0] for way in ways] for _ in range(rounds)]
    return [tuple(way) for way in zip(*taken, strict=True)]


def peak_mib() -> float:
    """The most memory (MiB) that this process has held. `getrusage` would count what its parent held when it began."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM:")) / 1024


def agree(ours: object, reference: object, what: str) -> None:
    """Raise BeliefMergeError where two ways of doing one thing did not give the same."""
    if ours != reference:
        raise BeliefMergeError(f"{what}: ours and the reference disagree")
