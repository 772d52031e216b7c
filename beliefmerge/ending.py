"""SIGINT and SIGTERM end a command in order at whatever moment they come: what it has begun is undone, in one line."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

_SIGNALS = (signal.SIGINT, signal.SIGTERM)
_SOON_S = 0.01


class Ended(KeyboardInterrupt):
    """A signal asked for the end; `number` is its own."""

    def __init__(self, number: int) -> None:
        super().__init__("terminated" if number == signal.SIGTERM else "interrupted")
        self.number = number

    @property
    def exit_code(self) -> int:
        """130 for SIGINT, 143 for SIGTERM, as a shell counts them."""
        return 128 + self.number


def in_order(command: Callable[[], int]) -> int:
    """The exit code of `command`, which the first SIGINT or SIGTERM unwinds by `Ended`.

    A second signal, and one that comes when the command is done, has its usual effect at once. Signals that were
    ignored when the process started, as for a job in the background, stay so.
    """
    running = True

    def end(number: int, frame: FrameType | None) -> None:
        _usual()
        if running:
            raise Ended(number)
        signal.raise_signal(number)

    def swallowed(what: Any) -> None:
        # An exception in a finaliser goes no further: the signal would be lost, and its traceback printed.
        if isinstance(what.exc_value, Ended):
            number = what.exc_value.number
            signal.signal(signal.SIGALRM, lambda *_: end(number, None))
            signal.setitimer(signal.ITIMER_REAL, _SOON_S)
        else:
            sys.__unraisablehook__(what)

    try:
        sys.unraisablehook = swallowed
        os.register_at_fork(after_in_child=_usual)
        for number in _SIGNALS:
            if signal.getsignal(number) is not signal.SIG_IGN:
                signal.signal(number, end)
        code = command()
        running = False
    except Ended as ended:
        return ended.exit_code
    return code


def _usual() -> None:
    """What the system does with these signals by itself; what is ignored stays so."""
    for number in _SIGNALS:
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, signal.SIG_DFL)
