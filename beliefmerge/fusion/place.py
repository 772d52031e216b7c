"""Where DeepSeek Harness keeps a session: a directory for the project, in it one for the session, in it its log."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from beliefmerge.errors import UsageError
from beliefmerge.session.directory import is_generation
from beliefmerge.session.text import one_line

_ID = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]{0,119}")
_SEPARATORS = re.compile(r"[/\\:]+")
_UNSAFE = re.compile(r"[^A-Za-z0-9._-]")
_LONGEST_KEY = 251


@dataclass(frozen=True, slots=True)
class Place:
    """A log that can be created, and whether it is compressed, as all under one root must be alike."""

    path: Path
    compressed: bool


def default_root() -> Path:
    """``$DSH_HOME/sessions``, by default ``~/.dsh/sessions``."""
    home = os.environ.get("DSH_HOME")
    return (Path(home) if home else Path("~/.dsh").expanduser()) / "sessions"


def check_id(target: str) -> str:
    """`target` as the id of a new session: up to 120 letters, digits, ``.``, ``_`` and ``-``. Raises UsageError."""
    if not _ID.fullmatch(target):
        raise UsageError(
            f"target id {one_line(target, 80)!r}: 1 to 120 of A-Z a-z 0-9 . _ -, the first neither . nor -"
        )
    return target


def project_key(cwd: str | None) -> str:
    """The name of the directory of a project."""
    if cwd is None:
        return "_no-cwd"
    readable = _UNSAFE.sub(lambda m: _escaped(m[0]), _SEPARATORS.sub("-", cwd)).lstrip("-")
    return f"--{(readable or 'root')[:_LONGEST_KEY]}--"


def segment(name: str) -> str:
    """The name of the directory of a session."""
    if set(name) <= {"."} and len(name) < 3:
        return "~002E" * len(name)
    return _UNSAFE.sub(lambda m: _escaped(m[0]), name)


def check_free(root: Path, name: str) -> None:
    """No session under `root` has this id, in whatever project. Raises UsageError."""
    there = next((each for each in session_directories(root) if each.name == segment(name)), None)
    if there is not None:
        raise UsageError(f"session {name!r} already exists: {there}")


def session_directories(root: Path) -> Iterator[Path]:
    """The directories under `root` in which a log stands, in the order of their names; links are not followed."""
    for project in _directories(root):
        for session in _directories(project):
            if any(map(is_generation, _entries(session))):
                yield session


def is_compressed(root: Path) -> bool:
    """Whether logs under `root` are compressed: yes where one is, no where all are raw, yes where there is none."""
    raw = False
    for session in session_directories(root):
        for entry in filter(is_generation, _entries(session)):
            if entry.name.endswith(".zstd"):
                return True
            raw = True
    return not raw


def under_root(root: Path, cwd: str | None, name: str, version: int) -> Place:
    """The place of a new session under `root`.

    Raises UsageError where one with this id is there already, and where the place is a link: behind one a session would
    be found by nobody, or stand beside the log of another.
    """
    check_free(root, name)
    compressed = is_compressed(root)
    directory = root / project_key(cwd) / segment(name)
    for each in (directory.parent, directory):
        if each.is_symlink():
            raise UsageError(f"{each} is a symbolic link, and no session is created behind one")
    return Place(directory / f"session.v{version}.jsonl{'.zstd' if compressed else ''}", compressed)


def at_path(out: Path, name: str, version: int) -> Place:
    """The place that a caller names: a file, compressed where its name ends in ``.zstd``, or a directory to put the
    session's own into.

    Raises UsageError for a file that exists, or a raw one among compressed ones.
    """
    if out.is_dir():
        compressed = is_compressed(out.parent) if any(session_directories(out.parent)) else is_compressed(out)
        out = out / segment(name) / f"session.v{version}.jsonl{'.zstd' if compressed else ''}"
    compressed = out.suffix in (".zstd", ".zst")
    if out.exists() or out.is_symlink():
        raise UsageError(f"{out} already exists")
    if not compressed and any(entry.name.endswith(".jsonl.zstd") for entry in _entries(out.parent)):
        raise UsageError(f"{out}: the logs beside it are compressed; end its name in .zstd")
    return Place(out, compressed)


def _entries(directory: Path) -> list[Path]:
    try:
        return sorted(directory.iterdir())
    except OSError:
        return []


def _directories(directory: Path) -> list[Path]:
    return [entry for entry in _entries(directory) if entry.is_dir() and not entry.is_symlink()]


def _escaped(character: str) -> str:
    """``~XXXX`` for each UTF-16 code unit."""
    units = character.encode("utf-16-be", "surrogatepass")
    return "".join(f"~{units[i] << 8 | units[i + 1]:04X}" for i in range(0, len(units), 2))
