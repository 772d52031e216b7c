"""Finished blocks, one parquet file each, so that a killed run goes on where it was; and shards put together."""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from beliefmerge.errors import UsageError
from confluence.work import Block
from experiment.record import read_record
from experiment.sweep import jobs_of
from experiment.tables import Row, read_parquet, write_parquet

BLOCKS = "blocks"
UNFINISHED = "unfinished"


class Store:
    """The blocks of one unfinished run, found again by its configuration's hash."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory

    def _path(self, block: Block) -> Path:
        return self.directory / f"block-{block.number:06d}.parquet"

    def load(self, block: Block) -> list[dict[str, Any]] | None:
        """The rows of a finished block, or None."""
        path = self._path(block)
        return read_parquet(path) if path.exists() else None

    def save(self, block: Block, rows: Sequence[Row]) -> None:
        """Keep a block's rows, whole or not at all."""
        write_parquet(self._path(block), rows)


@contextmanager
def unfinished(results: Path, key: str, *, resume: bool) -> Iterator[Store]:
    """The store of the run with hash `key`; removed when the run ends well. Raises UsageError while another has it."""
    from filelock import FileLock, Timeout

    directory = results / UNFINISHED / key
    directory.mkdir(parents=True, exist_ok=True)
    lock = FileLock(directory / "lock")
    try:
        lock.acquire(timeout=0)
    except Timeout:
        raise UsageError(f"{directory}: a run of the same configuration is at work") from None
    try:
        if not resume:
            for path in directory.glob("block-*.parquet"):
                path.unlink()
        yield Store(directory)
        shutil.rmtree(directory)
    finally:
        lock.release()


def of_shards(sweep: Path, config: dict[str, Any], blocks: Sequence[Block]) -> list[dict[str, Any]]:
    """The block rows of all shards of `sweep`, checked to be each block exactly once and from this configuration.

    `config` is the configuration that decides the rows, without `shard`, `shards` and `merge`.
    """
    runs = [Path(job.run) for job in jobs_of(sweep) if job.run]
    if not runs:
        raise UsageError(f"{sweep}: no finished shards there: merge is a sweep's directory")
    rows: list[dict[str, Any]] = []
    for run in runs:
        record = read_record(run)
        if record is None:
            raise UsageError(f"{run}: no record.json, so the shard is not whole")
        for name, value in config.items():
            if record["config"].get(name) != value:
                raise UsageError(f"{run}: a shard of another run: its {name} is {record['config'].get(name)!r}")
        path = run / f"{BLOCKS}.parquet"
        if not path.exists():
            raise UsageError(f"{path}: missing")
        rows.extend(read_parquet(path))
    _check_cover(sweep, rows, blocks)
    return sorted(rows, key=lambda row: (row["block"], row["task"]))


def _check_cover(sweep: Path, rows: Sequence[Row], blocks: Sequence[Block]) -> None:
    """Raise UsageError unless `rows` are each part of each block exactly once."""
    wanted = Counter((block.number, part.task) for block in blocks for part in block.parts)
    found = Counter((row["block"], row["task"]) for row in rows)
    if missing := sorted({block for block, _ in (wanted - found)}):
        raise UsageError(f"{sweep}: the shards do not cover the space: {_listed(missing)} missing")
    if doubled := sorted({block for block, _ in (found - wanted)}):
        raise UsageError(f"{sweep}: the shards overlap or are of another plan: {_listed(doubled)} counted twice")


def _listed(blocks: Sequence[int]) -> str:
    shown = ", ".join(map(str, blocks[:8])) + (", …" if len(blocks) > 8 else "")
    return f"{len(blocks)} block{'s' if len(blocks) > 1 else ''} ({shown})"
