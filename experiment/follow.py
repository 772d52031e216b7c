"""A sweep as it goes on: a bar over its jobs and a line for each that does not end well, wherever jobs run."""

from __future__ import annotations

import threading
from pathlib import Path
from types import TracebackType
from typing import Self

from experiment.progress import Bar
from experiment.sweep import FAILED, REFUSED, Job, read_job
from experiment.watch import SweepWatch

SECONDS = 0.5
"""Between two looks at the sweep's directory."""


class Follower:
    """Looks at the files that jobs leave, in a thread of its own, until the context ends."""

    def __init__(self, command: str, jobs: int) -> None:
        self._command = command
        self._bar = Bar(jobs, "job")
        self._seen: set[Path] = set()
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._follow, daemon=True)

    def __enter__(self) -> Self:
        self._bar.__enter__()
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        self._over.set()
        self._thread.join()
        self._look()
        self._bar.__exit__(kind, error, where)

    def _follow(self) -> None:
        while not self._over.wait(SECONDS):
            self._look()

    def _look(self) -> None:
        swept = SweepWatch.seen()
        found = sorted(swept.directory.glob("job-*.json")) if swept else []
        for path in found:
            if path not in self._seen:
                self._seen.add(path)
                self._bar.step(self._line(read_job(path)))

    def _line(self, job: Job) -> str:
        if job.status not in (FAILED, REFUSED):
            return ""
        return f"{self._command}: job {job.number} ({' '.join(job.overrides)}) {job.status}: {job.error}"
