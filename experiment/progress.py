"""Progress on a terminal, for anything that takes longer than two seconds; nowhere else is anything printed."""

from __future__ import annotations

import shutil
import sys
from types import TracebackType
from typing import Any, Self

SLOW = 2.0
"""Seconds after which a bar appears."""


class Bar:
    """A bar over `total` steps on standard error; a context manager that takes it off the screen.

    Where a step alone takes longer than two seconds, `delay` 0 shows it before the first one is done.
    """

    def __init__(self, total: int, unit: str, *, delay: float = SLOW) -> None:
        self._bar: Any = None
        if total and sys.stderr.isatty():
            from tqdm import tqdm

            columns, lines = shutil.get_terminal_size()
            self._bar = tqdm(
                total=total, delay=delay, leave=False, unit=unit, file=sys.stderr, ncols=columns, nrows=lines
            )

    def step(self, said: str = "") -> None:
        """One more step is done. What is `said` of it is printed on a line of its own, bar or no bar."""
        if self._bar is None:
            sys.stderr.write(f"{said}\n" if said else "")
            return
        if said:
            self._bar.write(said, file=sys.stderr)
        self._bar.update()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        if self._bar is not None:
            self._bar.close()
