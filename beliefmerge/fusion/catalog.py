"""The sessions that can be fused: found in the usual places of the tools that write them, or under a directory."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from beliefmerge.errors import UnreadableSession, UsageError
from beliefmerge.fusion.place import default_root
from beliefmerge.session.directory import is_generation
from beliefmerge.session.model import Session
from beliefmerge.session.text import one_line

if TYPE_CHECKING:
    from beliefmerge.session.heads import Heads

Progress = Callable[[int, int], None]
"""Called after each file with how many were read, of how many."""

_LOGS = (".jsonl", ".jsonl.zstd", ".jsonl.zst")
"""What the tools write; under a directory that was named, JSON documents may be exports."""
_DEPTH = 6
_WORDS, _OPENING = 8, 8000


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
    from beliefmerge.session.heads import Heads

    files = list(candidates(root))
    heads, rows = Heads(), list[_Row]()
    unreadable: list[str] = []
    for n, path in enumerate(files, 1):
        try:
            rows += _rows(path, heads)
        except UnreadableSession as error:
            unreadable.append(str(error))
        if progress is not None:
            progress(n, len(files))
    safe = heads.redacted()
    wanted = search.casefold()
    found = [row.listed(safe[row.head]) for row in rows]
    shown = [each for each in found if wanted in each.title.casefold() or wanted in each.id.casefold()]
    shown.sort(key=lambda each: (-(each.time or 0.0), each.id, each.path))
    return Catalog(tuple(shown), tuple(unreadable))


@dataclass(frozen=True, slots=True)
class _Row:
    """What a list shows of a session, but for what secrets can stand in: that is the `head` with this number."""

    head: int
    titled: bool
    messages: int
    time: float | None
    path: str
    branches: int

    def listed(self, head: Session) -> Listed:
        title = head.title or ""
        return Listed(
            id=head.id,
            title=title if self.titled else one_line(" ".join(title.split()[:_WORDS])),
            tool=head.format,
            messages=self.messages,
            time=self.time,
            cwd=head.cwd,
            path=self.path,
            branches=self.branches,
        )


def _rows(path: Path, heads: Heads) -> list[_Row]:
    """The active branch of each conversation of a file; one without a title is called by its user's first words."""
    from beliefmerge.session.readers import conversations

    rows: list[_Row] = []
    for conversation in conversations(path):
        session = conversation.load(conversation.branches[0])
        if not session.messages and not session.claims:
            continue
        said = next((message.text for message in session.messages if message.blocks[0].channel == "user"), "")
        times = [message.time for message in session.messages if message.time is not None]
        rows.append(
            _Row(
                head=heads.add(session, session.title or said[:_OPENING]),
                titled=bool(session.title),
                messages=len(session.messages),
                time=max(times, default=None),
                path=str(path),
                branches=len(conversation.branches),
            )
        )
    return rows


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
