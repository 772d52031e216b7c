"""What z3 says, which shares no code with the enumeration."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from experiment.tables import MISSING, Column, Row
from paper import cells, rows, style
from paper.stage import Tables, TableStage

SMT = "confluence-boundary/smt"
CASES = ("fold differs from n-ary", "shared trunk changes decision")
"""Claims that a case is looked for, so that a proof is one that there is none."""
SAME = ("claim", "representation", "branches", "weights", "verdict", "assertions")
ALL_FORMS = "any"


def build(tables: Tables) -> tuple[Sequence[Row], Sequence[Column]]:
    """A row a claim, summary and answer; scores and forms with one answer share it."""
    found = tables[SMT]
    made = []
    for setting in rows.distinct(found, *SAME):
        about = dict(zip(SAME, setting, strict=True))
        made.append({**about, "holds": _settings(rows.where(found, **about)), "answer": _answer(about)})
    shown = [
        cells.text("claim"),
        Column("summary", lambda row: _summary(row["representation"]), left=True),
        cells.count("branches", "n"),
        cells.text("holds", "scores and forms"),
        Column("weights", lambda row: str(row["weights"]).replace("-", cells.MINUS), left=True),
        cells.text("answer"),
    ]
    claims = rows.distinct(made, "claim")
    made.sort(key=lambda row: (claims.index(row["claim"]), row["branches"] or 0, row["representation"]))
    return cells.once(made, "claim"), shown


def _summary(name: str) -> str:
    return name.upper() if name.upper() in style.REPRESENTATIONS else name


def _answer(about: Row) -> str:
    if about["claim"] not in CASES or about["verdict"] != "proved":
        least = about["assertions"]
        return str(about["verdict"]) if least is None else f"{about['verdict']}: {least} opinions"
    return "proved: none"


def _settings(own: Sequence[Row]) -> str:
    """The scores, each with its form where it is not both."""
    parts: list[Any] = []
    for score in rows.distinct(own, "score"):
        forms = [str(row["form"]).replace("_", "-") for row in rows.where(own, score=score)]
        parts.append(score if len(forms) > 1 or forms == [ALL_FORMS] else f"{score} {forms[0]}")
    return "; ".join(parts) or MISSING


TABLE = TableStage(reads=(SMT,), build=build)
