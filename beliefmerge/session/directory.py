"""Session directories: which of the generations in it is the session."""

from __future__ import annotations

import re
from pathlib import Path

from beliefmerge.errors import UnreadableSession
from beliefmerge.session.readers.dsh import NEWEST
from beliefmerge.session.source import unreadable

_GENERATION = re.compile(r"session(?:\.v([1-9][0-9]{0,8}))?\.jsonl(\.zstd)?")


def is_generation(path: Path) -> bool:
    """Whether a file's name is that of a log in a session directory."""
    return _GENERATION.fullmatch(path.name) is not None


def generations(directory: Path) -> dict[Path, int]:
    """The logs in a session directory and the format version that each one's name states.

    Raises:
        UnreadableSession: the directory cannot be listed.
    """
    try:
        entries = sorted(directory.iterdir())
    except OSError as error:
        raise unreadable(directory, error.strerror or "cannot be listed") from None
    matches = ((entry, _GENERATION.fullmatch(entry.name)) for entry in entries)
    return {entry: int(match[1] or 0) for entry, match in matches if match}


def newest_generation(directory: Path) -> Path:
    """The log with the highest version, which is the session; older ones are kept beside it unchanged.

    Raises:
        UnreadableSession: no log, one of a newer harness, or the newest in two encodings.
    """
    found = generations(directory)
    if not found:
        raise unreadable(directory, "a directory without a session log; name the session's file")
    highest = max(found.values())
    if highest > NEWEST:
        raise unreadable(directory, f"format version {highest}: written by a newer harness (known: 0 to {NEWEST})")
    newest = [path for path, version in found.items() if version == highest]
    if len(newest) > 1:
        names = " and ".join(path.name for path in newest)
        raise UnreadableSession(f"{directory}: {names} both claim to be the newest generation")
    return newest[0]
