"""``python -m mergebench.publish``: what the local model does on MergeBench, with the calls that show it.

Runs `live` and `summary`, and arms without a model to hold them against, and writes tables, rows and the recorded
calls into ``results/published/mergebench-live``. Calls that are on record there are not made again, so that a second
run needs no weights, and one that was cut short goes on. ``--fresh`` forgets them.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from experiment import tables
from experiment.published import command, packed, write_manifest
from experiment.run import say
from mergebench.bench import run
from mergebench.config import ArmConfig, LlmConfig, MergeBenchConfig, ScenarioConfig
from mergebench.model import RECORDINGS
from mergebench.report import columns

ARMS = ("concat", "roundrobin", "heuristic", "oracle", "summary", "live")
BUDGETS = (400, 1200)
SCENARIOS = {
    "bridge": ScenarioConfig("bridge"),
    "supersede": ScenarioConfig("supersede"),
    "tie": ScenarioConfig("tie"),
    "derive": ScenarioConfig("derive", topics=12),
}
"""As the command line has them by default."""
LLM: dict[str, Any] = {"name": "local", "max_tokens": 512, "timeout_s": 1800.0}
"""As ``conf/llm/local.yaml`` has it."""
PACK = "calls.jsonl.zst"


def configurations(directory: Path, cache: str, families: Sequence[str]) -> Iterator[MergeBenchConfig]:
    """Every run on these families, model calls recorded in `directory`."""
    for scenario in (SCENARIOS[family] for family in families):
        for budget in BUDGETS:
            for arm in ARMS:
                llm = LlmConfig(**LLM, cache=cache, cache_dir=str(directory))
                yield MergeBenchConfig(arm=ArmConfig(arm), scenario=scenario, budget=budget, llm=llm)


def published(
    directory: Path, cache: str, families: Sequence[str]
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """(rows, cases) of every run. Seconds are left out: with recorded calls they say nothing."""
    rows: list[dict[str, Any]] = []
    cases: list[dict[str, Any]] = []
    for config in configurations(directory, cache, families):
        result = run(config)
        rows += [{key: value for key, value in row.items() if key != "seconds"} for row in result.rows]
        cases += [{"budget": config.budget, **case} for case in result.tables["cases"]]
        say(f"{config.arm.name} on {config.scenario.name} at {config.budget}: done")
    return rows, cases


def write(directory: Path, cache: str, families: Sequence[str]) -> None:
    """Run these families and write what came of it into `directory`."""
    rows, cases = published(directory, cache, families)
    calls = packed(directory, PACK)
    tables.write_all(directory, rows, columns(), data="runs")
    tables.write_parquet(directory / "cases.parquet", cases)
    write_manifest(
        directory,
        {
            "command": "python -m mergebench.publish",
            "replay": "python -m mergebench arm=live scenario=bridge budget=400 llm=local llm.cache=replay",
            "llm": LLM,
            "calls": calls,
        },
    )


def _options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--only", nargs="+", choices=list(SCENARIOS), help="families, all by default")


def main(arguments: Sequence[str] | None = None) -> int:
    """The command; returns its exit code."""
    return command(
        "mergebench.publish",
        __doc__,
        arguments,
        place=RECORDINGS,
        pack=PACK,
        write=lambda directory, cache, given: write(directory, cache, given.only or list(SCENARIOS)),
        options=_options,
    )


if __name__ == "__main__":
    sys.exit(main())
