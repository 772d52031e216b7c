"""One worker a job: whoever starts a job that another is at waits, and finds it on record."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

RESERVED = ".reserved"


@contextlib.contextmanager
def reserved(results: Path, key: str) -> Iterator[None]:
    """Hold the job of configuration hash `key`; the system lets go of it when the process ends, however that is.

    On a file system without locks nothing is held: then a job may be done twice, and both records are whole.
    """
    from filelock import FileLock

    directory = results / RESERVED
    with contextlib.ExitStack() as held:
        with contextlib.suppress(OSError, NotImplementedError):
            directory.mkdir(exist_ok=True)
            held.enter_context(FileLock(directory / f"{key}.lock"))
        yield
