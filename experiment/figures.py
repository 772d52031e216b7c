"""Figures, the same bytes each time: no dates, fixed identifiers."""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping
from typing import Any

Files = Mapping[str, Callable[[], bytes]]
"""Names of files, and what makes each of them, for `experiment.run.Result.files`."""


def drawn(name: str, draw: Callable[[], Any], *, salt: str) -> Files:
    """`name` as SVG and PDF. `draw` makes a Matplotlib figure; `salt` fixes the identifiers in the SVG."""
    return {f"{name}.svg": lambda: _saved(draw, "svg", salt), f"{name}.pdf": lambda: _saved(draw, "pdf", salt)}


def _saved(draw: Callable[[], Any], kind: str, salt: str) -> bytes:
    import matplotlib

    settings: Any = {"svg.hashsalt": salt, "svg.fonttype": "path", "pdf.compression": 6, "font.size": 8}
    out = io.BytesIO()
    with matplotlib.rc_context(settings):
        metadata = {"Date": None} if kind == "svg" else {"CreationDate": None}
        draw().savefig(out, format=kind, metadata=metadata)
    return out.getvalue()
