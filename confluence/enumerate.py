"""``python -m confluence.enumerate``: how many profiles fail, exactly. ``--help`` explains."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from beliefmerge.errors import UsageError
from confluence.config import ConfluenceConfig, space_names, tasks_of
from confluence.figures import failure_rates
from confluence.report import columns, counterexamples, notes, summed
from confluence.store import BLOCKS, of_shards, unfinished
from confluence.work import Block, Task, Worker, plan
from experiment.entry import main
from experiment.groups import TRACKING
from experiment.progress import Bar
from experiment.results import open_results_dir
from experiment.run import NOT_HASHED, Experiment, Result, hash_of, plain
from experiment.tables import Row

_SHARING = ("shard", "shards", "merge")


def run(config: ConfluenceConfig) -> Result:
    """Count this run's share of the blocks, or put the shards of a sweep together."""
    tasks = tasks_of(config)
    blocks = plan(tasks, config.engine)
    if config.merge:
        parts = of_shards(Path(config.merge).expanduser(), _decisive(config), blocks)
        return _result(config, tasks, parts, share="")
    if config.shards > len(blocks):
        raise UsageError(f"{len(blocks)} blocks cannot be dealt to {config.shards} shards: give at most {len(blocks)}")
    mine = [block for block in blocks if block.number % config.shards == config.shard]
    parts = _counted(config, tasks, mine)
    share = f"shard {config.shard} of {config.shards}: {len(mine)} of {len(blocks)} blocks; counts are of these alone"
    return _result(config, tasks, parts, share=share if config.shards > 1 else "")


def _decisive(config: ConfluenceConfig) -> dict[str, Any]:
    """What decides the rows of the whole space."""
    return {name: value for name, value in plain(config).items() if name not in (*NOT_HASHED, *_SHARING)}


def _counted(config: ConfluenceConfig, tasks: Sequence[Task], blocks: Sequence[Block]) -> list[dict[str, Any]]:
    results = open_results_dir(config.results_dir)
    worker = Worker(tasks, config.engine)
    parts: list[dict[str, Any]] = []
    with (
        unfinished(results, hash_of(EXPERIMENT, config), resume=config.resume) as store,
        Bar(len(blocks), "block") as bar,
    ):
        for block in blocks:
            rows = store.load(block)
            if rows is None:
                rows = worker.do(block)
                store.save(block, rows)
            parts.extend(rows)
            bar.step()
    return parts


def _result(config: ConfluenceConfig, tasks: Sequence[Task], parts: Sequence[Row], *, share: str) -> Result:
    rows = summed(tasks, parts, config.space.name, config.engine, whole=not share)
    found = counterexamples(tasks, parts)
    return Result(
        rows=rows,
        columns=columns(),
        notes=notes(found, share=share),
        tables={BLOCKS: parts, **({"counterexamples": found} if found else {})},
        files={} if share else failure_rates(rows),
    )


def _label(config: ConfluenceConfig) -> str:
    return f"{config.space.name}-{config.shape}" + (f"-{config.shard}of{config.shards}" if config.shards > 1 else "")


EXPERIMENT = Experiment(
    name="confluence",
    module="confluence.enumerate",
    title="Confluence",
    headline=lambda config: {"space": "", "shape": ""},
    schema=ConfluenceConfig,
    run=run,
    columns=columns,
    packages=("beliefmerge", "experiment", "confluence"),
    groups={"space": space_names, "tracking": lambda: TRACKING},
    label=_label,
    summary="Confluence: is incremental merging safe, for which summaries, and how often is it not? Exact counts.",
    examples=(
        "space=seed",
        "space=wide",
        "space=custom space.values=3 space.levels=2 space.branches=5 space.form=both shape=tree",
        "-m space=huge 'shard=range(0,8)' hydra/launcher=cores",
        "space=huge merge=<the sweep's directory>",
    ),
)


def with_shards(arguments: Sequence[str]) -> list[str]:
    """`arguments`, with ``shards=N`` added where they sweep over N shards and do not say how many there are."""
    from hydra.core.override_parser.overrides_parser import OverridesParser
    from hydra.errors import HydraException

    swept = [a for a in arguments if a.startswith("shard=")]
    if not swept or any(a.startswith("shards=") for a in arguments):
        return list(arguments)
    try:
        override = OverridesParser.create().parse_override(swept[-1])
    except HydraException:
        return list(arguments)
    if not override.is_sweep_override() or not override.is_discrete_sweep():
        return list(arguments)
    return [*arguments, f"shards={sum(1 for _ in override.sweep_string_iterator())}"]


if __name__ == "__main__":
    # The module run as a script is not the one that a launcher's workers import.
    from confluence import enumerate as command

    sys.exit(main(command.EXPERIMENT, with_shards(sys.argv[1:])))
