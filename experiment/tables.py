"""Tables of plain rows: on screen, as Markdown, LaTeX, Typst, CSV and parquet.

A row maps column names to numbers, strings, booleans or None. What is shown is chosen and formatted by `Column`s; the
files for machines (CSV, parquet) hold every column as it is.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from beliefmerge.files import write_atomically

Row = Mapping[str, Any]
MISSING = "–"


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a shown table: its title and how a row's cell reads."""

    title: str
    cell: Callable[[Row], str]
    left: bool = False
    """Whether it is set flush left, as names are."""


def named(name: str, title: str | None = None) -> Column:
    """A flush-left column that shows ``row[name]``."""
    return Column(title or name, lambda row: MISSING if row.get(name) is None else str(row[name]), left=True)


def percent(name: str, title: str | None = None, *, signed: bool = False) -> Column:
    """A rate in per cent with the limits ``<name>_low`` and ``<name>_high`` where the row has them."""

    def cell(row: Row) -> str:
        if row.get(name) is None:
            return MISSING
        shown = f"{100 * row[name]:{'+' if signed else ''}.0f}"
        return f"{shown}{_limits(row, name, lambda x: f'{100 * x:.0f}')}"

    return Column(title or name, cell)


def number(name: str, title: str | None = None, *, digits: int = 0, limits: bool = False) -> Column:
    """A number with `digits` decimals, and its limits when asked for.

    A text is shown as it is: a sweep's job that failed has its settings in place of results, under the same names.
    """

    def cell(row: Row) -> str:
        if row.get(name) is None:
            return MISSING
        if isinstance(row[name], str):
            return str(row[name])
        return f"{row[name]:.{digits}f}" + (_limits(row, name, lambda x: f"{x:.{digits}f}") if limits else "")

    return Column(title or name, cell)


def _limits(row: Row, name: str, show: Callable[[float], str]) -> str:
    low, high = row.get(f"{name}_low"), row.get(f"{name}_high")
    return "" if low is None or high is None else f" [{show(low)}, {show(high)}]"


def _cells(rows: Sequence[Row], columns: Sequence[Column]) -> list[list[str]]:
    return [[column.cell(row) for column in columns] for row in rows]


def filled(rows: Sequence[Row], columns: Sequence[Column]) -> list[Column]:
    """Those of `columns` in which some row has something to show."""
    return [column for column in columns if any(column.cell(row) != MISSING for row in rows)]


def screen(rows: Sequence[Row], columns: Sequence[Column]) -> str:
    """Aligned plain text, one line a row under one line of titles; columns without any value are left out."""
    columns = filled(rows, columns)
    lines = [[column.title for column in columns], *_cells(rows, columns)]
    widths = [max(len(line[i]) for line in lines) for i in range(len(columns))]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if column.left else cell.rjust(width)
            for cell, width, column in zip(line, widths, columns, strict=True)
        ).rstrip()
        for line in lines
    )


def markdown(rows: Sequence[Row], columns: Sequence[Column]) -> str:
    """A GitHub-flavoured Markdown table; columns without any value are left out."""
    columns = filled(rows, columns)
    head = "| " + " | ".join(column.title for column in columns) + " |"
    rule = "|" + "|".join(":--" if column.left else "--:" for column in columns) + "|"
    body = ["| " + " | ".join(cell.replace("|", r"\|") for cell in line) + " |" for line in _cells(rows, columns)]
    return "\n".join([head, rule, *body]) + "\n"


_LATEX = {
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_",
    "{": r"\{", "}": r"\}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "–": "--", "−": "$-$",
    "†": r"\textdagger{}", "×": r"$\times$", "≥": r"$\geq$", "≤": r"$\leq$", "↓": r"$\downarrow$", "ρ": r"$\rho$",
    "<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}", "Δ": r"$\Delta$",
}  # fmt: skip


def latex(rows: Sequence[Row], columns: Sequence[Column]) -> str:
    """A booktabs tabular; columns without any value are left out."""
    columns = filled(rows, columns)

    def line(cells: Sequence[str]) -> str:
        return " & ".join("".join(_LATEX.get(character, character) for character in cell) for cell in cells) + r" \\"

    form = "".join("l" if column.left else "r" for column in columns)
    body = [line(cells) for cells in _cells(rows, columns)]
    return "\n".join(
        [rf"\begin{{tabular}}{{{form}}}", r"\toprule", line([column.title for column in columns]), r"\midrule", *body,
         r"\bottomrule", r"\end{tabular}", ""]
    )  # fmt: skip


def typst(rows: Sequence[Row], columns: Sequence[Column]) -> str:
    """A Typst file that is one table; columns without any value are left out. Rules and type are the document's."""
    columns = filled(rows, columns)

    def line(cells: Sequence[str]) -> str:
        return ", ".join('"' + cell.replace("\\", "\\\\").replace('"', '\\"') + '"' for cell in cells)

    alignment = "".join("left, " if column.left else "right, " for column in columns)
    head = f"  table.header({line([column.title for column in columns])}),"
    body = [f"  {line(cells)}," for cells in _cells(rows, columns)]
    opening = f"  columns: {len(columns)}, align: ({alignment}),"
    return "\n".join(["#table(", opening, head, "  table.hline(),", *body, ")", ""])


def names_of(rows: Sequence[Row]) -> list[str]:
    """Every column of `rows`, in order of first appearance."""
    return list(dict.fromkeys(name for row in rows for name in row))


def comma_separated(rows: Sequence[Row]) -> str:
    """All columns as CSV; a missing value is an empty cell."""
    out = io.StringIO()
    writer = csv.DictWriter(out, names_of(rows), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()


def write_parquet(path: Path, rows: Sequence[Row]) -> None:
    """All columns as parquet, whole or not at all. A column that is None throughout is stored as float64."""
    import pyarrow
    import pyarrow.parquet

    arrays = {}
    for name in names_of(rows):
        array = pyarrow.array([row.get(name) for row in rows])
        arrays[name] = array.cast(pyarrow.float64()) if pyarrow.types.is_null(array.type) else array
    buffer = io.BytesIO()
    pyarrow.parquet.write_table(pyarrow.table(arrays), buffer)
    write_atomically(path, buffer.getvalue())


def read_parquet(path: Path) -> list[dict[str, Any]]:
    """The rows of a parquet file."""
    import pyarrow.parquet

    rows: list[dict[str, Any]] = pyarrow.parquet.read_table(path).to_pylist()
    return rows


def write_all(directory: Path, rows: Sequence[Row], columns: Sequence[Column], *, data: str) -> None:
    """Write `table.md`, `table.tex`, `table.csv` and ``<data>.parquet`` of `rows` into `directory`."""
    write_atomically(directory / "table.md", markdown(rows, columns))
    write_atomically(directory / "table.tex", latex(rows, columns))
    write_atomically(directory / "table.csv", comma_separated(rows))
    write_parquet(directory / f"{data}.parquet", rows)
