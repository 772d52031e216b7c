"""Selectors: which published number is meant.

    selector   = operand [" / " operand | " - " operand]
    operand    = [aggregate " "] experiment "/" table "." column ["[" condition {"," condition} "]"]
    aggregate  = "max" | "min" | "sum" | "mean" | "count" | "distinct"
    condition  = column ("=" | "!=" | "<" | "<=" | ">" | ">=") value

Without an aggregate exactly one row must match. A value with a comma or bracket in it is put in single quotes; `none`
is an empty cell.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from beliefmerge.errors import UsageError, nearest, unknown
from experiment.tables import Row
from paper.published import Published, Table

_OPERAND = re.compile(r"(?:(?P<aggregate>\w+)\s+)?(?P<experiment>[\w-]+)/(?P<table>[\w-]+)\.(?P<column>[^\[\]\s]+)"
                      r"(?:\[(?P<conditions>.*)\])?")  # fmt: skip
_CONDITION = re.compile(
    r"\s*(?P<column>[^\s=!<>]+)\s*(?P<sign>!=|<=|>=|=|<|>)\s*(?:'(?P<quoted>[^']*)'|(?P<bare>[^']*?))\s*"
)
_SPLIT_COMMA = re.compile(r",(?=(?:[^']*'[^']*')*[^']*$)")
_BINARY = re.compile(r"\s([/-])\s(?=(?:[^']*'[^']*')*[^']*$)")
_SIGNS: Mapping[str, Callable[[Any, Any], bool]] = {
    "=": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip
_AGGREGATES: Mapping[str, Callable[[Sequence[Any]], Any]] = {
    "max": max, "min": min, "sum": sum, "mean": lambda values: sum(values) / len(values),
    "count": len, "distinct": lambda values: len(set(values)),
}  # fmt: skip
_GRAMMAR = "experiment/table.column[key=value, …]"


@dataclass(frozen=True, slots=True)
class Condition:
    """``column sign value``; `value` as it was written."""

    column: str
    sign: str
    value: str


@dataclass(frozen=True, slots=True)
class Operand:
    """One column of some rows of one table, and how several rows become one number."""

    aggregate: str | None
    table: str
    column: str
    conditions: tuple[Condition, ...]


@dataclass(frozen=True, slots=True)
class Selector:
    """An operand, or two and the operation between them."""

    left: Operand
    operation: str | None = None
    right: Operand | None = None


@dataclass(frozen=True, slots=True)
class Source:
    """Where a value comes from: a file, the rows' numbers in it (from 0) and the runs these rows are of."""

    experiment: str
    file: str
    rows: tuple[int, ...]
    runs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Value:
    """A value, its limits where its row has them, and where it comes from."""

    value: Any
    sources: tuple[Source, ...]
    low: float | None = None
    high: float | None = None


def parse(text: str) -> Selector:
    """The selector that `text` is. Raises UsageError when it is none."""
    parts = _BINARY.split(text.strip())
    if len(parts) == 1:
        return Selector(_operand(parts[0]))
    if len(parts) > 3:
        raise UsageError(f"{text!r} has more than one operation")
    return Selector(_operand(parts[0]), parts[1], _operand(parts[2]))


def conditions(text: str) -> tuple[Condition, ...]:
    """The conditions in `text`, what stands between the brackets. Raises UsageError where one is none."""
    found = []
    for part in _SPLIT_COMMA.split(text):
        match = _CONDITION.fullmatch(part)
        if match is None:
            raise UsageError(f"{part.strip()!r} is no condition: expected key=value")
        value = match["bare"] if match["quoted"] is None else match["quoted"]
        found.append(Condition(match["column"], match["sign"], value))
    return tuple(found)


def resolve(selector: Selector, published: Published) -> Value:
    """The value of `selector`. Raises UsageError naming what is unknown, with the nearest match."""
    left = _resolve(selector.left, published)
    if selector.operation is None or selector.right is None:
        return left
    right = _resolve(selector.right, published)
    for side in (left, right):
        if isinstance(side.value, bool) or not isinstance(side.value, int | float):
            raise UsageError(f"{side.value!r} is no number to calculate with")
    if selector.operation == "/" and right.value == 0:
        raise UsageError("division by zero")
    result = left.value / right.value if selector.operation == "/" else left.value - right.value
    return Value(result, left.sources + right.sources)


def matches(condition: Condition, cell: Any) -> bool:
    """Whether `cell` satisfies `condition`. Raises UsageError when its value is not of the cell's kind."""
    if condition.value == "none" or cell is None:
        same = condition.value == "none" and cell is None
        return same if condition.sign == "=" else not same and condition.sign == "!="
    return _SIGNS[condition.sign](cell, _like(condition, cell))


def _operand(text: str) -> Operand:
    match = _OPERAND.fullmatch(text.strip())
    if match is None:
        raise UsageError(f"{text.strip()!r} is no selector: expected {_GRAMMAR}")
    aggregate = match["aggregate"]
    if aggregate is not None and aggregate not in _AGGREGATES:
        raise unknown("aggregate", aggregate, _AGGREGATES)
    limits = () if match["conditions"] is None else conditions(match["conditions"])
    return Operand(aggregate, f"{match['experiment']}/{match['table']}", match["column"], limits)


def _resolve(operand: Operand, published: Published) -> Value:
    table = published.table(operand.table)
    chosen = _chosen(operand, table)
    cells = [(index, row[operand.column]) for index, row in chosen if row.get(operand.column) is not None]
    if operand.aggregate is None:
        return _single(operand, table, chosen)
    if not cells and operand.aggregate not in ("count", "distinct"):
        raise UsageError(f"no row of {operand.table} that matches has a {operand.column}")
    try:
        value = _AGGREGATES[operand.aggregate]([cell for _, cell in cells])
    except TypeError as error:
        raise UsageError(f"{operand.aggregate} of {operand.table}.{operand.column}: {error}") from error
    return Value(value, (_source(table, [index for index, _ in cells]),))


def _single(operand: Operand, table: Table, chosen: Sequence[tuple[int, Row]]) -> Value:
    if len(chosen) != 1:
        differing = [name for name in table.columns if len({str(row.get(name)) for _, row in chosen}) > 1]
        hint = f", which differ in {', '.join(differing[:6])}" if differing else ""
        raise UsageError(f"{len(chosen)} rows of {operand.table} match, one is needed{hint}")
    index, row = chosen[0]
    if row.get(operand.column) is None:
        raise UsageError(f"{operand.column} is empty in the row of {operand.table} that matches")
    low, high = row.get(f"{operand.column}_low"), row.get(f"{operand.column}_high")
    return Value(row[operand.column], (_source(table, [index]),), low, high)


def _chosen(operand: Operand, table: Table) -> list[tuple[int, Row]]:
    for column in (operand.column, *(condition.column for condition in operand.conditions)):
        if column not in table.columns:
            raise _no_column(table, column)
    chosen = list(enumerate(table.rows))
    for condition in operand.conditions:
        if condition.sign == "=" and not any(matches(condition, row.get(condition.column)) for row in table.rows):
            raise _no_value(table, condition)
        chosen = [(index, row) for index, row in chosen if matches(condition, row.get(condition.column))]
    if not chosen and operand.aggregate != "count":
        raise UsageError(f"no row of {operand.table} matches all conditions")
    return chosen


def _no_column(table: Table, column: str) -> UsageError:
    match = nearest(column, table.columns)
    hint = f"; did you mean {match!r}?" if match else f" (known: {', '.join(table.columns[:12])}, …)"
    return UsageError(f"unknown column {column!r} of {table.reference}{hint}")


def _no_value(table: Table, condition: Condition) -> UsageError:
    known = sorted({str(row.get(condition.column)) for row in table.rows})
    match = nearest(condition.value, known)
    hint = f"did you mean {match!r}?" if match else f"it has {', '.join(known[:12])}{', …' * (len(known) > 12)}"
    return UsageError(f"no row of {table.reference} has {condition.column}={condition.value}; {hint}")


def _like(condition: Condition, cell: Any) -> Any:
    if isinstance(cell, bool):
        if condition.value not in ("true", "false"):
            raise UsageError(f"{condition.column} is true or false, not {condition.value!r}")
        return condition.value == "true"
    if isinstance(cell, int | float):
        try:
            return float(condition.value)
        except ValueError:
            raise UsageError(f"{condition.column} is a number, {condition.value!r} is none") from None
    return condition.value


def _source(table: Table, rows: Sequence[int]) -> Source:
    runs = table.runs([table.rows[index] for index in rows])
    if rows and not runs:
        raise UsageError(f"{table.reference} does not say which run a row is of: no number can be traced")
    return Source(table.experiment, table.file, tuple(rows), tuple(runs))
