"""``python -m attribution.publish``: what the shipped steps rest on by the local model, with the record that shows it.

Writes edges, tables, the report, the figure and the recorded log-probabilities into ``results/published/attribution``.
What is on record there is not scored again, so that a second run needs no weights, and one that was cut short goes on.
``--fresh`` forgets the record.
"""

from __future__ import annotations

import argparse
import hashlib
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

from attribution.config import SHIPPED, AttributionConfig, ScorerConfig
from attribution.run import run
from beliefmerge.errors import BeliefMergeError, UsageError
from beliefmerge.files import write_atomically
from experiment import tables
from experiment.files import write_json
from experiment.results import checkout
from experiment.run import say

RECORDINGS = ("results", "published", "attribution")
"""Below the checkout."""
PACK = "scores.jsonl.zst"
REPLAY = f"scorer.cache=replay scorer.cache_dir={'/'.join(RECORDINGS)}"


def write(directory: Path, cache: str) -> None:
    """Measure the shipped steps, and write what came of it into `directory`."""
    from beliefmerge.llm.cache import pack

    result = run(AttributionConfig(steps=SHIPPED, scorer=ScorerConfig("local", cache=cache, cache_dir=str(directory))))
    say(result.text)
    kept = pack(directory, directory / PACK)
    for single in directory.glob("[0-9a-f][0-9a-f]"):
        shutil.rmtree(single)
    tables.write_all(directory, result.rows, result.columns, data="edges")
    for name, rows in result.tables.items():
        tables.write_parquet(directory / f"{name}.parquet", rows)
    for name, make in result.files.items():
        write_atomically(directory / name, make())
    files = sorted(path for path in directory.iterdir() if path.name != "manifest.json")
    write_json(
        directory / "manifest.json",
        {
            "command": "python -m attribution.publish",
            "replay": f"python -m attribution.run scorer=local steps={SHIPPED} {REPLAY}",
            "model": result.rows[0]["model"],
            "scores": kept,
            "files": {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in files},
        },
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """The command; returns its exit code."""
    parser = argparse.ArgumentParser(prog="python -m attribution.publish", description=__doc__, allow_abbrev=False)
    parser.add_argument("--fresh", action="store_true", help="score anew what is on record")
    parser.add_argument("--replay", action="store_true", help="score nothing: what is not on record is an error")
    parser.add_argument("--into", metavar="DIR", help="write elsewhere than into results/published")
    given = parser.parse_args(arguments)
    try:
        root = checkout()
        if root is None and not given.into:
            raise UsageError("this is no checkout: say where to write, --into DIR")
        directory = Path(given.into) if given.into else root.joinpath(*RECORDINGS)  # type: ignore[union-attr]
        directory.mkdir(parents=True, exist_ok=True)
        if given.fresh:
            (directory / PACK).unlink(missing_ok=True)
        write(directory, "replay" if given.replay else "auto")
    except (BeliefMergeError, OSError) as error:
        sys.stderr.write(f"attribution.publish: error: {' '.join(str(error).split())}\n")
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
