"""The sessions that can be fused: found in the usual places of the tools that write them, or under a directory."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from beliefmerge.errors import UnreadableSession, UsageError
from beliefmerge.fusion.place import default_root
from beliefmerge.session.directory import is_generation
from beliefmerge.session.model import Session
from beliefmerge.session.redact import redact
from beliefmerge.session.text import one_line

Progress = Callable[[int, int], None]
"""Called after each file with how many were read, of how many."""

_LOGS = (".jsonl", ".jsonl.zstd", ".jsonl.zst")
"""What the tools write; under a directory that was named, JSON documents may be exports."""
_DEPTH = 6


@dataclass(frozen=True, slots=True)
class Listed:
    """One session as a list shows it, secrets redacted. `time` is its last message's, in seconds since the epoch."""

    id: str
    title: str
    tool: str
    messages: int
    time: float | None
    cwd: str | None
    path: str
    branches: int = 1

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        return {
            "id": self.id,
            "title": self.title,
            "tool": self.tool,
            "messages": self.messages,
            "time": self.time,
            "cwd": self.cwd,
            "path": self.path,
            "branches": self.branches,
        }


@dataclass(frozen=True, slots=True)
class Catalog:
    """Sessions, the newest first, and one line for each file that could not be read."""

    sessions: tuple[Listed, ...]
    unreadable: tuple[str, ...]


def usual_places() -> list[Path]:
    """The session directories of DSH, Claude Code and Codex, where `DSH_HOME`, `CLAUDE_CONFIG_DIR` and `CODEX_HOME` or
    the home directory put them.
    """
    home = Path("~").expanduser()
    claude = os.environ.get("CLAUDE_CONFIG_DIR")
    codex = os.environ.get("CODEX_HOME")
    return [
        default_root(),
        (Path(claude) if claude else home / ".claude") / "projects",
        (Path(codex) if codex else home / ".codex") / "sessions",
    ]


def candidates(root: Path | None = None) -> Iterator[Path]:
    """Session directories and files that may be sessions, under `root` or in the usual places; links are not followed.

    Raises UsageError for a `root` that is no directory.
    """
    if root is not None and not root.is_dir():
        raise UsageError(f"{root}: not a directory")
    suffixes = _LOGS if root is None else (*_LOGS, ".json")
    for place in usual_places() if root is None else [root]:
        yield from _walk(place, suffixes, _DEPTH)


def listing(root: Path | None = None, *, search: str = "", progress: Progress | None = None) -> Catalog:
    """What is there, with a message in it; with `search`, what has it in its title or id, whatever the case.

    Every file is read whole, one at a time; `progress` hears of each.
    """
    files = list(candidates(root))
    found: list[Listed] = []
    unreadable: list[str] = []
    for n, path in enumerate(files, 1):
        try:
            found += _listed(path)
        except UnreadableSession as error:
            unreadable.append(str(error))
        if progress is not None:
            progress(n, len(files))
    wanted = search.casefold()
    shown = [each for each in found if wanted in each.title.casefold() or wanted in each.id.casefold()]
    shown.sort(key=lambda each: (-(each.time or 0.0), each.id, each.path))
    return Catalog(tuple(shown), tuple(unreadable))


def _listed(path: Path) -> list[Listed]:
    """The active branch of each conversation of a file."""
    from beliefmerge.session.readers import conversations

    rows: list[Listed] = []
    for conversation in conversations(path):
        session = conversation.load(conversation.branches[0])
        if session.messages or session.claims:
            rows.append(_row(session, path, len(conversation.branches)))
    return rows


def _row(session: Session, path: Path, branches: int) -> Listed:
    times = [message.time for message in session.messages if message.time is not None]
    said = next((message.text for message in session.messages if message.blocks[0].channel == "user"), "")
    head = Session(session.id, session.format, title=session.title or one_line(" ".join(said[:400].split()[:8])))
    (safe,), _ = redact([head])
    return Listed(
        id=safe.id,
        title=safe.title or "",
        tool=session.format,
        messages=len(session.messages),
        time=max(times, default=None),
        cwd=session.cwd,
        path=str(path),
        branches=branches,
    )


def _walk(directory: Path, suffixes: tuple[str, ...], depth: int) -> Iterator[Path]:
    try:
        entries = sorted(os.scandir(directory), key=lambda entry: entry.name)
    except OSError:
        return
    plain = [Path(entry.path) for entry in entries if entry.is_file(follow_symlinks=False)]
    if any(map(is_generation, plain)):
        yield directory
        return
    yield from (path for path in plain if path.name.endswith(suffixes))
    if depth:
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                yield from _walk(Path(entry.path), suffixes, depth - 1)
