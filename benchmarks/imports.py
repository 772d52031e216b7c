"""``import beliefmerge`` in a fresh interpreter, beside a fresh interpreter that imports nothing."""

from __future__ import annotations

import subprocess
import sys

from benchmarks.measure import Row, seconds


def _start(code: str) -> float:
    return seconds(lambda: subprocess.run([sys.executable, "-c", code], check=True), repeat=7)


def run() -> list[Row]:
    bare, loaded = _start("pass"), _start("import beliefmerge")
    return [Row("import beliefmerge", loaded, bare, "< 0.2 s more", loaded - bare < 0.2, f"+{loaded - bare:.3f} s")]
