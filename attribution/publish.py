"""``python -m attribution.publish``: what the shipped steps rest on by the local model, with the record that shows it.

Writes edges, tables, the report, the figure and the recorded log-probabilities into ``results/published/attribution``.
What is on record there is not scored again, so that a second run needs no weights, and one that was cut short goes on.
``--fresh`` forgets the record.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from attribution.config import SHIPPED, AttributionConfig, ScorerConfig
from attribution.run import run
from beliefmerge.files import write_atomically
from experiment import tables
from experiment.published import command, packed, write_manifest
from experiment.run import say

RECORDINGS = ("results", "published", "attribution")
"""Below the checkout."""
PACK = "scores.jsonl.zst"
REPLAY = f"scorer.cache=replay scorer.cache_dir={'/'.join(RECORDINGS)}"


def write(directory: Path, cache: str) -> None:
    """Measure the shipped steps, and write what came of it into `directory`."""
    result = run(AttributionConfig(steps=SHIPPED, scorer=ScorerConfig("local", cache=cache, cache_dir=str(directory))))
    say(result.text)
    kept = packed(directory, PACK)
    tables.write_all(directory, result.rows, result.columns, data="edges")
    for name, rows in result.tables.items():
        tables.write_parquet(directory / f"{name}.parquet", rows)
    for name, make in result.files.items():
        write_atomically(directory / name, make())
    write_manifest(
        directory,
        {
            "command": "python -m attribution.publish",
            "replay": f"python -m attribution.run scorer=local steps={SHIPPED} {REPLAY}",
            "model": result.rows[0]["model"],
            "scores": kept,
        },
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """The command; returns its exit code."""
    return command(
        "attribution.publish",
        __doc__,
        arguments,
        place=RECORDINGS,
        pack=PACK,
        write=lambda directory, cache, _: write(directory, cache),
    )


if __name__ == "__main__":
    sys.exit(main())
