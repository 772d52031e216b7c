"""llama.cpp's OpenAI-compatible server on loopback, in a process that lives no longer than this one."""

from __future__ import annotations

import atexit
import contextlib
import os
import queue
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Self

from beliefmerge.errors import UsageError
from beliefmerge.llm.local.store import need
from beliefmerge.llm.protocol import Cause, ModelError

CONTEXT = 8192
"""Tokens of prompt and reply together."""
THREADS = "BELIEFMERGE_MODEL_THREADS"
"""Variable that sets the server's threads; 2 by default. On a machine that others use, 1 is faster than 2."""
READY_SECONDS = 120.0
"""Most that loading a model may take."""


def threads_to_use() -> int:
    """``$BELIEFMERGE_MODEL_THREADS``, or 2. Raises UsageError for what is no number of threads."""
    given = os.environ.get(THREADS, "2")
    if not given.isdecimal() or not 1 <= int(given) <= 256:
        raise UsageError(f"{THREADS}={given!r} is no number of threads (1 to 256)")
    return int(given)


class LocalServer:
    """Serves the GGUF file at `path` from `start` to `stop`; a context manager.

    `name` is what the model is called in requests and replies. With `precise`, keys, values and attention are in single
    precision. The process ends with this one, however that ends: it reads a pipe that only this process holds open.
    """

    def __init__(
        self, path: Path, *, name: str = "", context: int = CONTEXT, threads: int | None = None, precise: bool = False
    ) -> None:
        self.path, self.name = path, name or path.stem
        self._settings = [str(context), str(threads or threads_to_use()), str(int(precise))]
        self._process: subprocess.Popen[bytes] | None = None
        self._complaints: IO[bytes] | None = None
        self._address = ""

    @property
    def base_url(self) -> str:
        """Address of its OpenAI-compatible interface, without a trailing slash. Empty before `start`."""
        return f"{self._address}/v1" if self._address else ""

    def start(self, *, seconds: float = READY_SECONDS) -> str:
        """Start it, unless it runs, and wait until it answers; returns `base_url`.

        Raises ModelError when it is not installed, cannot load the model, or takes longer than `seconds`.
        """
        if self._process is not None and self._process.poll() is None:
            return self.base_url
        self.stop()
        need("xllamacpp")
        script = str(Path(__file__).with_name("child.py"))
        self._complaints = tempfile.TemporaryFile()  # noqa: SIM115 - closed by `stop`
        self._process = subprocess.Popen(
            [sys.executable, "-P", script, str(self.path), self.name, *self._settings],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._complaints,
        )
        atexit.register(self.stop)
        try:
            self._address = self._announced(self._process, seconds)
        except BaseException:
            self.stop()
            raise
        return self.base_url

    def _announced(self, process: subprocess.Popen[bytes], seconds: float) -> str:
        """The address the process prints once the model is loaded."""
        lines: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        assert process.stdout is not None
        threading.Thread(target=lambda out: lines.put(out.readline()), args=(process.stdout,), daemon=True).start()
        try:
            line = lines.get(timeout=seconds).decode().strip()
        except queue.Empty:
            raise ModelError(Cause.TIMEOUT, f"{self.path.name} was not loaded within {seconds:g} s") from None
        if not line.startswith("http://"):
            raise ModelError(Cause.UNAVAILABLE, f"{self.path}: llama.cpp cannot serve it: {self._complaint()}")
        return line

    def _complaint(self) -> str:
        """What the process said last."""
        assert self._complaints is not None
        self._complaints.seek(0)
        lines = self._complaints.read().decode("utf-8", "replace").split("\n")
        return next((" ".join(line.split()) for line in reversed(lines) if line.strip()), "no reason given")

    def wait(self) -> None:
        """Return when the process has ended."""
        if self._process is not None:
            self._process.wait()

    def stop(self) -> None:
        """End the process, if there is one."""
        process, self._process, self._address = self._process, None, ""
        if process is not None:
            atexit.unregister(self.stop)
            _end(process)
        if self._complaints is not None:
            self._complaints.close()
            self._complaints = None

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        self.stop()


def _end(process: subprocess.Popen[Any]) -> None:
    """Close its standard input, which ends it; kill it where that does not."""
    assert process.stdin is not None
    assert process.stdout is not None
    with contextlib.suppress(OSError):
        process.stdin.close()
    try:
        process.wait(timeout=3)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    process.stdout.close()
