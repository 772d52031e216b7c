"""A clock whose waiting takes no time and is remembered."""

from __future__ import annotations

import threading


class FakeClock:
    """Moves on only when somebody waits."""

    def __init__(self) -> None:
        self.time, self.waits = 0.0, list[float]()

    def now(self) -> float:
        return self.time

    def wait(self, seconds: float, cancel: threading.Event) -> bool:
        self.waits.append(seconds)
        self.time += seconds
        return cancel.is_set()
