"""What records name by hash: the raw contents of tool results, kept by tenant under their SHA-256.

A blob is durable before its name is given out, so an entry that names it is never alone. It is written under another
name first: under its own there is the whole of it or nothing.
"""

from __future__ import annotations

import contextlib
import os
import re
import tempfile
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import IO, Any, Self

from beliefmerge.ledger.core.canonical import Malformed
from beliefmerge.ledger.store.errors import BlobDamaged, StoreError, StoreUnavailable, TooLarge, UnknownBlob
from beliefmerge.ledger.store.files import make_directory, sync, sync_directory
from beliefmerge.ledger.store.log import path_name

_HASH = re.compile(r"[0-9a-f]{64}")
_ABANDONED = 24 * 3600


def check_hash(name: str) -> str:
    """`name`, when it is 64 lowercase hexadecimal digits and nothing else. Raises Malformed."""
    if not _HASH.fullmatch(name):
        raise Malformed(f"not a hash: {name[:80]!r} (64 lowercase hexadecimal digits)")
    return name


class Sink:
    """A blob that is being written. `commit` keeps it and gives its name; leaving without that discards it.

    `write` raises TooLarge as soon as there are more than `limit` bytes.
    """

    def __init__(self, part: IO[bytes], limit: int | None, keep: Callable[[IO[bytes], str], None]) -> None:
        self._part = part
        self._limit = limit
        self._keep = keep
        self._sum = sha256()
        self._size = 0

    def write(self, chunk: bytes) -> None:
        """Add bytes."""
        self._size += len(chunk)
        if self._limit is not None and self._size > self._limit:
            raise TooLarge(f"more than {self._limit} bytes")
        self._sum.update(chunk)
        with _reached("the blob"):
            self._part.write(chunk)

    def commit(self) -> str:
        """Make the blob durable. Gives its SHA-256 in lowercase hexadecimal."""
        name = self._sum.hexdigest()
        with _reached(f"blob {name}"):
            self._part.flush()
            self._keep(self._part, name)
        return name

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        with contextlib.suppress(OSError):
            self._part.close()
        with contextlib.suppress(OSError):
            Path(self._part.name).unlink()


class Blobs(ABC):
    """A store of blobs. All of it may be called from any thread and process."""

    @abstractmethod
    def open(self, tenant: str, *, limit: int | None = None) -> Sink:
        """Begin a blob of at most `limit` bytes."""

    @abstractmethod
    def _load(self, tenant: str, name: str) -> bytes:
        """The bytes kept under a name that is a hash. Raises FileNotFoundError."""

    def put(self, tenant: str, content: bytes | Iterable[bytes], *, limit: int | None = None) -> str:
        """Keep `content`, whole or in chunks, and give its hash. Raises TooLarge, StoreUnavailable."""
        with self.open(tenant, limit=limit) as sink:
            for chunk in (content,) if isinstance(content, bytes) else content:
                sink.write(chunk)
            return sink.commit()

    def get(self, tenant: str, name: str) -> bytes:
        """The tenant's blob of this hash. Raises Malformed before anything is touched, UnknownBlob, BlobDamaged."""
        check_hash(name)
        with _reached(f"blob {name}"):
            try:
                content = self._load(tenant, name)
            except FileNotFoundError:
                raise UnknownBlob(f"no blob {name}") from None
        if sha256(content).hexdigest() != name:
            raise BlobDamaged(f"blob {name}: its content has another hash")
        return content


class FileBlobs(Blobs):
    """Blobs in files, ``<directory>/<tenant>/<first two digits>/<hash>``."""

    def __init__(self, directory: str | os.PathLike[str]) -> None:
        self.directory = Path(directory)
        self._parts = self.directory / ".part"
        with _reached(str(self.directory)):
            make_directory(self._parts, 0o700)
            self._sweep()

    def open(self, tenant: str, *, limit: int | None = None) -> Sink:
        """Begin a blob."""
        folder = self.directory / path_name(tenant)

        def keep(part: IO[bytes], name: str) -> None:
            sync(part.fileno())
            path = folder / name[:2] / name
            make_directory(path.parent, 0o700)
            Path(part.name).replace(path)
            sync_directory(path.parent)

        with _reached(str(self.directory)):
            return Sink(tempfile.NamedTemporaryFile(dir=self._parts, delete=False), limit, keep)

    def _load(self, tenant: str, name: str) -> bytes:
        return (self.directory / path_name(tenant) / name[:2] / name).read_bytes()

    def _sweep(self) -> None:
        """Remove what killed processes left, when it is so old that nobody is writing it."""
        for part in self._parts.iterdir():
            with contextlib.suppress(FileNotFoundError):
                if part.stat().st_mtime < time.time() - _ABANDONED:
                    part.unlink()


class RemoteBlobs(Blobs):
    """Blobs under an fsspec URL (``s3://bucket/prefix``), for stores in which an object appears whole or not at all.

    `options` go to fsspec; credentials and the endpoint are otherwise those of the environment.
    """

    def __init__(self, url: str, **options: Any) -> None:
        import fsspec  # type: ignore[import-untyped]

        try:
            self._files, root = fsspec.core.url_to_fs(url, **options)
        except (ImportError, ValueError) as error:
            raise StoreUnavailable(f"{url}: {error}") from error
        self._root = root.rstrip("/")

    def open(self, tenant: str, *, limit: int | None = None) -> Sink:
        """Begin a blob, in a temporary file: its name is known at its end."""
        path_name(tenant)

        def keep(part: IO[bytes], name: str) -> None:
            self._files.put_file(part.name, self._path(tenant, name))

        with _reached("the temporary directory"):
            return Sink(tempfile.NamedTemporaryFile(delete=False), limit, keep)

    def _load(self, tenant: str, name: str) -> bytes:
        content: bytes = self._files.cat_file(self._path(tenant, name))
        return content

    def _path(self, tenant: str, name: str) -> str:
        return f"{self._root}/{path_name(tenant)}/{name[:2]}/{name}"


@contextlib.contextmanager
def _reached(what: str) -> Iterator[None]:
    """Turns what the system or a remote store raises into an error of the store."""
    try:
        yield
    except StoreError:
        raise
    except Exception as error:
        cause = getattr(error, "strerror", None) or f"{error}" or type(error).__name__
        raise StoreUnavailable(f"{what}: {cause}") from error
