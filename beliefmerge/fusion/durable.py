"""Creating a file for good: whole or not at all, never over another, and with a word on whether it is on the disk."""

from __future__ import annotations

import contextlib
import errno
import os
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from beliefmerge.errors import BeliefMergeError, UsageError

_UNSUPPORTED = {errno.EINVAL, errno.ENOTSUP, errno.ENOSYS}
"""What a file system answers that cannot flush a file or directory at all."""


class NotFlushed(BeliefMergeError):
    """The file was created and stays; that it is on the disk is not certain."""


def create(path: Path, raw: bytes, check: Callable[[Path], None] | None = None) -> bool:
    """Create `path` with `raw`, and its directories; whether file and directories were flushed to the disk.

    Temporary name, flush, link: of two that create one path one wins. `check` looks at the temporary file before it
    gets its name. False where the file system cannot flush.

    Raises:
        UsageError: nothing was created: `path` exists, cannot be written, or `check` raised it.
        NotFlushed: `path` was created, and flushing its directory failed.
    """
    made: list[Path] = []
    temporary: Path | None = None
    try:
        _make_directories(path.parent, made)
        handle, name = tempfile.mkstemp(prefix=".beliefmerge-", suffix=".tmp", dir=path.parent)
        temporary = Path(name)
        with os.fdopen(handle, "wb") as file:
            file.write(raw)
            file.flush()
            durable = _flush(file.fileno())
        if check is not None:
            check(temporary)
        _name(temporary, path)
    except FileExistsError:
        _clean_up(temporary, made)
        raise UsageError(f"{path} already exists") from None
    except OSError as error:
        _clean_up(temporary, made)
        raise _cannot_write(path, error) from error
    except BaseException:
        _clean_up(temporary, made)
        raise
    return _flush_directories(path, made) and durable


@contextlib.contextmanager
def exclusive(directory: Path) -> Iterator[None]:
    """While it lasts, nobody else is in here for `directory`: a lock on the directory itself, which leaves no file.

    The directory is made where it is missing, since who comes next must find the same one; it goes again if what is
    done in it fails and leaves it empty. Without locks on directories nothing is locked. Raises UsageError.
    """
    made: list[Path] = []
    try:
        handle = _locked(directory, made)
    except OSError as error:
        _clean_up(None, made)
        raise _cannot_write(directory, error) from error
    try:
        try:
            for each in made:
                _flush_directory(each.parent)
        except OSError as error:
            raise _cannot_write(directory, error) from error
        yield
    except BaseException:
        _clean_up(None, made)
        raise
    finally:
        if handle is not None:
            os.close(handle)


def _locked(directory: Path, made: list[Path]) -> int | None:
    """An open, locked directory, made where it is missing; None where there are no such locks."""
    while True:
        _make_directories(directory, made)
        try:
            import fcntl
        except ImportError:
            return None
        handle = os.open(directory, os.O_RDONLY)
        with contextlib.suppress(OSError):
            fcntl.flock(handle, fcntl.LOCK_EX)
        # Who had the lock before may have removed what it made: the lock on that keeps nobody out.
        if directory.exists() and os.path.samestat(os.fstat(handle), directory.stat()):
            return handle
        os.close(handle)


def _make_directories(directory: Path, made: list[Path]) -> None:
    """Make `directory`; those that were made are put at the head of `made`, so that the deepest comes first."""
    missing: list[Path] = []
    while not directory.exists():
        missing.append(directory)
        directory = directory.parent
    for each in reversed(missing):
        try:
            each.mkdir()
        except FileExistsError:
            if not each.is_dir():
                raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), str(each)) from None
        else:
            made.insert(0, each)


def _name(temporary: Path, path: Path) -> None:
    """Give the file its name, which must be free; a file system without hard links has the name claimed first."""
    temporary.chmod(0o600)
    try:
        os.link(temporary, path)
    except FileExistsError:
        raise
    except OSError:
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        temporary.replace(path)
        return
    temporary.unlink()


def _cannot_write(path: Path, error: OSError) -> UsageError:
    return UsageError(f"{path}: cannot write: {error.strerror or error}")


def _flush(handle: int) -> bool:
    try:
        os.fsync(handle)
    except OSError as error:
        if error.errno in _UNSUPPORTED:
            return False
        raise
    return True


def _flush_directories(path: Path, made: list[Path]) -> bool:
    """The directory of the file, and those in which directories were made."""
    durable = True
    for directory in dict.fromkeys((path.parent, *(each.parent for each in made))):
        try:
            durable = _flush_directory(directory) and durable
        except OSError as error:
            raise NotFlushed(f"{directory}: cannot flush: {error.strerror or error}") from error
    return durable


def _flush_directory(directory: Path) -> bool:
    handle = os.open(directory, os.O_RDONLY)
    try:
        return _flush(handle)
    finally:
        os.close(handle)


def _clean_up(temporary: Path | None, made: list[Path]) -> None:
    if temporary is not None:
        with contextlib.suppress(OSError):
            temporary.unlink()
    for directory in made:
        with contextlib.suppress(OSError):
            directory.rmdir()
