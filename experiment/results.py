"""Where results land: one place, whatever directory the command was started in."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from beliefmerge.errors import UsageError

VARIABLE = "BELIEFMERGE_RESULTS"


def checkout() -> Path | None:
    """The root of the source checkout this package runs from, or None for an installed package."""
    root = Path(__file__).resolve().parents[1]
    return root if (root / "pyproject.toml").is_file() and (root / "conf").is_dir() else None


def recordings(published: str) -> str:
    """The directory of a published experiment's recorded calls in this checkout; empty where there is none."""
    root = checkout()
    path = root / "results" / "published" / published if root else None
    return str(path) if path is not None and path.is_dir() else ""


def default_results_dir() -> Path:
    """``$BELIEFMERGE_RESULTS``; else ``results/`` of the checkout; else the user's data directory."""
    if named := os.environ.get(VARIABLE):
        return Path(named).expanduser().resolve()
    if root := checkout():
        return root / "results"
    data = os.environ.get("XDG_DATA_HOME") or "~/.local/share"
    return Path(data).expanduser() / "beliefmerge" / "results"


def open_results_dir(path: str | Path) -> Path:
    """Make `path` a directory that can be written to. Raises UsageError naming the path and the cause."""
    directory = Path(path).expanduser().absolute()
    try:
        directory.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=directory):
            pass
    except OSError as error:
        raise UsageError(f"results_dir {str(directory)!r} cannot be written: {error.strerror or error}") from error
    return directory
