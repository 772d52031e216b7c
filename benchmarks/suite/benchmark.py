"""What a benchmark is, and all of them by name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from beliefmerge.errors import unknown
from beliefmerge.registry import Registry
from benchmarks.suite.row import Row


@dataclass(frozen=True)
class Benchmark:
    """A benchmark: one line about it and what measures it, row by row."""

    summary: str
    run: Callable[[], Iterable[Row]]
    lacks: Callable[[], str] = lambda: ""
    """What is missing here to run it; empty where nothing is."""


CASES: Registry[Benchmark] = Registry("benchmark", "benchmarks.cases", "BENCHMARK")


def chosen(asked: Sequence[str]) -> list[str]:
    """The names that `asked` stand for, all by default: a benchmark's own, or what several begin with (``ledger``:
    ``ledger_fold``, ``ledger_store`` and the others). Raises UsageError for an unknown one, with the nearest match.
    """
    known = CASES.names()
    found: list[str] = []
    for name in asked or known:
        fitting = [name] if name in known else [each for each in known if each.startswith(f"{name}_")]
        if not fitting:
            raise unknown("benchmark", name, known)
        found += fitting
    return list(dict.fromkeys(found))
