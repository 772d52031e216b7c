"""The document: its Typst sources, and compiling them to PDF, the same bytes wherever and whenever it is done."""

from __future__ import annotations

import json
import re
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from beliefmerge.errors import UsageError, unknown
from paper import digits, source, stage
from paper.numbers import Numbers
from paper.source import Call, Source

_PLACE = re.compile(r"┌─ (?P<file>.*?):(?P<line>\d+):\d+")
_SETTINGS = "style.typ"
"""The one source that is no prose."""
_PREAMBLE = '#import "/document/style.typ": *\n'
"""Put before the abstract and each section, so that they are text only."""
_DISPLAYS = {"fig": "figure", "tab": "table"}


class Document:
    """The sources in a directory: `main.typ`, `style.typ`, `abstract.typ`, ``sections/NN-name.typ``.

    Sections are found by being there.

    With `section`, only that one is part of it.
    """

    def __init__(self, directory: Path, section: str | None = None) -> None:
        self.directory = directory
        known = sorted(path.stem for path in (directory / "sections").glob("*.typ"))
        if section is not None and section not in known:
            raise unknown("section", section, known)
        self.draft = section is not None
        self.sections = [section] if section is not None else known
        self.sources = [_read(directory, path) for path in self._files()]

    def _files(self) -> Iterator[Path]:
        if not self.draft:
            yield from sorted(path for path in self.directory.glob("*.typ") if path.name != _SETTINGS)
        yield from (self.directory / "sections" / f"{name}.typ" for name in self.sections)

    def findings(self) -> list[str]:
        """A line for every typed number, lost semicolon, and figure or table that is shown and is none."""
        wrong = list(digits.typed(self.sources))
        return wrong + [line for text in self.sources for line in (*_lost_semicolons(text), *_unknown_stages(text))]

    def stages(self) -> list[str]:
        """The stages whose figure or table is shown, in order, once each; without those that are unknown."""
        shown = [call.strings[0] for text in self.sources for call in _displays(text) if call.strings]
        return [name for name in dict.fromkeys(shown) if name in stage.names()]

    def compile(self, numbers: Numbers, built: Path, form: str = "pdf") -> list[bytes]:
        """The document as one PDF, or as one PNG a page (`form` ``png``), with the figures and tables in `built`.

        Raises UsageError with the place of the error; warnings are printed on standard error.
        """
        import typst

        with _staged(self, built, numbers) as root:
            inputs = {"sections": ",".join(self.sections), "draft": "draft" if self.draft else ""}
            compiler = typst.Compiler(root=str(root), ignore_system_fonts=True, sys_inputs=inputs)
            main = str(root / "document" / "main.typ")
            try:
                made, warnings = compiler.compile_with_warnings(main, format=form, timestamp=0, ppi=110)  # type: ignore[arg-type]
            except typst.TypstError as error:
                raise UsageError(_located(error, root)) from error
        for warning in dict.fromkeys(_located(warning, root) for warning in warnings):
            sys.stderr.write(f"warning: {warning}\n")
        return made if isinstance(made, list) else [made or b""]


@contextmanager
def _staged(document: Document, built: Path, numbers: Numbers) -> Iterator[Path]:
    """A directory of its own with all that the compiler reads, so that nothing else can be read.

    The sources are those that were checked, whatever has become of their files since.
    """
    with tempfile.TemporaryDirectory(prefix="beliefmerge-paper-") as name:
        root = Path(name).resolve()
        shutil.copytree(document.directory, root / "document")
        for text in document.sources:
            path = root / text.name.removeprefix("paper/")
            path.write_text(_PREAMBLE * _is_text(path.name, path.parent.name) + text.text, encoding="utf-8")
        shutil.copytree(built, root / "built")
        (root / "built" / "numbers.json").write_text(json.dumps(numbers.data()), encoding="utf-8")
        yield root


def _is_text(name: str, directory: str) -> bool:
    return directory == "sections" or name == "abstract.typ"


def _read(directory: Path, path: Path) -> Source:
    return source.read(path, f"paper/document/{path.relative_to(directory)}")


def _lost_semicolons(text: Source) -> Iterator[str]:
    for piece in text.pieces:
        if piece.kind == "semicolon":
            yield f"{text.place(piece.offset)}: Typst does not print a semicolon right after code; write \\;"


def _displays(text: Source) -> list[Call]:
    return [call for call in text.calls if call.function in _DISPLAYS]


def _unknown_stages(text: Source) -> Iterator[str]:
    for call in _displays(text):
        kind, name = _DISPLAYS[call.function], "".join(call.strings[:1])
        known = [name for name in stage.names() if stage.named(name).kind == kind]
        if name not in known:
            yield f"{text.place(call.offset)}: {unknown(kind, name, known)}"


def _located(said: Any, root: Path) -> str:
    """A diagnostic of Typst's in one line that begins with file and line."""
    found = _PLACE.search(said.diagnostic)
    hints = "".join(f" ({hint})" for hint in said.hints)
    message = f"{said.message}{hints}".replace("\n", " ")
    if found is None:
        return message
    file = _below(found["file"], root)
    line = int(found["line"]) - _is_text(*reversed(file.split("/")[-2:]))
    return f"paper{file}:{line}: {message}"


def _below(file: str, root: Path) -> str:
    """The path below the staging directory of a file as Typst names it: absolute, without or relative to a root."""
    _, marker, rest = file.partition(root.name)
    return rest if marker else f"/{file}"
