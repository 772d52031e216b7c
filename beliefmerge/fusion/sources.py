"""The sources of a fusion: sessions named by path or by id, each once, all of the caller's workspace."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from beliefmerge.errors import UnreadableSession, UsageError, nearest
from beliefmerge.fusion.catalog import candidates
from beliefmerge.fusion.config import FEWEST_SOURCES, MOST_SOURCES, FusionConfig
from beliefmerge.fusion.place import segment
from beliefmerge.session.model import Session
from beliefmerge.session.text import one_line

MOST_NAMED = 4 * MOST_SOURCES
"""Most names that are opened to see whether they are different sessions."""
Source = Session | str | os.PathLike[str]
"""A session, or its path (``FILE#BRANCH`` for one branch or conversation), or its id."""


def open_sources(sources: Iterable[Source], root: Path | None, config: FusionConfig) -> list[Session]:
    """The sessions, repeats left out: the first stays.

    Raises:
        UnreadableSession: one cannot be read, or is not there.
        UsageError: fewer than two, or more than the deployment allows.
    """
    given = list(sources)
    named = {os.fspath(source) for source in given if not isinstance(source, Session)}
    if len(named) > MOST_NAMED:
        raise _number(len(named), config)
    opened: list[Session] = []
    for i, source in enumerate(given):
        if not isinstance(source, Session) and source in given[:i]:
            continue
        session = source if isinstance(source, Session) else open_source(source, root)
        if not any(_is_same(session, other) for other in opened):
            opened.append(session)
    if not FEWEST_SOURCES <= len(opened) <= config.max_sources:
        raise _number(len(opened), config)
    return opened


def open_source(source: str | os.PathLike[str], root: Path | None = None) -> Session:
    """The session at a path, else the one with this id under `root` or in the usual places.

    Raises UnreadableSession.
    """
    from beliefmerge.session.readers import read_session, split_branch

    name = os.fspath(source)
    path, branch = split_branch(name)
    if os.path.exists(path):  # noqa: PTH110 (never raises)
        return read_session(path, branch=branch)
    if not name:
        raise UnreadableSession("a session is named by a path or an id, not by nothing")
    if os.sep in name:
        raise UnreadableSession(f"{one_line(name, 400)}: No such file or directory")
    return _with_id(name, root)


def check_workspace(sessions: Sequence[Session], cwd: str) -> None:
    """Every session that records a working directory records the caller's. Raises UsageError."""
    from beliefmerge.session.redact import redact_text

    for session in sessions:
        if session.cwd is not None and not in_workspace(session.cwd, cwd):
            name, workspace = redact_text(session.id)[0], redact_text(session.cwd)[0]
            raise UsageError(
                f"session '{one_line(name, 80)}' belongs to workspace '{one_line(workspace, 200)}', the caller to "
                f"'{one_line(cwd, 200)}': allow it with --allow-cross-workspace or allowCrossWorkspace"
            )


def in_workspace(path: str, cwd: str) -> bool:
    """Whether two working directories are one. A relative one, which says nothing outside its log, is no other's."""
    if os.path.normpath(path) == os.path.normpath(cwd):
        return True
    return os.path.isabs(path) and os.path.realpath(path) == os.path.realpath(cwd)  # noqa: PTH117 (any text)


def _with_id(name: str, root: Path | None) -> Session:
    from beliefmerge.session.readers import read_session

    names: dict[str, None] = {}
    found: dict[Path, Session] = {}
    failure: UnreadableSession | None = None
    for path in candidates(root):
        label = path.name if path.is_dir() else path.name.split(".json")[0]
        names[label] = None
        if label in (name, segment(name)) or label.endswith(f"-{name}"):
            try:
                session = read_session(path)
            except UnreadableSession as error:
                failure = failure or error
                continue
            if session.id == name:
                found[path] = session
    if not found and root is not None:
        found = dict(_holding(name, root))
    if not found and failure is not None:
        raise failure
    if len(found) > 1:
        raise UnreadableSession(f"session {name!r} is in {' and '.join(map(str, found))}: name one by its path")
    if found:
        return next(iter(found.values()))
    match = nearest(name, names)
    where = f" under {root}" if root is not None else ""
    raise UnreadableSession(
        f"no session {one_line(name, 80)!r}{where}" + (f"; did you mean {match!r}?" if match else "")
    )


def _holding(name: str, root: Path) -> Iterator[tuple[Path, Session]]:
    """Sessions whose file says this id under another name. Files that cannot be read hold none."""
    from beliefmerge.session.readers import conversations

    for path in candidates(root):
        try:
            for conversation in conversations(path):
                if conversation.id == name:
                    yield path, conversation.load(conversation.branches[0])
                    break
        except UnreadableSession:
            continue


def _is_same(one: Session, other: Session) -> bool:
    """One session named twice, or read from a copy of its file. An export can hold two conversations with one id."""
    if one.id != other.id or one.branch != other.branch:
        return False
    return [m.key for m in one.messages] == [m.key for m in other.messages]


def _number(given: int, config: FusionConfig) -> UsageError:
    return UsageError(f"a fusion takes {FEWEST_SOURCES} to {config.max_sources} different sessions, {given} given")
