"""The manifest of published results: what was run, by what, and the SHA-256 of each file."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from beliefmerge.errors import BeliefMergeError
from experiment.files import write_json

MANIFEST = "manifest.json"


def digests(directory: Path) -> dict[str, str]:
    """SHA-256 of every file in `directory` but the manifest, by name."""
    files = sorted(path for path in directory.iterdir() if path.is_file() and path.name != MANIFEST)
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


def write_manifest(directory: Path, facts: Mapping[str, Any]) -> None:
    """Write `facts` and the digest of each file that is there."""
    write_json(directory / MANIFEST, {**facts, "files": digests(directory)})


def read_manifest(directory: Path) -> dict[str, Any]:
    """The manifest of `directory`. Raises BeliefMergeError where there is none that can be read."""
    path = directory / MANIFEST
    try:
        manifest = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise BeliefMergeError(f"{path} cannot be read: {error}") from None
    if not isinstance(manifest, dict) or not all(isinstance(manifest.get(key), dict) for key in ("files", "runs")):
        raise BeliefMergeError(f"{path} is no manifest: it has no files and runs by name")
    return manifest


def altered(directory: Path) -> list[str]:
    """What in `directory` is not as its manifest says, a line each."""
    said, found = read_manifest(directory)["files"], digests(directory)
    changed = [f"{name} is not what the manifest says" for name in said if name in found and found[name] != said[name]]
    missing = [f"{name} is missing" for name in said.keys() - found.keys()]
    added = [f"{name} is not in the manifest" for name in found.keys() - said.keys()]
    return sorted([*changed, *missing, *added])
