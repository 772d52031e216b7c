"""The package ``context-cite`` in an interpreter of its own, asked through a pipe (`peer.py` answers)."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from beliefmerge.errors import BeliefMergeError

INTERPRETER = "BELIEFMERGE_CONTEXT_CITE"
"""The variable that names an interpreter with what ``context-cite.txt`` lists."""
SCRIPT = Path(__file__).parent / "peer.py"

Ask = Callable[..., dict[str, Any]]
"""Send a request by name with its arguments; the answer."""


def lacks() -> str:
    """What is missing to ask; empty where nothing is."""
    named = os.environ.get(INTERPRETER)
    if not named:
        return f"${INTERPRETER} names no interpreter with context-cite (docs/attribution.md)"
    return "" if shutil.which(Path(named).expanduser()) else f"${INTERPRETER}: no program {named!r}"


@contextmanager
def context_cite(gguf: Path, threads: int) -> Iterator[Ask]:
    """The package with the model at `gguf` loaded. Raises BeliefMergeError with its last words where it ends early."""
    interpreter = Path(os.environ[INTERPRETER]).expanduser()
    started = [str(interpreter), "-P", str(SCRIPT), str(gguf), str(threads)]
    with tempfile.TemporaryFile() as complaints:
        process = subprocess.Popen(started, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=complaints, text=True)
        sending, hearing = process.stdin, process.stdout
        assert sending is not None
        assert hearing is not None

        def answer() -> dict[str, Any]:
            line = hearing.readline()
            if not line:
                complaints.seek(0)
                last = complaints.read().decode("utf-8", "replace").rstrip().rpartition("\n")[2]
                raise BeliefMergeError(f"{interpreter}: context-cite ended early ({process.wait()}): {last}")
            said: dict[str, Any] = json.loads(line)
            return said

        def ask(op: str, **given: Any) -> dict[str, Any]:
            sending.write(json.dumps({"op": op, **given}) + "\n")
            sending.flush()
            return answer()

        try:
            sys.stderr.write(f"context-cite is ready: {answer()}\n")
            yield ask
        finally:
            sending.close()
            process.wait()
