"""Where a summary is not idempotent: in its state, in its decision, when a branch is delivered again."""

from __future__ import annotations

from collections.abc import Sequence

from experiment.tables import Column, Row
from paper import cells, rows
from paper.stage import Tables, TableStage

IDEMPOTENCE = "confluence-boundary/idempotence"
SETTING = ("values", "levels", "branches", "form", "score")
KINDS = ("state", "decision", "redelivered")


def build(tables: Tables) -> tuple[Sequence[Row], Sequence[Column]]:
    """A row a space, form and score; for each summary the profiles that change in state, decision, on re-delivery."""
    found = rows.where(tables[IDEMPOTENCE], space="seed")
    summaries = rows.distinct(found, "representation")
    made = []
    for setting in rows.distinct(found, *SETTING):
        about = dict(zip(SETTING, setting, strict=True))
        own = rows.where(found, **about)
        counts = {row["representation"]: " / ".join(f"{row[kind]:,}" for kind in KINDS) for row in own}
        made.append({**about, **counts, "total": rows.common(own, "total")})
    sizes = [cells.count(name, title) for name, title in zip(SETTING, ("k", "E", "n"), strict=False)]
    shown = [Column(name, lambda row, name=name: str(row[name])) for name in summaries]  # type: ignore[misc]
    return made, [*sizes, cells.form(), cells.text("score"), *shown, cells.count("total", "of")]


TABLE = TableStage(reads=(IDEMPOTENCE,), build=build)
