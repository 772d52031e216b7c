"""Workers of a sweep that was killed: each ends its job, puts it on record, and waits for no other."""

from __future__ import annotations

import contextlib
import os
import threading
import time
from collections.abc import Iterator

SECONDS = 1.0
"""Between two looks at who the parent is."""
_at_work = threading.Lock()
_watched: set[int] = set()


@contextlib.contextmanager
def at_work(main: int) -> Iterator[None]:
    """A job at work in this process.

    A process other than `main`, the sweep's, ends once its parent has ended and no job runs; joblib's would not.
    """
    own = os.getpid()
    if own != main and own not in _watched:
        _watched.add(own)
        threading.Thread(target=_end_after, args=(os.getppid(),), daemon=True).start()
    with _at_work:
        yield


def _end_after(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(SECONDS)
    with _at_work:
        os._exit(1)
