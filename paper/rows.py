"""Choosing rows of published tables, and what several of them say together."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from beliefmerge.errors import UsageError
from experiment import intervals
from experiment.tables import Row

LESS_IS_BETTER = frozenset({"laundering", "leaks", "false_alarms", "refuted_revived"})
"""Measures of MergeBench of which a good arm has little; of the others it has much."""


def where(rows: Iterable[Row], **wanted: Any) -> list[Row]:
    """Those of `rows` that have the values `wanted`, in order."""
    return [row for row in rows if all(row.get(name) == value for name, value in wanted.items())]


def one(rows: Iterable[Row], **wanted: Any) -> Row:
    """The one row that has the values `wanted`. Raises UsageError when there is none or there are several."""
    found = where(rows, **wanted)
    if len(found) != 1:
        said = ", ".join(f"{name}={value}" for name, value in wanted.items())
        raise UsageError(f"{len(found)} rows have {said}; one is needed")
    return found[0]


def distinct(rows: Iterable[Row], *columns: str) -> list[Any]:
    """The values of a column in order of first appearance, or the tuples of those of several columns."""
    if len(columns) == 1:
        return list(dict.fromkeys(row[columns[0]] for row in rows))
    return list(dict.fromkeys(tuple(row[name] for name in columns) for row in rows))


def common(rows: Iterable[Row], column: str) -> Any:
    """The value that `column` has in all `rows`. Raises UsageError when there are several or none."""
    found = distinct(rows, column)
    if len(found) != 1:
        raise UsageError(f"{column} is {', '.join(map(str, found)) or 'nowhere'}; one value is needed")
    return found[0]


def span(rows: Sequence[Row], column: str) -> str:
    """The value of `column`, or its least and greatest where they differ: ``20``, ``5 to 20``."""
    least, most = min(row[column] for row in rows), max(row[column] for row in rows)
    return f"{least:,}" if least == most else f"{least:,} to {most:,}"


def pooled(rows: Sequence[Row], column: str) -> dict[str, Any]:
    """``column``, its limits and ``n`` over the scenarios of `rows` together, each a mean of 0s and 1s over ``n``.

    The limits are Clopper and Pearson's. Scenarios are drawn apart within fixed families, which makes the share
    vary less than one draw from all would, so they err on the wide side. Raises UsageError when a row's mean is that
    of no whole number of scenarios.
    """
    counts = [row[column] * row["n"] for row in rows]
    if any(abs(count - round(count)) > 1e-6 for count in counts):
        raise UsageError(f"{column} is no share of scenarios")
    found = intervals.clopper_pearson(sum(map(round, counts)), sum(row["n"] for row in rows))
    return {column: found.mean, f"{column}_low": found.low, f"{column}_high": found.high, "n": found.n}


def words(name: str) -> str:
    """A column's or arm's name as it is read: without underscores."""
    return name.replace("_", " ")
