"""Tracks: real conversations and documents with questions about them. The data is named, never bundled."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from beliefmerge.errors import UsageError
from beliefmerge.registry import Registry
from mergebench.arm import Arm
from mergebench.reading import Reading
from mergebench.scenario import Question, Scenario

NO_TRACK = "none"


@dataclass(frozen=True, slots=True)
class Choices:
    """What the configuration says of a track."""

    data: Path
    setting: str
    sessions: int = 5
    """Branches of a question, in a setting that fixes them."""
    part: str = "all"
    """`all`, or one of the two parts of a track that was used to tune something: `tuning`, `rest`."""
    seed: int = 0


@dataclass(frozen=True)
class Task:
    """One question about some branches."""

    scenario: Scenario
    """Shared by the questions about the same branches."""
    question: Question
    unit: str
    """What it was drawn with: tasks of one unit are not independent."""
    evidence: tuple[tuple[str, int], ...] = ()
    """(session id, sequence number) of each message that holds evidence."""
    wrong: tuple[str, ...] = ()
    """Answers that must not be given."""


@dataclass(frozen=True)
class Loaded:
    """The tasks of a track and what was repaired or left out."""

    tasks: tuple[Task, ...]
    unit: str
    """What intervals are over, in the plural."""
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Track:
    """A source of tasks and how an answer to one is judged."""

    tests: str
    data: str
    """What `data=` is to be given."""
    settings: tuple[str, ...]
    """The first one is the default."""
    load: Callable[[Choices], Loaded]
    judge: Callable[[Task, Reading], Mapping[str, float]]
    """`recall` and `all_kept` at least, as shares."""
    panel: Callable[[str], tuple[str, ...]]
    """The arms that apply to a setting, baselines first."""
    against: str = ""
    """The arm that others are compared with, question by question."""
    parts: bool = False
    """Whether `part` may be other than `all`."""


TRACKS: Registry[Track] = Registry("track", "mergebench.tracks", "TRACK")
TRACK_ARMS: Registry[Arm] = Registry("arm", "mergebench.track_arms", "ARM")
"""Arms that only tracks have."""


def located(data: str, track: str, wanted: str) -> Path:
    """The file or folder `data` names. Raises UsageError, with what to give, when it is not there."""
    if not data:
        raise UsageError(f"track={track} needs data={wanted}")
    path = Path(data).expanduser()
    if not path.exists():
        raise UsageError(f"{path}: no such file or folder (track={track} needs {wanted})")
    return path


def digest(data: Path) -> str:
    """SHA-256 over a file, or over the names and bytes of a folder's files; empty where there is neither."""
    found = hashlib.sha256()
    if not data.exists():
        return ""
    for path in sorted(data.rglob("*")) if data.is_dir() else [data]:
        if path.is_file():
            found.update(f"{path.name}\0".encode() if data.is_dir() else b"")
            found.update(path.read_bytes())
    return found.hexdigest()
