"""What one benchmark row says: a value, the reference beside it, the ratio of both, a bar and whether it holds."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

from experiment.tables import MISSING, Column, named
from experiment.tables import Row as Plain

Rounds: TypeAlias = tuple[float, ...]
"""A value for each round in which it was measured."""

SECONDS, MEBIBYTES, FAILURES = "s", "MiB", "failures"
COMPARED = (SECONDS, MEBIBYTES)
"""Units of which less is better and a ratio says how much."""
DIGITS = 3
_MILLI = 1e-3


class Ratio(NamedTuple):
    """Reference over ours, more is better: of the medians, and the least and greatest that the rounds allow."""

    value: float
    low: float
    high: float


@dataclass(frozen=True)
class Row:
    """One measured value. Raises ValueError for a time without a reference and for a bar without a verdict."""

    what: str
    ours: Rounds
    reference: Rounds
    peer: str
    """What the reference is: another package, the plain way, or what a value that is no time is held against."""
    bar: str = ""
    holds: bool | None = None
    """Whether the bar is met; None where there is none."""
    note: str = ""
    unit: str = SECONDS
    whole: Rounds = ()
    """Ours on all of it, where only a part of it is compared: the reference would take too long on the rest."""

    def __post_init__(self) -> None:
        if not self.ours or not self.peer:
            raise ValueError(f"{self.what}: a row has a value and says what that is compared with")
        if self.unit in COMPARED and not self.reference:
            raise ValueError(f"{self.what}: what is measured in {self.unit} needs a reference")
        if bool(self.bar) != (self.holds is not None):
            raise ValueError(f"{self.what}: a bar and its verdict come together")

    @property
    def ratio(self) -> Ratio | None:
        """How many times less ours takes than the reference; None where the unit is no cost."""
        return ratio_of(self.ours, self.reference) if self.unit in COMPARED else None

    def plain(self, benchmark: str) -> dict[str, Any]:
        """The row for the tables: medians, least and greatest of the rounds where there are several."""
        ratio = self.ratio
        return {
            "benchmark": benchmark,
            "what": self.what,
            **_summary("ours", self.ours),
            **_summary("reference", self.reference),
            "unit": self.unit,
            "ratio": ratio.value if ratio else None,
            "ratio_low": ratio.low if ratio and ratio.low < ratio.high else None,
            "ratio_high": ratio.high if ratio and ratio.low < ratio.high else None,
            "rounds": len(self.ours),
            "whole": statistics.median(self.whole) if self.whole else None,
            "bar": self.bar,
            "holds": self.holds,
            "note": self.note,
            "peer": self.peer,
        }


def ratio_of(ours: Sequence[float], reference: Sequence[float]) -> Ratio:
    """Reference over ours. Of as many rounds of both, taken in turn, the limits are those of the rounds' own ratios;
    of others, the extremes over any pair. The ratio of the medians lies between them either way.
    """
    value = statistics.median(reference) / statistics.median(ours)
    if len(ours) == len(reference):
        each = [theirs / own for own, theirs in zip(ours, reference, strict=True)]
        return Ratio(value, min(each), max(each))
    return Ratio(value, min(reference) / max(ours), max(reference) / min(ours))


def unfinished(benchmark: str, error: str) -> dict[str, Any]:
    """The row of a benchmark that raised, as `Row.plain`."""
    compared = ("ours", "reference", "ratio")
    values = dict.fromkeys((*compared, "whole"))
    limits = {f"{name}_{end}": None for name in compared for end in ("low", "high")}
    return {
        "benchmark": benchmark,
        "what": "did not finish",
        **values,
        **limits,
        "unit": "",
        "rounds": 0,
        "bar": "finishes",
        "holds": False,
        "note": error,
        "peer": "",
    }


def _summary(name: str, rounds: Rounds) -> dict[str, float | None]:
    several = len(rounds) > 1
    return {
        name: statistics.median(rounds) if rounds else None,
        f"{name}_low": min(rounds) if several else None,
        f"{name}_high": max(rounds) if several else None,
    }


def columns() -> list[Column]:
    """The columns that are shown."""
    return [
        named("benchmark"),
        named("what"),
        Column("ours", lambda row: amount(row.get("ours"), row["unit"])),
        Column("reference", lambda row: amount(row.get("reference"), row["unit"])),
        Column("ratio", _times),
        Column("ours, whole", lambda row: amount(row.get("whole"), row["unit"])),
        Column("bar", lambda row: row.get("bar") or MISSING, left=True),
        Column("verdict", _verdict, left=True),
        Column("reference is", lambda row: row.get("peer") or MISSING, left=True),
        Column("note", lambda row: row.get("note") or MISSING, left=True),
    ]


def amount(value: float | None, unit: str) -> str:
    """A value with its unit, three significant digits; a short time in milliseconds, a count as one."""
    if value is None:
        return MISSING
    if unit == FAILURES:
        return f"{value:.0f} {unit}"
    if unit == SECONDS and abs(value) < 0.1:
        return f"{significant(value / _MILLI)} ms"
    return f"{significant(value)} {unit}".rstrip()


def significant(value: float) -> str:
    """Three significant digits; whole numbers from a hundred on, two digits below a thousandth."""
    if not value:
        return "0"
    if abs(value) >= 100:
        return f"{value:,.0f}"
    return f"{value:.2g}" if abs(value) < _MILLI else f"{value:#.{DIGITS}g}".removesuffix(".")


def _times(row: Plain) -> str:
    if row.get("ratio") is None:
        return MISSING
    low, high = row.get("ratio_low"), row.get("ratio_high")
    limits = "" if low is None or high is None else f" [{significant(low)}, {significant(high)}]"
    return f"{significant(row['ratio'])}x{limits}"


def _verdict(row: Plain) -> str:
    return MISSING if row.get("holds") is None else "holds" if row["holds"] else "FAILS"
