"""Benchmarks as a published experiment: one run each, and never a time from an older record."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from beliefmerge.errors import BeliefMergeError
from benchmarks.suite.benchmark import CASES
from benchmarks.suite.record import NAME, carry_out, code, config_of
from benchmarks.suite.row import columns
from experiment.published import Kind, Part, Published, Run
from experiment.record import read_record
from experiment.run import RUNS

SAME_AGAIN = ("benchmark", "what", "unit", "peer", "bar", "holds")
"""Columns that are the same in every run: what is compared, what is promised, and the verdict."""


@dataclass(frozen=True)
class Suite:
    """A source of runs: the arguments are names of benchmarks."""

    command: str = NAME

    def make(self, arguments: Sequence[str], results: Path, *, again: bool = False) -> Run:
        """Measure now. Raises BeliefMergeError where a benchmark lacks something or does not finish."""
        run, outcome = carry_out(arguments, results, label="-".join(arguments))
        for name, why in (outcome.left_out | outcome.failed).items():
            raise BeliefMergeError(f"benchmark {name}: {why}")
        config, record = config_of(arguments), read_record(run.path) or {}
        return Run({RUNS: outcome.rows}, columns(), config, run.hash, code(), record, run.path)

    def defaults(self) -> Mapping[str, Any]:
        """Nothing is configured."""
        return {}


def measured(name: str, summary: str, benchmarks: Sequence[str]) -> Published:
    """A published experiment of these benchmarks, left out where one of them lacks something."""

    def lacks() -> str:
        missing = {each: CASES[each].lacks() for each in benchmarks}
        return "; ".join(f"benchmark {each}: {why}" for each, why in missing.items() if why)

    return Published(
        name,
        summary,
        [Part(Suite(), benchmarks, sampled=lambda arguments: False)],
        kind=Kind.MEASURED,
        left_out=(),
        stable=SAME_AGAIN,
        lacks=lacks,
    )
