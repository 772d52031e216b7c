"""A disk that can lose power or fail, for SQLite: it records what is written and made durable, and injects errors.

`Disk` is an SQLite virtual file system over the real one. What was written to a file since its last sync may be on the
disk, or in part (in sectors of 512 bytes), or not at all; so may a file that was made or deleted since. What a failed
sync should have made durable is taken as gone: on Linux a later sync does not bring it back.
"""

from __future__ import annotations

import random
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import apsw

SECTOR = 512
Fault = Callable[[str, str], None]


class Event(NamedTuple):
    """One thing that happened to a file, or (`kind` "ack") that somebody was told that `data` is durable."""

    kind: str
    name: str
    offset: int = 0
    data: bytes = b""


class Disk(apsw.VFS):
    """Registered as `name` while in use. `fault`, called with (kind, file) before each write and sync, may raise."""

    def __init__(self, name: str, fault: Fault | None = None) -> None:
        super().__init__(name, base="")
        self.vfs_name = name
        self.events: list[Event] = []
        self.fault = fault or (lambda kind, file: None)
        self.mutex = threading.Lock()

    def xOpen(self, name: str | apsw.URIFilename | None, flags: list[int]) -> apsw.VFSFile:
        if name is None:
            return apsw.VFSFile("", name, flags)
        path = Path(name.filename() if isinstance(name, apsw.URIFilename) else name)
        if not path.exists() or not any(event.name == path.name for event in self.events):
            self.note("begin", path.name, data=path.read_bytes() if path.exists() else b"", offset=int(path.exists()))
        return _File(self, path.name, name, flags)

    def xDelete(self, name: str, sync: bool) -> None:
        super().xDelete(name, sync)
        self.note("delete", Path(name).name)

    def note(self, kind: str, name: str, offset: int = 0, data: bytes = b"") -> None:
        with self.mutex:
            self.events.append(Event(kind, name, offset, data))

    def acknowledged(self, what: bytes) -> None:
        """Somebody was told that `what` is durable."""
        self.note("ack", "", data=what)

    def __enter__(self) -> Disk:
        return self

    def __exit__(self, *_: object) -> None:
        self.unregister()


class _File(apsw.VFSFile):
    def __init__(self, disk: Disk, file: str, name: str | apsw.URIFilename, flags: list[int]) -> None:
        super().__init__("", name, flags)
        self.disk, self.file = disk, file

    def xWrite(self, data: bytes, offset: int) -> None:
        self.disk.fault("write", self.file)
        super().xWrite(data, offset)
        self.disk.note("write", self.file, offset, bytes(data))

    def xTruncate(self, size: int) -> None:
        super().xTruncate(size)
        self.disk.note("truncate", self.file, size)

    def xSync(self, flags: int) -> None:
        try:
            self.disk.fault("sync", self.file)
        except Exception:
            self.disk.note("failed sync", self.file)
            raise
        super().xSync(flags)
        self.disk.note("sync", self.file)


@dataclass
class _Content:
    """One file: what is durable (None: not even its name), what may be, and what may have come back from before."""

    durable: bytearray | None
    pending: list[Event] = field(default_factory=list)
    before: bytearray | None = None

    def sync(self) -> None:
        self.durable = self.applied(self.pending)
        self.pending, self.before = [], None

    def applied(self, events: list[Event]) -> bytearray:
        content = bytearray(self.durable or b"")
        for event in events:
            if event.kind == "truncate":
                del content[event.offset :]
            else:
                content.extend(bytes(max(0, event.offset - len(content))))
                content[event.offset : event.offset + len(event.data)] = event.data
        return content

    def after_a_cut(self, how: str, rng: random.Random) -> bytearray | None:
        """What is found when the power is back."""
        if how == "nothing more":
            return self.durable if self.durable is not None else self.before
        kept = self.pending if how == "everything" else [_torn(e, rng) for e in self.pending if rng.random() < 0.5]
        if self.durable is None and (rng.random() < 0.5 or not kept):
            return self.before
        return self.applied(kept)


def _torn(event: Event, rng: random.Random) -> Event:
    if rng.random() < 0.5 or len(event.data) <= SECTOR:
        return event
    return event._replace(data=event.data[: SECTOR * rng.randrange(1, len(event.data) // SECTOR + 1)])


def power_cuts(events: list[Event], points: int, rng: random.Random) -> Iterator[tuple[list[bytes], dict[str, bytes]]]:
    """At `points` random moments: what had been acknowledged, and the files as they are found afterwards, by chance."""
    moments = sorted(rng.choices(range(1, len(events) + 1), k=points))
    files: dict[str, _Content] = {}
    acknowledged: list[bytes] = []
    done = 0
    for moment in moments:
        for event in events[done:moment]:
            if event.kind == "ack":
                acknowledged.append(event.data)
            else:
                _happen(files, event)
        done = moment
        how = rng.choice(["nothing more", "nothing more", "a part", "a part", "everything"])
        found = {name: content.after_a_cut(how, rng) for name, content in files.items()}
        yield list(acknowledged), {name: bytes(content) for name, content in found.items() if content is not None}


def _happen(files: dict[str, _Content], event: Event) -> None:
    content = files.get(event.name)
    if event.kind == "begin":
        before = content.durable if content and content.durable is not None else content.before if content else None
        files[event.name] = _Content(bytearray(event.data)) if event.offset else _Content(None, before=before)
    elif content is None:
        raise AssertionError(f"{event.kind} of {event.name}, which was never opened")
    elif event.kind == "sync":
        content.sync()
    elif event.kind == "failed sync":
        content.pending = []
    elif event.kind == "delete":
        files[event.name] = _Content(None, before=content.durable)
    else:
        content.pending.append(event)
