"""Published results: a directory of small tables, the model calls behind them in one pack, and a manifest."""

from __future__ import annotations

import argparse
import hashlib
import shutil
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from beliefmerge.errors import BeliefMergeError, UsageError
from experiment.files import write_json
from experiment.results import checkout

MANIFEST = "manifest.json"


def packed(directory: Path, pack: str) -> int:
    """Put the calls recorded in `directory` into its one file `pack`; how many there are."""
    from beliefmerge.llm import cache

    calls = cache.pack(directory, directory / pack)
    for single in directory.glob("[0-9a-f][0-9a-f]"):
        shutil.rmtree(single)
    return calls


def write_manifest(directory: Path, facts: Mapping[str, Any]) -> None:
    """Write the manifest: `facts`, such as the commands that make and replay it, and each file's SHA-256."""
    files = sorted(path for path in directory.iterdir() if path.is_file() and path.name != MANIFEST)
    hashes = {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in files}
    write_json(directory / MANIFEST, {**facts, "files": hashes})


def command(
    module: str,
    doc: str | None,
    arguments: Sequence[str] | None,
    *,
    place: Sequence[str],
    pack: str,
    write: Callable[[Path, str, argparse.Namespace], None],
    options: Callable[[argparse.ArgumentParser], None] | None = None,
) -> int:
    """``python -m <module>``: have ``write(directory, cache mode, options)`` fill `place` below the checkout.

    Returns the exit code; what goes wrong is one line.
    """
    parser = argparse.ArgumentParser(prog=f"python -m {module}", description=doc, allow_abbrev=False)
    parser.add_argument("--fresh", action="store_true", help="make anew every call that is on record")
    parser.add_argument("--replay", action="store_true", help="make no call: one that is not on record is an error")
    parser.add_argument("--into", metavar="DIR", help="write elsewhere than into results/published")
    if options is not None:
        options(parser)
    given = parser.parse_args(arguments)
    try:
        directory = _directory(given.into, place)
        directory.mkdir(parents=True, exist_ok=True)
        if given.fresh:
            (directory / pack).unlink(missing_ok=True)
        write(directory, "replay" if given.replay else "auto", given)
    except (BeliefMergeError, OSError) as error:
        sys.stderr.write(f"{module}: error: {' '.join(str(error).split())}\n")
        return 2
    return 0


def _directory(into: str | None, place: Sequence[str]) -> Path:
    if into:
        return Path(into)
    root = checkout()
    if root is None:
        raise UsageError("this is no checkout: say where to write, --into DIR")
    return root.joinpath(*place)
