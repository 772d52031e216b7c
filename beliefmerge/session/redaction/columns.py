"""Credentials in a table: the head of a column labels what stands below it, in Markdown, CSV and TSV."""

from __future__ import annotations

import csv
import re
from collections.abc import Generator, Iterator

from beliefmerge.session.redaction.labels import LABELS, Label, group_of
from beliefmerge.session.redaction.secret import Secret
from beliefmerge.session.redaction.strength import Strength, is_whole_only, rate

_LABEL = re.compile(LABELS)
_HEAD = re.compile(rf"(?:[^\W_]{{1,20}}[ _-]){{0,2}}(?:{LABELS})s?")
_PUBLIC = re.compile(r"public[-_ ]")
_AROUND = " \t\r*_`\"'"
_NEEDED = {"password": Strength.WEAK, "vague": Strength.RANDOM}
_LINE = 400
"""Characters of a line that can be the head of a table."""


def find_in_columns(text: str, lower: str) -> Iterator[Secret]:
    """Values in the columns of `text` whose head is the name of a credential and nothing else."""
    position = 0
    while match := _LABEL.search(lower, position):
        start, end = _line(text, match.start())
        position = end
        line = lower[start : min(end, start + _LINE + 1)]
        between = next((mark for mark in "|\t;," if mark in line), "")
        if not between or len(line) > _LINE:
            continue
        heads = _cells(line, between)
        labels = {at: label for at, head in enumerate(heads) if (label := _label(head))}
        if labels:
            position = yield from _below(text, end + 1, between, len(heads), labels)


def _below(text: str, start: int, between: str, width: int, labels: dict[int, Label]) -> Generator[Secret, None, int]:
    """Secrets in the rows that begin at `start` and have `width` cells; returns where they end."""
    while start < len(text):
        _, end = _line(text, start)
        cells = _cells(text[start:end], between)
        if len(cells) != width:
            break
        for at, label in labels.items():
            strength = rate(cells[at])
            if strength >= _NEEDED.get(label.group, Strength.FAIR) and " " not in cells[at]:
                yield Secret(cells[at], label.kind, is_whole_only(cells[at], strength))
        start = end + 1
    return start


def _label(head: str) -> Label | None:
    """The label that `head`, in lower case, is; None where it names no credential."""
    if not _HEAD.fullmatch(head) or _PUBLIC.search(head):
        return None
    *_, last = _LABEL.finditer(head)
    return Label(group_of(last[0]), last.start(), last.end())


def _cells(line: str, between: str) -> list[str]:
    if between == "|":
        cells = line.strip().removeprefix("|").removesuffix("|").split("|")
    else:
        try:
            cells = next(csv.reader([line], delimiter=between, skipinitialspace=True), [])
        except csv.Error:
            return []
    return [cell.strip(_AROUND) for cell in cells]


def _line(text: str, at: int) -> tuple[int, int]:
    end = text.find("\n", at)
    return text.rfind("\n", 0, at) + 1, len(text) if end < 0 else end
