"""What of the local model is there, and what it can be used for."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

from beliefmerge.errors import BeliefMergeError
from beliefmerge.llm.local.store import GET_EXTRA, GET_WEIGHTS, SMOLLM2, digest, is_fetched, locate, stored

PACKAGES = ("gguf", "tokenizers", "xllamacpp")


@dataclass(frozen=True, slots=True)
class Status:
    """One answer a field; `scoring` and `serving` are ``yes`` or say why not."""

    path: str
    weights: str
    """`checked`, `damaged`, `another file`, or how to get them."""
    sha256: str
    architecture: str
    parameters: int
    missing: tuple[str, ...]
    """Packages that are not installed."""
    scoring: str
    serving: str

    @property
    def usable(self) -> bool:
        """Whether it can be scored or served with."""
        return "yes" in (self.scoring, self.serving)

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        return asdict(self)

    def lines(self) -> Iterator[tuple[str, str]]:
        """Name and value for a person; what is unknown is left out."""
        yield "weights", f"{self.path} ({self.weights})" if self.sha256 else self.weights
        if self.architecture:
            yield "model", f"{self.architecture}, {self.parameters / 1e6:.0f} million weights"
        yield "packages", f"missing: {', '.join(self.missing)} ({GET_EXTRA})" if self.missing else "installed"
        yield "scoring", self.scoring
        yield "serving", self.serving


def status(model: str = "") -> Status:
    """The state of the GGUF file that `model` names, by default the fetched weights. Raises UsageError for no file."""
    missing = tuple(package for package in PACKAGES if importlib.util.find_spec(package) is None)
    if not model and not is_fetched():
        return Status(str(stored()), f"missing: {GET_WEIGHTS}", "", "", 0, missing, "no weights", "no weights")
    path = locate(model)
    sha256 = digest(path)
    own = path == stored()
    weights = ("checked" if sha256 == SMOLLM2.sha256 else "damaged") if own else "another file"
    serving = "yes" if "xllamacpp" not in missing else "xllamacpp is missing"
    if "gguf" in missing or "tokenizers" in missing:
        return Status(str(path), weights, sha256, "", 0, missing, "gguf or tokenizers is missing", serving)

    from beliefmerge.llm.local.container import Container
    from beliefmerge.llm.local.tokenizer import Tokenizer

    try:
        container = Container(path)
    except BeliefMergeError as error:
        return Status(str(path), weights, sha256, "", 0, missing, str(error), "no" if serving == "yes" else serving)
    try:
        container.shape()
        Tokenizer(container)
        scoring = "yes"
    except BeliefMergeError as error:
        scoring = str(error)
    return Status(str(path), weights, sha256, container.architecture, container.parameters, missing, scoring, serving)
