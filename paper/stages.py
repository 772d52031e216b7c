"""Making the stages' files, and `stages.json`: for each stage the SHA-256 of its source, of what it read and wrote."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from beliefmerge.files import write_atomically
from experiment.files import write_json
from experiment.progress import Bar
from paper import stage
from paper.published import Published, Table

LOCK = "stages.json"
Lock = Mapping[str, Mapping[str, Any]]
"""By stage: ``kind``, ``source`` (SHA-256), ``reads`` (table to SHA-256 and runs), ``writes`` (file to SHA-256)."""


def read_lock(directory: Path) -> dict[str, Mapping[str, Any]]:
    """The lock of what was built in `directory`; empty where there is none that can be read."""
    try:
        lock = json.loads((directory / LOCK).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    whole = isinstance(lock, dict) and all(isinstance(facts, dict) for facts in lock.values())
    return lock if whole and all(isinstance(facts.get("writes"), dict) for facts in lock.values()) else {}


def build(names: Sequence[str], published: Published, directory: Path) -> list[str]:
    """Make the stages `names` into `directory` where they are not up to date; the names of those that were made.

    A stage is up to date when its source, what it reads and what it wrote are as the lock says. Files of stages that
    are gone are removed.
    """
    old = read_lock(directory)
    for left in directory.glob(".beliefmerge-*.tmp"):
        left.unlink()
    known = set(stage.names())
    lock = {name: facts for name, facts in old.items() if name in known}
    made = []
    with Bar(len(names), "stage") as bar:
        for name in names:
            if not _up_to_date(name, lock.get(name), published, directory):
                lock[name] = _build(name, published, directory)
                made.append(name)
            bar.step()
    _forget([facts for name, facts in old.items() if name not in known], lock, directory)
    if lock != old or not (directory / LOCK).exists():
        write_json(directory / LOCK, lock)
    return made


def files(lock: Lock) -> set[str]:
    """The names of all files that the stages in `lock` wrote."""
    return {file for facts in lock.values() for file in facts["writes"]}


def _build(name: str, published: Published, directory: Path) -> Mapping[str, Any]:
    made = stage.made(name, published)
    for file, content in made.items():
        write_atomically(directory / file, content)
    return _inputs(name, published) | {"writes": {file: _sha256(content) for file, content in made.items()}}


def _inputs(name: str, published: Published) -> dict[str, Any]:
    member = stage.named(name)
    tables = [published.table(reference) for reference in member.reads]
    return {"kind": member.kind, "source": stage.source_sha256(name), "reads": dict(map(_read, tables))}


def _read(table: Table) -> tuple[str, Mapping[str, Any]]:
    return table.reference, {"sha256": table.sha256, "runs": table.runs(table.rows)}


def _up_to_date(name: str, facts: Mapping[str, Any] | None, published: Published, directory: Path) -> bool:
    if facts is None or {key: facts.get(key) for key in ("kind", "source", "reads")} != _inputs(name, published):
        return False
    return all(
        (directory / file).is_file() and _sha256((directory / file).read_bytes()) == sha256
        for file, sha256 in facts.get("writes", {}).items()
    )


def _forget(gone: Iterable[Mapping[str, Any]], lock: Lock, directory: Path) -> None:
    for facts in gone:
        for file in set(facts.get("writes", {})) - files(lock):
            if Path(file).name == file:
                (directory / file).unlink(missing_ok=True)


def _sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
