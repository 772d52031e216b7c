"""Files and directories that survive a power cut."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path


def sync(handle: int) -> None:
    """Make what was written to an open file durable, in the drive's own cache too where the system can ask for that."""
    if hasattr(fcntl, "F_FULLFSYNC"):
        fcntl.fcntl(handle, fcntl.F_FULLFSYNC)
    else:
        os.fsync(handle)


def sync_directory(path: Path) -> None:
    """Make the names in a directory durable."""
    handle = os.open(path, os.O_RDONLY)
    try:
        sync(handle)
    finally:
        os.close(handle)


def make_directory(path: Path, mode: int = 0o777) -> None:
    """Make `path` and its parents, each durable in the one above it. Those that are there are left as they are."""
    if path.is_dir():
        return
    make_directory(path.parent, mode)
    path.mkdir(mode, exist_ok=True)
    sync_directory(path.parent)
