"""Columns of what is measured beside a reference: both values, their ratio, the bar and whether it holds."""

from __future__ import annotations

from collections.abc import Sequence

from experiment.tables import MISSING, Column, Row
from paper import cells

VERDICTS = {True: "holds", False: "fails", None: MISSING}
SHORT = 0.1
"""Seconds below which a time is given in milliseconds."""


def columns() -> Sequence[Column]:
    """What was measured, ours, the reference and what it is, their ratio with its range over rounds, bar, verdict."""
    return [
        cells.text("what"),
        Column("ours", lambda row: _amount(row["ours"], row["unit"])),
        Column("reference", lambda row: _amount(row["reference"], row["unit"])),
        Column("times less", _times),
        Column("bar", lambda row: row["bar"] or MISSING, left=True),
        Column("verdict", lambda row: VERDICTS[row["holds"]], left=True),
        Column("reference is", lambda row: row["peer"] or MISSING, left=True),
    ]


def _times(row: Row) -> str:
    if row["ratio"] is None:
        return MISSING
    low, high = row.get("ratio_low"), row.get("ratio_high")
    limits = "" if low is None or high is None else f" [{_significant(low)}, {_significant(high)}]"
    return f"{_significant(row['ratio'])}×{limits}"


def _amount(value: float | None, unit: str) -> str:
    if value is None:
        return MISSING
    if unit == "s" and abs(value) < SHORT:
        return f"{_significant(1000 * value)} ms"
    return f"{_significant(value)} {unit}".rstrip()


def _significant(value: float) -> str:
    """Three digits, without an exponent."""
    text = f"{value:,.0f}" if abs(value) >= 100 else f"{value:#.3g}".removesuffix(".")
    return f"{value:.5f}".rstrip("0").rstrip(".") if "e" in text else text
