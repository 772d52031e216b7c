"""Where the shared cases and data sets are, when they are: beside the checkout, or where BELIEFMERGE_SHARED says."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

SHARED = Path(os.environ.get("BELIEFMERGE_SHARED", Path(__file__).parents[2] / "shared"))

needs_shared = pytest.mark.skipif(not (SHARED / "cases").is_dir(), reason="the shared cases are not here")


def cases(kind: str) -> list[Path]:
    """The cases of a kind, sorted; none when they are not here."""
    return sorted((SHARED / "cases" / kind).glob("*")) if SHARED.is_dir() else []
