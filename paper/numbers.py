"""Every number that the document's sources ask for, resolved: its text, and the runs that made it.

``#num(selector, format)``, ``#fact(experiment, path[, format])`` and ``#constant(path[, format])`` are found in the
sources before they are compiled. What the document needs to print them and to say where they come from is one value,
`Numbers`, which is written to `numbers.json`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from beliefmerge.errors import BeliefMergeError, UsageError
from paper import facts, formats, selector
from paper.published import Published
from paper.selector import Value
from paper.source import Call, Source

FEW = 4
"""Up to so many runs are named where a number, figure or table is; more are counted, and found in the manifest."""
SEPARATOR = " | "
"""Between the parts of a number's key."""


@dataclass(frozen=True, slots=True)
class Numbers:
    """The numbers by key (``function | argument | …``) in order of first use, and the runs they cite."""

    entries: Mapping[str, Mapping[str, Any]]
    runs: Mapping[str, Mapping[str, Any]]
    experiments: Mapping[str, Mapping[str, Any]]

    def data(self) -> Mapping[str, Any]:
        """As plain data."""
        return {"entries": self.entries, "experiments": self.experiments, "runs": self.runs, "few": FEW}


@dataclass
class _Ledger:
    """What is cited so far."""

    published: Published
    entries: dict[str, Mapping[str, Any]] = field(default_factory=dict)
    runs: dict[str, Mapping[str, Any]] = field(default_factory=dict)
    experiments: dict[str, Mapping[str, Any]] = field(default_factory=dict)

    def cite(self, experiment: str, runs: Sequence[str]) -> None:
        """Take up `experiment`, and `runs` where they are few."""
        if not experiment:
            return
        manifest = self.published.manifest(experiment)
        self.experiments.setdefault(experiment, _experiment(manifest))
        for run in runs if len(runs) <= FEW else ():
            if run not in manifest.get("runs", {}):
                raise UsageError(f"results/published/{experiment}/manifest.json: it does not say what run {run} was")
            self.runs.setdefault(f"{experiment}/{run}", _run(experiment, run, manifest["runs"][run]))


def gather(
    sources: Iterable[Source], published: Published, drawn: Mapping[str, Sequence[str]]
) -> tuple[Numbers, list[str]]:
    """Resolve every number in `sources`. `drawn` are the stages that are shown, each with the tables that it reads.

    Returns the numbers, and a line for each that cannot be resolved: file, line of the source, and why. The runs of
    what is drawn are cited too.
    """
    ledger = _Ledger(published)
    wrong = []
    for source in sources:
        for call in source.calls:
            if call.function in FUNCTIONS:
                try:
                    _take(call, ledger)
                except BeliefMergeError as error:
                    wrong.append(f"{source.place(call.offset)}: {' '.join(str(error).split())}")
    for name, reads in drawn.items():
        try:
            for table in map(published.table, reads):
                ledger.cite(table.experiment, table.runs(table.rows))
        except BeliefMergeError as error:
            wrong.append(f"stage {name}: {error}")
    runs, experiments = dict(sorted(ledger.runs.items())), dict(sorted(ledger.experiments.items()))
    return Numbers(ledger.entries, runs, experiments), wrong


def resolved(function: str, arguments: Sequence[str], published: Published) -> tuple[Value, str]:
    """What one of `FUNCTIONS` is asked for by its arguments, and how it reads. Raises UsageError when it cannot."""
    resolve, least, most = FUNCTIONS[function]
    if not least <= len(arguments) <= most:
        raise UsageError(f"{function} takes {least if least == most else f'{least} to {most}'} arguments")
    value = resolve(arguments, published)
    return value, formats.shown(value, arguments[most - 1] if len(arguments) == most else "text")


def _take(call: Call, ledger: _Ledger) -> None:
    arguments = [" ".join(argument.split()) for argument in call.strings]
    _, least, most = FUNCTIONS[call.function]
    if not call.plain or not least <= len(arguments) <= most:
        raise UsageError(f"#{call.function} takes {least} to {most} plain strings" if least < most
                         else f"#{call.function} takes {least} plain strings")  # fmt: skip
    key = SEPARATOR.join([call.function, *arguments])
    if key in ledger.entries:
        return
    value, text = resolved(call.function, arguments, ledger.published)
    for source in value.sources:
        ledger.cite(source.experiment, source.runs)
    ledger.entries[key] = {
        "number": len(ledger.entries) + 1,
        "text": text,
        "selector": " ".join(arguments[: most - 1]),
        "sources": [
            {"experiment": source.experiment, "file": source.file, "rows": list(source.rows), "runs": list(source.runs)}
            for source in value.sources
        ],
    }


def _experiment(manifest: Mapping[str, Any]) -> Mapping[str, Any]:
    names = ("summary", "kind", "command", "code")
    return {name: manifest.get(name) for name in names} | {"runs": len(manifest.get("runs", {}))}


def _run(experiment: str, run: str, facts: Mapping[str, Any]) -> Mapping[str, Any]:
    named = {name: facts.get(name) for name in ("command", "seed", "config_hash")}
    return {"experiment": experiment, "run": run, **named}


FUNCTIONS: Mapping[str, tuple[Callable[[Sequence[str], Published], Value], int, int]] = {
    "num": (lambda given, published: selector.resolve(selector.parse(given[0]), published), 2, 2),
    "fact": (lambda given, published: facts.fact(given[0], given[1], published), 2, 3),
    "constant": (lambda given, published: facts.constant(given[0]), 1, 2),
}
"""Each function: how it is resolved, and its least and greatest number of arguments, of which the last is a format."""
