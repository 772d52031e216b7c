"""A scratch directory, and checkpoints that come often enough to be cut short."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from beliefmerge.ledger.store import sqlite
from tests.scratch import fast_directory


@pytest.fixture
def scratch() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(dir=fast_directory()) as directory:
        yield Path(directory)


@pytest.fixture(autouse=True)
def frequent_checkpoints(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite, "CHECKPOINT_PAGES", 40)
