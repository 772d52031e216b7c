"""The record of model calls on disk: one small compressed file an entry, or many entries in one pack.

An entry is ``<two hex digits>/<address>.json.zst``; a pack is a ``.jsonl.zst`` with an entry a line, sorted by address.
A directory may hold both: a pack is read like its entries and never written to. Files are written whole or not at all,
and of several writers of one address the first one is believed, so that all of them go on with the same reply.
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
import uuid
from collections.abc import Iterator
from pathlib import Path

from beliefmerge.errors import BeliefMergeError, UsageError
from beliefmerge.files import write_atomically
from beliefmerge.llm.entry import CorruptEntry, Entry, decode

PACK = ".jsonl.zst"
_LEVEL, _PACK_LEVEL = 9, 19
_LARGEST = 256 << 20


class Cache:
    """A directory of entries and packs, or one pack. Safe for parallel readers and writers, also in other processes."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)
        self._packed: dict[str, bytes] | None = None

    def get(self, address: str) -> Entry | None:
        """The entry at `address`, None where there is none. Raises CorruptEntry, its message with the file."""
        file = self._file(address)
        try:
            raw = None if self.is_pack else _bytes(file)
        except FileNotFoundError:
            raw = None
        except OSError as error:
            raise CorruptEntry(f"{file}: {error.strerror or error}") from None
        if raw is not None:
            try:
                return decode(_decompressed(raw), address)
            except CorruptEntry as damage:
                raise CorruptEntry(f"{file}: {damage}") from None
        packed = self._packs().get(address)
        return None if packed is None else decode(packed, address)

    def put(self, entry: Entry, *, replace: bool = False) -> Entry:
        """Keep `entry`; the entry that is then on record, which another writer may have put there before.

        `replace` puts it in place of what is there. A corrupt entry is always replaced. Raises UsageError where nothing
        can be written.
        """
        import zstandard

        if self.is_pack:
            raise UsageError(f"{self.path}: a pack is only replayed; record into a directory")
        target = self._file(entry.address)
        raw = zstandard.ZstdCompressor(level=_LEVEL, write_checksum=True).compress(entry.encode())
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise UsageError(f"{target.parent}: cannot write: {error.strerror or error}") from None
        if not replace and not _created(target, raw):
            with contextlib.suppress(CorruptEntry):
                if (before := self.get(entry.address)) is not None:
                    return before
            replace = True
        if replace:
            write_atomically(target, raw)
        return entry

    def entries(self) -> Iterator[Entry]:
        """Every entry, by address. Raises CorruptEntry."""
        files = [] if self.is_pack else self.path.glob("[0-9a-f][0-9a-f]/*.json.zst")
        addresses = {file.name.removesuffix(".json.zst") for file in files} | self._packs().keys()
        for address in sorted(addresses):
            entry = self.get(address)
            if entry is not None:
                yield entry

    @property
    def is_pack(self) -> bool:
        """Whether this is a pack and no directory."""
        return self.path.name.endswith(PACK)

    def _file(self, address: str) -> Path:
        return self.path / address[:2] / f"{address}.json.zst"

    def _packs(self) -> dict[str, bytes]:
        """The lines of all packs, by address. Read once."""
        if self._packed is None:
            found: dict[str, bytes] = {}
            for file in [self.path] if self.is_pack else sorted(self.path.glob(f"*{PACK}")):
                found |= dict(_lines(file))
            self._packed = found
        return self._packed


def pack(source: str | os.PathLike[str], target: str | os.PathLike[str]) -> int:
    """Write all entries of the cache `source` into the pack `target`; how many there are.

    The same entries give the same bytes. Raises UsageError for a target that is not named as a pack, and for a corrupt
    or empty source.
    """
    import zstandard

    if not os.fspath(target).endswith(PACK):
        raise UsageError(f"{os.fspath(target)}: a pack is named …{PACK}")
    try:
        lines = [entry.encode() + b"\n" for entry in Cache(source).entries()]
    except CorruptEntry as damage:
        raise UsageError(str(damage)) from None
    if not lines:
        raise UsageError(f"{os.fspath(source)}: no recorded calls")
    compressor = zstandard.ZstdCompressor(level=_PACK_LEVEL, write_checksum=True)
    write_atomically(target, compressor.compress(b"".join(lines)))
    return len(lines)


def _lines(file: Path) -> Iterator[tuple[str, bytes]]:
    """(address, line) of a pack's entries. Raises CorruptEntry."""
    try:
        raw = _decompressed(_bytes(file))
    except OSError as error:
        raise BeliefMergeError(f"{file}: {error.strerror or error}") from None
    except CorruptEntry as damage:
        raise CorruptEntry(f"{file}: {damage}") from None
    for number, line in enumerate(raw.split(b"\n"), 1):
        if line:
            try:
                yield decode(line).address, line
            except CorruptEntry as damage:
                raise CorruptEntry(f"{file}: line {number}: {damage}") from None


def _bytes(file: Path) -> bytes:
    """What is in `file`. Raises OSError, also for what is no regular file: reading a pipe or a device need not end."""
    if not stat.S_ISREG(file.stat().st_mode):
        raise OSError(errno.EINVAL, "not a regular file")
    return file.read_bytes()


def _decompressed(raw: bytes) -> bytes:
    import zstandard

    try:
        # The limit of `decompress` does not hold for a frame that states its size.
        if zstandard.frame_content_size(raw) > _LARGEST:
            raise CorruptEntry(f"more than {_LARGEST >> 20} MiB")
        return zstandard.ZstdDecompressor().decompress(raw, max_output_size=_LARGEST)
    except zstandard.ZstdError as error:
        raise CorruptEntry(f"not a whole zstd frame ({error})") from None


def _created(target: Path, raw: bytes) -> bool:
    """Whether `target` was made and holds `raw`: false where it was there before. Raises UsageError."""
    try:
        temporary = target.with_name(f".beliefmerge-{uuid.uuid4().hex}.tmp")
        with temporary.open("xb") as file:
            try:
                file.write(raw)
                file.flush()
                os.link(temporary, target)
            finally:
                temporary.unlink()
    except FileExistsError:
        return False
    except OSError:  # a file system without links
        if target.exists():
            return False
        write_atomically(target, raw)
    return True
