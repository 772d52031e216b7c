"""The bytes of a session file, cut into records: raw or zstd, one record in memory at a time."""

from __future__ import annotations

import itertools
import os
import re
import stat
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from pathlib import Path
from typing import IO, Any, NamedTuple

from beliefmerge.errors import UnreadableSession
from beliefmerge.session.jsontext import Damaged, parse, resynchronise
from beliefmerge.session.text import as_list, one_line

MAX_RECORD = 32 << 20
"""Longest line, or element of a JSON array, that is read, in bytes."""
MAX_DOCUMENT = 64 << 20
"""Largest JSON object that is read whole, in bytes."""
MAX_ARRAY = 16 << 20
"""Largest JSON array that is read whole, in bytes; of a larger one an element at a time is in memory."""
_HEAD = 64
_ZSTD_MAGIC = b"\x28\xb5\x2f\xfd"
_BOM = b"\xef\xbb\xbf"
_FEED = 4096
_STEP = 1 << 20
_MAX_WINDOW = 128 << 20
_FREE_EXPANSION, _MAX_RATIO = 64 << 20, 1000
# Everything up to and with the next bracket that is in no string.
_BRACKET = re.compile(rb'(?:[^"\[\]{}]++|"[^"\\]*+(?:\\.[^"\\]*+)*+")*+[\[\]{}]', re.DOTALL)


class Shape(Enum):
    """What a file is as JSON: one value a line, one array, or one object."""

    LINES = "lines"
    ARRAY = "array"
    OBJECT = "object"


@dataclass(frozen=True, slots=True)
class Head:
    """What formats are told apart by: the shape, and the first records (elements of the array, or the object); why
    there are none.
    """

    shape: Shape
    values: tuple[Any, ...]
    damage: str = ""


class Line(NamedTuple):
    """One line, without its end. `complete` says whether it had one."""

    number: int
    raw: bytes
    complete: bool


class Element(NamedTuple):
    """An object or array in a file's top-level array, and its bytes; `held` where the file is in memory anyway."""

    value: Any
    start: int
    end: int
    held: bool


def unreadable(path: os.PathLike[str] | str, cause: str, line: int | None = None) -> UnreadableSession:
    """The one-line error for `path`, with the line (from 1) where there is one. A name can hold a secret, and a cause
    cites what was read: they are redacted.
    """
    from beliefmerge.session.redact import redact_text

    place = f": line {line}" if line is not None else ""
    name = redact_text(os.fspath(path))[0]
    return UnreadableSession(f"{one_line(name, 400)}{place}: {one_line(redact_text(cause)[0], 400)}")


class Source:
    """A session file. Nothing is read before it is asked for; the file is opened once for each pass.

    Every pass sees the file as it was at first: lines appended since are left out, any other change is an error.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            status = path.stat()
        except OSError as error:
            raise self.error(error.strerror or "cannot be read") from None
        except ValueError as error:
            raise self.error(str(error)) from None
        if not stat.S_ISREG(status.st_mode):
            raise self.error("not a regular file")
        if status.st_size == 0:
            raise self.error("empty file")
        self.size = status.st_size
        self._status = status

    def error(self, cause: str, line: int | None = None) -> UnreadableSession:
        """The error that names this file."""
        return unreadable(self.path, cause, line)

    @contextmanager
    def _opened(self, *, may_grow: bool = False) -> Iterator[IO[bytes]]:
        """The file, for one pass; an error from the system names it, and so does one about a change meanwhile."""
        try:
            with self.path.open("rb", buffering=1 << 20) as file:
                self._check_unchanged(file, may_grow=may_grow)
                yield file
                self._check_unchanged(file, may_grow=may_grow)
        except OSError as error:
            raise self.error(error.strerror or "cannot be read") from None

    def _check_unchanged(self, file: IO[bytes], *, may_grow: bool) -> None:
        then, now = self._status, os.fstat(file.fileno())
        same = (now.st_dev, now.st_ino) == (then.st_dev, then.st_ino)
        grown = may_grow and now.st_size > then.st_size
        if not same or not (grown or (now.st_size, now.st_mtime_ns) == (then.st_size, then.st_mtime_ns)):
            raise self.error("changed while it was read; read it again")

    @cached_property
    def compressed(self) -> bool:
        """Whether the file starts with a zstd frame."""
        with self._opened(may_grow=True) as file:
            return file.read(4) == _ZSTD_MAGIC

    def lines(self, counts: Counter[str] | None = None) -> Iterator[Line]:
        """The lines, split at the byte 0x0A only; a torn last frame is counted as ``torn``."""
        with self._opened(may_grow=True) as file:
            if self.compressed:
                yield from self._lines_of_frames(file, counts if counts is not None else Counter())
            else:
                yield from self._lines_of_text(file)

    def _lines_of_text(self, file: IO[bytes]) -> Iterator[Line]:
        number, left, rest = 0, self.size, b""
        while chunk := file.read(min(_STEP + len(rest), left)):
            left -= len(chunk)
            *whole, rest = (rest + chunk).split(b"\n")
            for raw in whole:
                number += 1
                if len(raw) > MAX_RECORD:
                    raise self.error(f"longer than {MAX_RECORD >> 20} MiB", number)
                yield Line(number, raw if number > 1 else raw.removeprefix(_BOM), True)
            if len(rest) > MAX_RECORD:
                raise self.error(f"longer than {MAX_RECORD >> 20} MiB", number + 1)
        if rest:
            yield Line(number + 1, rest if number else rest.removeprefix(_BOM), False)

    def _lines_of_frames(self, file: IO[bytes], counts: Counter[str]) -> Iterator[Line]:
        """Frame by frame: reading across frames would drop a torn tail without a word."""
        number = 0
        parts: list[bytes] = []
        for piece, ended in self._frames(file, counts):
            *whole, rest = piece.split(b"\n")
            for raw in whole:
                number += 1
                if raw or parts:
                    yield Line(number, b"".join((*parts, raw)), complete=True)
                    parts.clear()
            if rest:
                parts.append(rest)
                if sum(map(len, parts)) > MAX_RECORD:
                    raise self.error(f"longer than {MAX_RECORD >> 20} MiB", number + 1)
            if ended and parts:
                raise self.error("corrupt: a zstd frame ends within a line", number + 1)
        if parts:
            yield Line(number + 1, b"".join(parts), complete=False)

    def _frames(self, file: IO[bytes], counts: Counter[str]) -> Iterator[tuple[bytes, bool]]:
        """Decompressed pieces, each with whether its frame ended there."""
        import zstandard

        decompressor = zstandard.ZstdDecompressor(max_window_size=_MAX_WINDOW)
        frame = None
        produced, consumed, waiting = 0, 0, b""
        while chunk := waiting or file.read(min(_FEED, self.size - consumed)):
            consumed += 0 if waiting else len(chunk)
            frame = frame or decompressor.decompressobj()
            try:
                piece = frame.decompress(chunk)
            except zstandard.ZstdError as error:
                raise self.error(f"corrupt zstd frame before byte {consumed}: {error}") from None
            produced += len(piece)
            if produced > max(_FREE_EXPANSION, _MAX_RATIO * consumed):
                raise self.error(f"expands more than {_MAX_RATIO} times")
            waiting = frame.unused_data if frame.eof else b""
            yield piece, frame.eof
            if frame.eof:
                frame = None
        if frame is not None:
            counts["torn"] = 1

    def records(
        self, counts: Counter[str], accept: Callable[[Any], bool], *, finished: bool = False
    ) -> Iterator[tuple[int, Any]]:
        """(line number from 1, JSON value) of each record that can be read.

        A line that is no JSON is searched for records that `accept` recognises and counted as ``damaged-line``; an
        unfinished last line that is no JSON is counted as ``torn``. `finished` drops an unfinished line in any case.

        Raises:
            UnreadableSession: a line that holds no record and is not UTF-8, or one that is too long.
        """
        for line in self.lines(counts):
            if not line.raw or line.raw.isspace():
                continue
            if finished and not line.complete:
                counts["torn"] = 1
                continue
            try:
                yield line.number, parse(line.raw)
                continue
            except Damaged as damage:
                found = resynchronise(line.raw, accept)
                if not found and line.complete and str(damage) == "not UTF-8":
                    raise self.error("not UTF-8", line.number) from None
            if line.complete:
                counts["damaged-line"] += 1
            else:
                counts["torn"] = 1
            for value in found:
                yield line.number, value

    @cached_property
    def head(self) -> Head:
        """Shape and first records. Damaged lines are passed over here; the reader counts them."""
        if self.compressed:
            return Head(Shape.LINES, self._first_records())
        first = self._first_line()
        text = first.raw.lstrip()
        if len(first.raw) > MAX_RECORD:
            return self._head_of_long_line(text, first.number)
        try:
            value = parse(first.raw)
        except Damaged as damage:
            return self._head_of_broken_line(text, damage)
        if any(line.raw.strip() for line in self.lines() if line.number > first.number):
            return Head(Shape.LINES, self._first_records())
        self.__dict__["document"] = value
        return Head(Shape.ARRAY, tuple(value[:8])) if isinstance(value, list) else Head(Shape.OBJECT, (value,))

    def _first_line(self) -> Line:
        """The first line that is not blank; cut where it is longer than a record may be."""
        with self._opened(may_grow=True) as file:
            number = 0
            while raw := file.readline(MAX_RECORD + 1):
                number += 1
                raw = raw.removeprefix(_BOM) if number == 1 else raw
                if raw.strip():
                    return Line(number, raw.rstrip(b"\r\n"), raw.endswith(b"\n"))
        raise self.error("empty file")

    def _head_of_long_line(self, text: bytes, number: int) -> Head:
        if text.startswith(b"["):
            return Head(Shape.ARRAY, self._first_elements())
        if self.size <= MAX_DOCUMENT:
            return Head(Shape.OBJECT, (self.document,))
        raise self.error(f"longer than {MAX_RECORD >> 20} MiB", number)

    def _head_of_broken_line(self, text: bytes, damage: Damaged) -> Head:
        """The first line is no JSON: a document on several lines, or lines of which the first is damaged."""
        broken: UnreadableSession | None = None
        try:
            if text.startswith(b"[") and (values := self._first_elements()):
                return Head(Shape.ARRAY, values)
            if text.startswith(b"{") and self.size <= MAX_DOCUMENT:
                return Head(Shape.OBJECT, (self.document,))
        except UnreadableSession as error:
            broken = error
        values = self._first_records()
        if not values and broken is not None:
            raise broken
        return Head(Shape.LINES, values, "" if values else str(damage))

    def _first_elements(self) -> tuple[Any, ...]:
        return tuple(element.value for element in itertools.islice(self.elements(Counter()), 8))

    def _first_records(self) -> tuple[Any, ...]:
        values: list[Any] = []
        for line in self.lines():
            try:
                values.append(parse(line.raw))
            except Damaged:
                values += resynchronise(line.raw, lambda value: isinstance(value, dict))
            if len(values) >= _HEAD:
                break
        return tuple(values)

    @cached_property
    def document(self) -> Any:
        """The whole file as one JSON value; refused over 64 MiB."""
        if self.size > MAX_DOCUMENT:
            raise self.error(f"one JSON object larger than {MAX_DOCUMENT >> 20} MiB")
        with self._opened() as file:
            raw = file.read().removeprefix(_BOM)
        try:
            return parse(raw)
        except Damaged as damage:
            raise self.error(str(damage)) from None

    def elements(self, counts: Counter[str]) -> Iterator[Element]:
        """The objects and arrays in the file's top-level array, in order; in a large file one in memory at a time.

        An array that breaks off is counted as ``torn``; what was complete before is given. What follows an array is
        left out and counted as ``damaged-line``.
        """
        if self.size <= MAX_ARRAY:
            try:
                for value in as_list(self.document):
                    if isinstance(value, dict | list):
                        yield Element(value, 0, 0, held=True)
                return
            except UnreadableSession:
                pass
        yield from self._elements_apart(counts)

    def element(self, start: int, end: int) -> Any:
        """The element at these bytes again."""
        with self._opened() as file:
            file.seek(start)
            return parse(file.read(end - start))

    def _elements_apart(self, counts: Counter[str]) -> Iterator[Element]:
        with self._opened() as file:
            data, before, line = b"", 0, 1
            depth = start = at = 0
            while True:
                bracket = _BRACKET.match(data, at)
                if bracket is None:
                    done = start if depth > 1 else at
                    if len(data) - done > MAX_RECORD + _STEP:
                        raise self.error(f"an element longer than {MAX_RECORD >> 20} MiB", line)
                    chunk = file.read(max(_STEP, len(data) - done))
                    if not chunk:
                        break
                    line += data.count(b"\n", 0, done)
                    data, before = data[done:] + chunk, before + done
                    start, at = start - done, at - done
                    continue
                at = bracket.end()
                if data[at - 1] in b"[{":
                    start = at - 1 if depth == 1 else start
                    depth += 1
                    continue
                depth -= 1
                if depth == 1:
                    value = self._element(data[start:at], line + data.count(b"\n", 0, start))
                    yield Element(value, before + start, before + at, held=False)
                elif depth <= 0:
                    counts["damaged-line"] += _more_than_space(data[at:], file)
                    return
            counts["torn"] = 1

    def _element(self, raw: bytes, line: int) -> Any:
        try:
            if len(raw) > MAX_RECORD:
                raise Damaged(f"an element longer than {MAX_RECORD >> 20} MiB")
            return parse(raw)
        except Damaged as damage:
            raise self.error(str(damage), line) from None


def _more_than_space(data: bytes, file: IO[bytes]) -> bool:
    """Whether there is anything in `data` and the rest of `file` but white space."""
    return bool(data.strip()) or any(chunk.strip() for chunk in iter(lambda: file.read(_STEP), b""))
