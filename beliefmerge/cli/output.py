"""What commands print: results to standard output, remarks to standard error. Either may be closed."""

from __future__ import annotations

import contextlib
import sys

from beliefmerge.errors import UsageError


def emit(text: str) -> None:
    """Print a result, in UTF-8 whatever the locale; raises UsageError where standard output is closed."""
    emit_bytes(text.encode("utf-8", "backslashreplace"))


def emit_bytes(data: bytes) -> None:
    """Print a result that is bytes already; raises UsageError where standard output is closed."""
    if sys.stdout is None:
        raise UsageError("standard output is closed: nowhere to print to")
    sys.stdout.buffer.write(data)
    sys.stdout.flush()


def remark(text: str) -> None:
    """Print one line that is no result. Where standard error is closed or takes no more it is lost, and nothing else.

    Without a standard error, ``print`` would put it among results.
    """
    if sys.stderr is not None:
        with contextlib.suppress(OSError):
            print(text, file=sys.stderr)
