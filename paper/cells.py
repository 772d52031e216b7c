"""Columns of the paper's tables: counts, shares and rates as they are read on a page."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from experiment import intervals
from experiment.tables import MISSING, Column, Row

MINUS = "−"
DAGGER = "†"


def count(name: str, title: str | None = None) -> Column:
    """A whole number, thousands apart. It may be a decimal string, as counts beyond 64 bits are."""
    return Column(title or name, lambda row: MISSING if row.get(name) is None else f"{int(row[name]):,}")


def decimal(name: str, title: str | None = None, *, digits: int = 2, limits: bool = False) -> Column:
    """A number with `digits` decimals, and its limits where asked for."""
    return _number(name, title, lambda value: f"{value:.{digits}f}", limits)


def rate(name: str, title: str | None = None, *, digits: int = 0, signed: bool = False, limits: bool = True) -> Column:
    """A share in per cent with its limits.

    Where both limits are the share itself none are shown: every unit had one value, of which Student's t says nothing.
    """
    return _number(name, title, lambda value: f"{100 * value:.{digits}f}", limits, signed=signed)


def part(name: str, of: str, title: str) -> Column:
    """A count, and in brackets which per cent it is of the count `of` where it is not 0."""

    def cell(row: Row) -> str:
        if row.get(name) is None:
            return MISSING
        counted, total = int(row[name]), int(row[of])
        return f"{counted:,} ({100 * counted / total:.1f})" if counted else "0"

    return Column(title, cell)


def units(name: str = "n", title: str = "n") -> Column:
    """A number of units, with a dagger where it is few for an interval."""
    return Column(title, lambda row: f"{row[name]}{DAGGER if row[name] < intervals.FEW else ''}")


def text(name: str, title: str | None = None) -> Column:
    """A name or a phrase as it is, flush left."""
    return Column(title or name, lambda row: str(row[name]), left=True)


def form() -> Column:
    """The form of a confluence space."""
    return Column("form", lambda row: str(row["form"]).replace("_", "-"), left=True)


def once(rows: Sequence[Row], *names: str) -> list[dict[str, Any]]:
    """The rows with what the row before says too left empty in the columns `names`, from the left on."""
    found: list[dict[str, Any]] = []
    before: Row = {}
    for row in rows:
        shown = dict(row)
        for name in names:
            if before.get(name) != row[name]:
                break
            shown[name] = ""
        found.append(shown)
        before = row
    return found


def _number(
    name: str, title: str | None, show: Callable[[float], str], limits: bool, *, signed: bool = False
) -> Column:
    def cell(row: Row) -> str:
        value, low, high = (row.get(f"{name}{end}") for end in ("", "_low", "_high"))
        if value is None:
            return MISSING
        shown = _typeset(show(value))
        if signed and value > 0 and shown.strip("0."):
            shown = f"+{shown}"
        if not limits or low is None or high is None or low == value == high:
            return shown
        return f"{shown} [{_typeset(show(low))}, {_typeset(show(high))}]"

    return Column(title or name.replace("_", " "), cell)


def _typeset(shown: str) -> str:
    """With a minus for a hyphen, and none before what is rounded to zero."""
    return shown.replace("-", MINUS if shown.strip("-0.") else "")
