"""What was said, kept while a file is read: in memory while it is little, in an unnamed temporary file beyond that."""

from __future__ import annotations

import functools
import os
import tempfile
from array import array
from collections.abc import Callable
from typing import Any, NamedTuple, NoReturn

from beliefmerge.errors import UnreadableSession
from beliefmerge.session.model import Block, Message

HELD = 64 << 20
"""Bytes, by estimate, that a shelf holds in memory."""
_OVERHEAD = 400
_BATCH = 1 << 20
_AHEAD = 1 << 18


class Spoken(NamedTuple):
    """A message that has no place yet."""

    blocks: tuple[Block, ...]
    id: str | None
    time: float | None
    checkpoint: bool = False

    def message(self, seq: int, session: str, origin: str | None = None) -> Message:
        """The message at the place `seq` of a session."""
        return Message(self.blocks, seq, session, self.id, self.time, origin, self.checkpoint)


class Shelf:
    """Spoken messages under the numbers 0, 1, … in which they were added.

    Once they are more than `HELD` bytes all of them lie in a temporary file that has no name and goes with the shelf;
    what remains in memory is 16 bytes a message. Copies of a process may read one shelf at once.

    Raises:
        UnreadableSession: the temporary file cannot be written or read.
    """

    def __init__(self) -> None:
        self.id_hashes = array("q")
        """0 for a message without an id; equal ids have equal ones."""
        self._size = 0
        self._held: list[Spoken] = []
        self._spill: _Spill | None = None

    def __len__(self) -> int:
        return len(self.id_hashes)

    @property
    def large(self) -> bool:
        """Whether the messages are too many to hold together."""
        return self._spill is not None

    def add(self, spoken: Spoken) -> int:
        """Put `spoken` on the shelf; its number."""
        number = len(self.id_hashes)
        self.id_hashes.append(0 if spoken.id is None else hash(spoken.id) or 1)
        if self._spill is not None:
            self._spill.append(spoken)
            return number
        self._held.append(spoken)
        self._size += _OVERHEAD
        for block in spoken.blocks:
            self._size += len(block.text)
        if self._size > HELD:
            self._spill = _Spill()
            for each in self._held:
                self._spill.append(each)
            self._held = []
        return number

    def __getitem__(self, number: int) -> Spoken:
        return self._held[number] if self._spill is None else self._spill[number]


@functools.cache
def _coding() -> tuple[Callable[[Spoken], bytes], Callable[[Any], Spoken]]:
    import msgspec

    return msgspec.msgpack.Encoder().encode, msgspec.msgpack.Decoder(Spoken).decode


class _Spill:
    """Messages in a temporary file, found by their offsets. Reading in order reads ahead."""

    def __init__(self) -> None:
        self._encode, self._decode = _coding()
        self._offsets = array("Q", [0])
        self._waiting = bytearray()
        self._window: tuple[int, bytes] = (0, b"")
        self._next = 0
        try:
            self._file = tempfile.TemporaryFile(buffering=0)  # noqa: SIM115 (closed when the shelf goes)
        except OSError as error:
            _refuse(error)

    def append(self, spoken: Spoken) -> None:
        raw = self._encode(spoken)
        self._waiting += raw
        self._offsets.append(self._offsets[-1] + len(raw))
        if len(self._waiting) >= _BATCH:
            self._flush()

    def _flush(self) -> None:
        try:
            rest = memoryview(self._waiting)
            while rest:
                rest = rest[self._file.write(rest) :]
        except OSError as error:
            _refuse(error)
        self._waiting = bytearray()

    def __getitem__(self, number: int) -> Spoken:
        if self._waiting:
            self._flush()
        start, end = self._offsets[number], self._offsets[number + 1]
        first, data = self._window
        if start < first or end > first + len(data):
            ahead = _AHEAD if start == self._next else 0
            first, data = start, self._read(start, max(end - start, ahead))
            self._window = (first, data)
        self._next = end
        return self._decode(memoryview(data)[start - first : end - first])

    def _read(self, start: int, size: int) -> bytes:
        # At an offset, not at the file's position: a forked process shares that one.
        try:
            return os.pread(self._file.fileno(), size, start)
        except OSError as error:
            _refuse(error)


def _refuse(error: OSError) -> NoReturn:
    cause = error.strerror or "cannot be used"
    raise UnreadableSession(f"{tempfile.gettempdir()}: {cause}: a session is too large to be held in memory") from None
