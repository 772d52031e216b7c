"""What commands print: results to standard output, remarks to standard error. Either may be closed."""

from __future__ import annotations

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
    """Print one line that is no result. Without a standard error it is lost: ``print`` would put it among results."""
    if sys.stderr is not None:
        print(text, file=sys.stderr)
