"""``python -m mergebench.trajectory.publish``: the panel, the retention curve and the model calls behind them.

Writes rows, tables and figures into ``results/published/trajectory``. Summaries are replayed from the calls recorded
there, as are the log-probabilities of attribution; what has been recorded into that directory since is packed first.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from beliefmerge.errors import BeliefMergeError, UsageError
from experiment import tables
from experiment.entry import conf_dir
from experiment.published import packed, write_manifest
from experiment.run import say
from experiment.tables import Row
from mergebench.config import ArmConfig, CriterionConfig, LlmConfig, MergeBenchConfig, ScenarioConfig
from mergebench.trajectory.bench import recordings, run
from mergebench.trajectory.columns import columns
from mergebench.trajectory.figures import by_arm, retention_curves
from mergebench.trajectory.registry import TRAJECTORY
from mergebench.trajectory.world import Ledgers, ledgers

PACK = "calls.jsonl.zst"
STEPS = 10
"""Of the curve: q = 0, 0.1, …, 1."""
CURVE = ("flat_retention", "ledger_v2")


def scenario(**changed: Any) -> ScenarioConfig:
    """The scenario as ``conf/scenario/trajectory.yaml`` has it, its criteria included."""
    from omegaconf import OmegaConf

    given: Any = OmegaConf.to_container(OmegaConf.load(conf_dir() / "scenario" / f"{TRAJECTORY}.yaml"))
    criteria = [CriterionConfig(**criterion) for criterion in given.pop("criteria")]
    return ScenarioConfig(**{**given, "criteria": criteria, **changed})


def panel(directory: Path) -> MergeBenchConfig:
    """The run of all arms, summaries replayed from `directory`."""
    llm = LlmConfig("none", cache_dir=str(directory))
    return MergeBenchConfig(ArmConfig("panel"), scenario(), llm=llm)


def curve(service: Ledgers) -> list[Row]:
    """The rows of a sweep over q."""
    rows: list[Row] = []
    for arm in CURVE:
        for step in range(STEPS + 1):
            given = scenario(retention=step / STEPS, criteria=[])
            rows += run(MergeBenchConfig(ArmConfig(arm), given), service).rows
        say(f"{arm}: done")
    return rows


def write(directory: Path) -> None:
    """Run everything and write it into `directory`."""
    from beliefmerge.files import write_atomically

    calls = packed(directory, PACK)
    with ledgers() as service:
        result = run(panel(directory), service)
        say(result.text)
        swept = curve(service)
    tables.write_all(directory, result.rows, columns(), data="runs")
    for name, rows in (*result.tables.items(), ("curve", swept)):
        tables.write_parquet(directory / f"{name}.parquet", rows)
    for name, make in {**by_arm(result.rows), **retention_curves(swept)}.items():
        write_atomically(directory / name, make())
    write_manifest(
        directory,
        {
            "command": "python -m mergebench.trajectory.publish",
            "replay": f"python -m mergebench scenario={TRAJECTORY} arm=panel",
            "calls": calls,
        },
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """The command; returns its exit code."""
    parser = argparse.ArgumentParser(prog="python -m mergebench.trajectory.publish", description=__doc__)
    parser.add_argument("--into", metavar="DIR", help="a directory with recorded calls, in place of results/published")
    given = parser.parse_args(arguments)
    try:
        into = given.into or recordings()
        if not into:
            raise UsageError("no published recordings here: name a directory with recorded calls, --into DIR")
        write(Path(into))
    except (BeliefMergeError, OSError) as error:
        sys.stderr.write(f"mergebench.trajectory.publish: error: {' '.join(str(error).split())}\n")
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
