"""Steps: what an agent saw, what it answered, and which entries it said it used."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from beliefmerge.errors import BeliefMergeError

TEMPLATE = "Context: {context}\n\nQuery: {query}"
_TEXTS = ("step_id", "claim_id", "query", "response")


class BadStep(BeliefMergeError):
    """A recorded step cannot be used; the message names the file, the place and the cause."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One piece of the context that can be left out on its own."""

    entry_id: str
    text: str
    tier: str | None = None


@dataclass(frozen=True)
class Step:
    """One recorded step. `response` is the text whose likelihood is measured; `declared` are ids of entries.

    `truth` is set for planted steps: the structure their likelihood is computed from (`attribution.planted`).
    """

    step_id: str
    claim_id: str
    entries: tuple[Entry, ...]
    query: str
    response: str
    declared: tuple[str, ...] = ()
    tenant: str = ""
    template: str = TEMPLATE
    truth: Any = field(default=None, compare=False)

    def prompt(self, kept: Sequence[bool]) -> str:
        """What the model is asked when only the `kept` entries are in its context, in their order."""
        context = "\n".join(entry.text for entry, keep in zip(self.entries, kept, strict=True) if keep)
        filled = {"{context}": context, "{query}": self.query}
        return re.sub(r"\{(?:context|query)\}", lambda place: filled[place.group()], self.template)

    def data(self) -> dict[str, Any]:
        """The step as plain data, without its truth: what `step_of` reads."""
        return {name: value for name, value in asdict(replace(self, truth=None)).items() if name != "truth"}


def step_of(data: Mapping[str, Any], where: str) -> Step:
    """A step from plain data. Raises BadStep naming `where`."""
    for name in _TEXTS:
        if not isinstance(data.get(name), str) or not data[name]:
            raise BadStep(f"{where}: {name} must be a text that is not empty")
    entries = tuple(_entry(entry, where) for entry in _list(data.get("entries"), "entries", where))
    if not entries:
        raise BadStep(f"{where}: a step needs entries")
    ids = [entry.entry_id for entry in entries]
    if len(set(ids)) < len(ids):
        raise BadStep(f"{where}: two entries have the same entry_id")
    declared = _list(data.get("declared", ()), "declared", where)
    template = data.get("template") or TEMPLATE
    if not isinstance(template, str) or "{context}" not in template:
        raise BadStep(f"{where}: template must be a text with {{context}} in it")
    if strange := [name for name in declared if name not in ids]:
        raise BadStep(f"{where}: declared entry {strange[0]!r} is not among the entries")
    return Step(
        data["step_id"],
        data["claim_id"],
        entries,
        data["query"],
        data["response"],
        tuple(dict.fromkeys(declared)),
        str(data.get("tenant") or ""),
        template,
    )


def _list(value: Any, name: str, where: str) -> list[Any]:
    if hasattr(value, "tolist"):
        value = value.tolist()
    if not isinstance(value, list | tuple):
        raise BadStep(f"{where}: {name} must be a list")
    return list(value)


def _entry(data: Any, where: str) -> Entry:
    if not isinstance(data, Mapping) or not all(isinstance(data.get(name), str) for name in ("entry_id", "text")):
        raise BadStep(f"{where}: an entry needs the texts entry_id and text")
    tier = data.get("tier")
    return Entry(data["entry_id"], data["text"], None if tier is None else str(tier))


def read_steps(path: str | Path) -> list[Step]:
    """Steps from a JSON Lines or parquet file, told apart by content. Raises BadStep."""
    file = Path(path)
    try:
        head = file.open("rb").read(4)
    except OSError as error:
        raise BadStep(f"{file}: {error.strerror or error}") from None
    rows = _parquet(file) if head == b"PAR1" else _lines(file)
    steps = [step_of(row, where) for where, row in rows]
    if not steps:
        raise BadStep(f"{file}: no steps in it")
    seen: set[str] = set()
    for step in steps:
        if step.step_id in seen:
            raise BadStep(f"{file}: step_id {step.step_id!r} occurs twice")
        seen.add(step.step_id)
    return steps


def _lines(file: Path) -> Iterable[tuple[str, Mapping[str, Any]]]:
    import msgspec

    for number, line in enumerate(file.read_bytes().split(b"\n"), start=1):
        if not line.strip():
            continue
        where = f"{file}:{number}"
        try:
            row = msgspec.json.decode(line)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise BadStep(f"{where}: not JSON: {error}") from None
        if not isinstance(row, dict):
            raise BadStep(f"{where}: a step is a JSON object")
        yield where, row


def _parquet(file: Path) -> Iterable[tuple[str, Mapping[str, Any]]]:
    import pyarrow.parquet as pq
    from pyarrow import ArrowException

    try:
        rows = pq.read_table(file).to_pylist()
    except (ArrowException, OSError) as error:
        raise BadStep(f"{file}: not a readable parquet file: {' '.join(str(error).split())}") from None
    for number, row in enumerate(rows):
        yield f"{file}: row {number}", row
