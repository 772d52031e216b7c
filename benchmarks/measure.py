"""Timing two ways of doing one thing in one run, and saying whether a promise holds."""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Row:
    """One promise: what was measured, the reference beside it, the bar, and whether it holds. In seconds, but where
    `unit` says otherwise; only times are compared by their ratio.
    """

    what: str
    ours: float
    reference: float | None
    bar: str
    holds: bool
    note: str = ""
    unit: str = "s"

    def cells(self) -> tuple[str, ...]:
        ratio = f"{self.reference / self.ours:.1f}x" if self.reference and self.unit == "s" else "-"
        reference = f"{self.reference:.3f} {self.unit}" if self.reference is not None else "-"
        return (
            self.what,
            f"{self.ours:.3f} {self.unit}",
            reference,
            ratio,
            self.bar,
            "holds" if self.holds else "FAILS",
            self.note,
        )


HEADER = ("what", "ours", "reference", "faster", "bar", "verdict", "note")


def seconds(work: Callable[[], object], *, repeat: int = 3) -> float:
    """Median wall time of `work` over `repeat` runs, garbage collected before each."""
    times = []
    for _ in range(repeat):
        gc.collect()
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def table(rows: list[Row]) -> str:
    """The rows as a Markdown table."""
    cells = [HEADER, *(row.cells() for row in rows)]
    widths = [max(len(row[i]) for row in cells) for i in range(len(HEADER))]
    lines = ["| " + " | ".join(c.ljust(w) for c, w in zip(row, widths, strict=True)) + " |" for row in cells]
    return "\n".join([lines[0], "|" + "|".join("-" * (w + 2) for w in widths) + "|", *lines[1:]])
