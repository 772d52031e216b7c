"""A figure or a table as a declared stage: a name, the published tables it reads, a pure function of these.

One file a stage, `paper/figures/<name>.py` with ``FIGURE`` or `paper/tables/<name>.py` with ``TABLE``; the name of the
stage is the file's with hyphens. A stage is handed copies of the tables that it declared and nothing else.
"""

from __future__ import annotations

import ast
import hashlib
import importlib.util
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from beliefmerge.errors import BeliefMergeError, UsageError, unknown
from beliefmerge.registry import Registry
from experiment.figures import drawn
from experiment.tables import Column, Row, latex, typst
from experiment.tables import markdown as as_markdown
from paper.published import Published, Table

Tables = Mapping[str, Sequence[Row]]
"""The rows of each declared table, by ``experiment/table``."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure: `draw` makes a Matplotlib figure of the tables named in `reads`.

    What Matplotlib warns of, such as axes without room or a character that the font lacks, is an error.
    """

    reads: tuple[str, ...]
    draw: Callable[[Tables], Any]
    kind: ClassVar[str] = "figure"

    def files(self, name: str, tables: Tables) -> Mapping[str, bytes]:
        """``<name>.svg`` and ``<name>.pdf``, the same bytes each time."""
        from paper.style import settings

        with settings(), warnings.catch_warnings():
            warnings.simplefilter("error", UserWarning)
            return {file: make() for file, make in drawn(name, lambda: self.draw(tables), salt=name).items()}


@dataclass(frozen=True, slots=True)
class TableStage:
    """A table: `build` makes rows, and the columns to show, of the tables named in `reads`."""

    reads: tuple[str, ...]
    build: Callable[[Tables], tuple[Sequence[Row], Sequence[Column]]]
    kind: ClassVar[str] = "table"

    def files(self, name: str, tables: Tables) -> Mapping[str, bytes]:
        """``<name>.tex`` (booktabs) and ``<name>.typ`` (for the document)."""
        rows, columns = self.build(tables)
        return {f"{name}.tex": latex(rows, columns).encode(), f"{name}.typ": typst(rows, columns).encode()}

    def markdown(self, tables: Tables) -> str:
        """The table as Markdown, for the pages of the documentation."""
        return as_markdown(*self.build(tables))


FIGURES: Registry[Figure] = Registry("figure", "paper.figures", "FIGURE")
_OURS = ("paper", "experiment")
_MACHINERY = frozenset({"paper.stage", "paper.published"})
"""What calls a stage and draws nothing."""
TABLES: Registry[TableStage] = Registry("table", "paper.tables", "TABLE")


class Declared(Mapping[str, Sequence[Row]]):
    """The tables that a stage declared, each a copy of its own; asking for another is an error."""

    def __init__(self, stage: str, tables: Sequence[Table]) -> None:
        self._stage = stage
        self._rows = {table.reference: [dict(row) for row in table.rows] for table in tables}

    def __getitem__(self, reference: str) -> Sequence[Row]:
        if reference not in self._rows:
            raise UsageError(f"stage {self._stage} reads {reference}, which it does not declare")
        return self._rows[reference]

    def __iter__(self) -> Iterator[str]:
        return iter(self._rows)

    def __len__(self) -> int:
        return len(self._rows)


def names() -> list[str]:
    """Every stage's name, sorted. Raises BeliefMergeError when a figure and a table share one."""
    figures, tables = set(map(_shown, FIGURES)), set(map(_shown, TABLES))
    if shared := figures & tables:
        raise BeliefMergeError(f"both a figure and a table are named {', '.join(sorted(shared))}")
    return sorted(figures | tables)


def named(name: str) -> Figure | TableStage:
    """The stage `name`; an unknown one is an error with the nearest match."""
    known = names()
    if name not in known:
        raise unknown("stage", name, known)
    module = name.replace("-", "_")
    return FIGURES[module] if module in FIGURES else TABLES[module]


def made(name: str, published: Published) -> Mapping[str, bytes]:
    """The files of the stage `name`, made from what is `published`. An error says which stage it is of."""
    stage = named(name)
    with _errors_of(name):
        return stage.files(name, _declared(name, stage, published))


def markdown(name: str, published: Published) -> str:
    """The table stage `name` as Markdown. An unknown one is an error with the nearest match."""
    known = [_shown(module) for module in TABLES]
    if name not in known:
        raise unknown("table", name, known)
    table = TABLES[name.replace("-", "_")]
    with _errors_of(name):
        return table.markdown(_declared(name, table, published))


def _declared(name: str, stage: Figure | TableStage, published: Published) -> Declared:
    return Declared(name, [published.table(reference) for reference in stage.reads])


@contextmanager
def _errors_of(name: str) -> Iterator[None]:
    try:
        yield
    except BeliefMergeError as error:
        raise UsageError(f"stage {name}: {error}") from error
    except UserWarning as warning:
        raise UsageError(f"stage {name}: Matplotlib: {warning}") from warning
    except KeyError as error:
        raise UsageError(f"stage {name}: there is no {error} in what it reads") from error


def sources(name: str) -> list[str]:
    """The modules that draw `name`, sorted: the stage's own, what writes the files, and what of ours these import."""
    kind, module = named(name).kind, name.replace("-", "_")
    waiting, found = [f"paper.{kind}s.{module}", "paper.style", f"experiment.{kind}s"], set[str]()
    while waiting:
        module = waiting.pop()
        if module not in found | _MACHINERY and module.split(".")[0] in _OURS:
            found.add(module)
            waiting += _imports(module)
    return sorted(found)


def source_sha256(name: str) -> str:
    """SHA-256 over the sources of the stage `name`: it changes when what draws it does."""
    digest = hashlib.sha256()
    for module in sources(name):
        digest.update(module.encode() + b"\x1f" + _file(module).read_bytes() + b"\x1e")
    return digest.hexdigest()


def _imports(module: str) -> list[str]:
    found = []
    for node in ast.walk(ast.parse(_file(module).read_bytes())):
        if isinstance(node, ast.ImportFrom) and node.module:
            found += [node.module, *_members(node.module, [alias.name for alias in node.names])]
        elif isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
    return found


def _members(package: str, names: Sequence[str]) -> list[str]:
    """Those of `names` that are modules of `package`."""
    if package.split(".")[0] not in _OURS:
        return []
    directory = _file(package).parent if _file(package).name == "__init__.py" else None
    return [f"{package}.{name}" for name in names if directory and (directory / f"{name}.py").is_file()]


def _file(module: str) -> Path:
    spec = importlib.util.find_spec(module)
    if spec is None or spec.origin is None:
        raise BeliefMergeError(f"module {module} has no file")
    return Path(spec.origin)


def _shown(module: str) -> str:
    return module.replace("_", "-")
