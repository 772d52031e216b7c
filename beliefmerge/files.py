"""Writing files whole or not at all."""

from __future__ import annotations

import contextlib
import os
import tempfile
from pathlib import Path

from beliefmerge.errors import UsageError


def write_atomically(path: str | os.PathLike[str], data: str | bytes) -> None:
    """Write to a temporary name beside `path`, fsync, rename. On failure `path` is as it was; raises UsageError.

    A symbolic link stays one, and what it leads to is replaced. What is there and is no regular file, a pipe or a
    device, is written to as it is: putting a file in its place would destroy it.
    """
    raw = data.encode("utf-8", "backslashreplace") if isinstance(data, str) else data
    try:
        target = Path(path)
        if target.exists() and not target.is_file():
            target.write_bytes(raw)
        else:
            _replace(target.resolve() if target.is_symlink() else target, raw)
    except OSError as error:
        raise UsageError(f"{Path(path)}: cannot write: {error.strerror or error}") from error
    except (ValueError, RuntimeError) as error:
        raise UsageError(f"{path!r}: cannot write: {error}") from error


def _replace(target: Path, raw: bytes) -> None:
    handle, temporary = tempfile.mkstemp(prefix=".beliefmerge-", suffix=".tmp", dir=target.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(raw)
            file.flush()
            os.fsync(file.fileno())
        Path(temporary).chmod(target.stat().st_mode & 0o777 if target.exists() else 0o666 & ~_umask())
        Path(temporary).replace(target)
    except BaseException:
        with contextlib.suppress(OSError):
            Path(temporary).unlink()
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
