"""A directory for tests that are not about the disk: in memory where there is room, since others keep the disk busy."""

from __future__ import annotations

import shutil
from pathlib import Path

_ROOM = 1 << 30


def fast_directory() -> str | None:
    """Where to make temporary directories; None for the usual place."""
    memory = Path("/dev/shm")
    return str(memory) if memory.is_dir() and shutil.disk_usage(memory).free > _ROOM else None
