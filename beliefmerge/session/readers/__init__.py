"""Session formats, one module each, told apart by content and never by file name.

A module here defines `READER`, a `beliefmerge.session.reader.Reader`; being there is all the registration it needs.
"""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterator
from pathlib import Path

from beliefmerge.algebra.collector import paused
from beliefmerge.errors import nearest
from beliefmerge.registry import Registry
from beliefmerge.session.model import Session
from beliefmerge.session.reader import Conversation, Reader
from beliefmerge.session.source import Source, unreadable

__all__ = ["READERS", "choose", "conversations", "read_session", "read_sessions", "select", "split_branch"]

READERS: Registry[Reader] = Registry("session format", "beliefmerge.session.readers", "READER")

MAX_BRANCHES = 1000
"""Most branches of one conversation that are built together; one alone can be read however many there are."""
_SHOWN = 20


def read_session(path: str | os.PathLike[str], *, branch: str | None = None) -> Session:
    """The session in a file, or in a session directory: its active leaf, or the branch or conversation so named.

    A branch is named by its name, its conversation's id, or enough of the beginning of either.

    Raises:
        UnreadableSession: the file cannot be read, is of no known format, or has no branch of that name.
    """
    with paused():
        conversation, name = choose(path, branch)
        return conversation.load(name)


def split_branch(source: str) -> tuple[str, str | None]:
    """``FILE#BRANCH`` as file and branch, unless a file is called so."""
    path, mark, branch = source.rpartition("#")
    return (path, branch) if mark and branch and not os.path.exists(source) else (source, None)  # noqa: PTH110 (never raises)


def choose(path: str | os.PathLike[str], branch: str | None = None) -> tuple[Conversation, str]:
    """The conversation that `read_session` takes its session from, and the name of the branch."""
    return select(path, list(conversations(path)), branch)


def select(path: str | os.PathLike[str], found: list[Conversation], branch: str | None) -> tuple[Conversation, str]:
    """Which of the conversations `found` in a file, and which branch of it, `branch` means."""
    if branch is not None:
        return _named(Path(path), found, branch)
    if len(found) > 1:
        shown = ", ".join(each.id for each in found[:_SHOWN]) + (", …" if len(found) > _SHOWN else "")
        raise unreadable(path, f"holds {len(found)} conversations; name one as the branch (known: {shown})")
    return found[0], found[0].branches[0]


def read_sessions(path: str | os.PathLike[str]) -> list[Session]:
    """Every branch of every conversation in a file or session directory, the active branch of each first.

    Raises:
        UnreadableSession: the file cannot be read, is of no known format, or has over 1,000 branches in a conversation.
    """
    sessions: list[Session] = []
    with paused():
        for each in conversations(path):
            if len(each.branches) > MAX_BRANCHES:
                raise unreadable(path, f"conversation {each.id} has {len(each.branches)} branches; name one")
            sessions += map(each.load, each.branches)
    return sessions


def conversations(path: str | os.PathLike[str]) -> Iterator[Conversation]:
    """The conversations of a file or session directory, none of whose branches is built yet."""
    source = Source(_file(Path(path)))
    any_found = False
    for conversation in _reader(source).read(source):
        any_found = True
        yield conversation
    if not any_found:
        raise source.error("empty: no conversation in it")


def _reader(source: Source) -> Reader:
    head = source.head
    sure = {name: READERS[name].sniff(head) for name in READERS}
    best = max(sure, key=lambda name: sure[name])
    if sure[best] <= 0:
        why = f": {head.damage}" if head.damage else ""
        raise source.error(f"unknown session format{why} (known formats: {', '.join(READERS)})")
    return READERS[best]


def _file(path: Path) -> Path:
    """The file to read: `path` itself, or the newest generation in a session directory."""
    from beliefmerge.session.directory import newest_generation

    return newest_generation(path) if os.path.isdir(path) else path  # noqa: PTH112 (never raises)


def _named(path: Path, found: list[Conversation], branch: str) -> tuple[Conversation, str]:
    names = {each.id: (each, each.branches[0]) for each in found}
    names |= {name: (each, name) for each in found for name in each.branches}
    matches = [branch] if branch in names else [name for name in names if branch and name.startswith(branch)]
    chosen = {(id(each), name): (each, name) for each, name in (names[match] for match in matches)}
    if len(chosen) == 1:
        return next(iter(chosen.values()))
    match = nearest(branch, names)
    hint = f"; did you mean {match!r}?" if match else ""
    known = ", ".join(itertools.islice(names, _SHOWN)) + (", …" if len(names) > _SHOWN else "")
    cause = f"several branches begin with {branch!r}" if matches else f"unknown branch {branch!r}{hint}"
    raise unreadable(path, f"{cause} (known: {known})")
