"""Time as a client sees it, so that a test of its patience does not wait."""

from __future__ import annotations

import threading
import time
from typing import Protocol


class Clock(Protocol):
    """Seconds that only go forward, and waiting that can be interrupted."""

    def now(self) -> float:
        """Seconds since some fixed moment."""
        ...

    def wait(self, seconds: float, cancel: threading.Event) -> bool:
        """Wait; whether `cancel` was set before the time was over."""
        ...


class SystemClock:
    """The machine's monotonic clock."""

    def now(self) -> float:
        """Seconds since some fixed moment."""
        return time.monotonic()

    def wait(self, seconds: float, cancel: threading.Event) -> bool:
        """Wait; whether `cancel` was set before the time was over."""
        return cancel.wait(seconds)
