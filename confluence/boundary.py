"""``python -m confluence.boundary``: what each summary confuses, on bounded horizons. ``--help`` explains."""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from beliefmerge.algebra.score import Score
from beliefmerge.errors import UsageError
from beliefmerge.scores import SCORES
from confluence.figures import state_counts
from confluence.horizon import Layer, class_of, counts, layers, refine, size
from confluence.idempotence import broken
from confluence.identified import identified
from confluence.outcomes import Folder
from confluence.overlap import disjoint_failures, redelivery_failures, trunk_failures
from confluence.representation import REPRESENTATIONS
from confluence.space import SPACES, Space
from experiment import tables
from experiment.entry import main
from experiment.groups import TRACKING, TrackingConfig
from experiment.progress import Bar
from experiment.run import Experiment, Result
from experiment.schema import option, required
from experiment.tables import Column, Row

BOTH = "both"
MOST_MOVES = 2_000_000
"""Spaces whose automaton has more transitions are left out."""
MOST_PROFILES = 200_000
"""Spaces with more profiles with a trunk, up to order, are left out of the counts on overlapping sources."""
SUMMARIES = ("COUNT", "MAX", "SCORES")
_SOURCES = {
    "disjoint": disjoint_failures,
    "shared trunk": trunk_failures,
    "re-delivery": redelivery_failures,
}


@dataclass
class SpaceChoice:
    """Which named space."""

    name: str = required("space", names=lambda: SPACES.names(), kind="space")


@dataclass
class SmtConfig:
    """What the solver is asked."""

    run: bool = option(False, "also ask z3 (needs the package z3-solver)")
    values: int = option(3, "values of the symbolic slot", least=2, most=6)
    levels: int = option(2, "its evidence levels", least=1, most=4)
    branches: int = option(3, "most branches a counterexample may have", least=2, most=6)
    seconds: float = option(20.0, "bound on each query", least=0.1, most=3600)


@dataclass
class BoundaryConfig:
    """One run of the boundary."""

    space: SpaceChoice = field(default_factory=lambda: SpaceChoice("small"), metadata={"help": "spaces looked at"})
    score: str = option(BOTH, "score, or egalitarian and elitist", names=lambda: [BOTH, *SCORES])
    smt: SmtConfig = field(default_factory=SmtConfig)
    results_dir: str = option("", "where runs are recorded")
    tracking: TrackingConfig = field(
        default_factory=lambda: TrackingConfig("mlflow"), metadata={"help": "index of runs, written after the table"}
    )
    resume: bool = option(True, "in a sweep, use the stored rows of jobs that are on record")


def run(config: BoundaryConfig) -> Result:
    """State counts, wrongly identified pairs, overlapping sources, idempotence and, on request, the solver."""
    names = ("egalitarian", "elitist") if config.score == BOTH else (config.score,)
    spaces = [space for space in SPACES[config.space.name].spaces if size(space) <= MOST_MOVES]
    if not spaces:
        raise UsageError(f"space={config.space.name} is too large: more than {MOST_MOVES:,} transitions")
    left_out = len(SPACES[config.space.name].spaces) - len(spaces)
    found: dict[str, list[Row]] = {"layers": [], "overlap": [], "idempotence": []}
    rows: list[Row] = []
    with Bar(len(spaces) * len(names), "space") as bar:
        for space in spaces:
            automaton = layers(space)
            for name in names:
                about = {"space": config.space.name, "score": name, **_about(space)}
                row, by_layer = _boundary(space, SCORES[name], automaton)
                rows.append({**about, **row})
                found["layers"] += [{**about, **layer} for layer in by_layer]
                if space.multisets * space.width <= MOST_PROFILES:
                    found["overlap"] += [{**about, **one} for one in _overlap(space, SCORES[name])]
                    found["idempotence"] += [{**about, **one} for one in _idempotence(space, SCORES[name])]
                bar.step()
    notes = [*_notes(left_out), "", "Failing profiles: sources disjoint / a shared trunk / a branch delivered again"]
    notes += [_shown(_side_by_side(found["overlap"], "sources"), _OVERLAP)]
    notes += ["", "Profiles that break idempotence: of the state / of the decision / when a branch is delivered again"]
    notes += [_shown(_side_by_side(found["idempotence"], "representation"), _IDEMPOTENCE)]
    if config.smt.run:
        found["smt"] = _smt(config.smt)
        notes += ["", "z3", _shown(found["smt"], _SMT), *_limits()]
    kept = {name: table for name, table in found.items() if table}
    return Result(rows, columns(), notes, kept, files=state_counts(found["layers"]))


def _about(space: Space) -> dict[str, Any]:
    return {"form": str(space.form), "values": space.values, "levels": space.levels, "branches": space.branches}


def _boundary(space: Space, score: Score, automaton: Sequence[Layer]) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """One row of state counts and pairs over all layers, and one row a layer."""
    classes = refine(automaton, score)
    counted = counts(space, score, automaton, classes)
    by_layer = [dataclasses.asdict(count) for count in counted]
    row: dict[str, Any] = {
        name: ", ".join("–" if value is None else str(value) for value in (one[name] for one in by_layer))
        for name in ("states", "differences", "minimal", "enough")
    }
    mapped = class_of(automaton, classes)
    for summary in SUMMARIES:
        pairs = identified(Folder(summary, score, space.levels), space.templates(), mapped)
        name = summary.lower()
        for one in pairs:
            by_layer[one.layer] |= {"pairs": one.pairs, f"{name}_together": one.together, f"{name}_wrong": one.wrong}
        row["pairs"] = sum(one.pairs for one in pairs)
        row[f"{name}_together"] = sum(one.together for one in pairs)
        row[f"{name}_wrong"] = sum(one.wrong for one in pairs)
        row[f"{name}_wrong_share"] = row[f"{name}_wrong"] / row["pairs"] if row["pairs"] else 0.0
    return row, by_layer


def _overlap(space: Space, score: Score) -> Iterator[Row]:
    for kind, failures in _SOURCES.items():
        total = space.total * (space.width if kind == "shared trunk" else 1)
        yield {"sources": kind, **{name: failures(space, score, name) for name in REPRESENTATIONS}, "total": total}


def _idempotence(space: Space, score: Score) -> Iterator[Row]:
    for representation in ("JOIN", "COUNT", "MAX"):
        yield {"representation": representation, **dataclasses.asdict(broken(space, score, representation))}


def _side_by_side(rows: Iterable[Row], by: str) -> list[Row]:
    """One row a space and score: the rows that differ in `by` alone, under their value of it."""
    merged: dict[tuple[Any, ...], dict[str, Any]] = {}
    for row in rows:
        about = {name: row[name] for name in ("form", "values", "levels", "branches", "score")}
        merged.setdefault(tuple(about.values()), about)[row[by]] = row
    return list(merged.values())


def _smt(config: SmtConfig) -> list[Row]:
    from confluence.smt import counterexamples
    from confluence.theorems import theorems

    milliseconds = int(1000 * config.seconds)
    asked = (config.values, config.levels)
    found = [*counterexamples(*asked, config.branches, milliseconds), *theorems(*asked, milliseconds)]
    return [dataclasses.asdict(finding) for finding in found]


def _limits() -> list[str]:
    from confluence.smt import LIMITS

    return [f"limit: {limit}" for limit in LIMITS]


def _notes(left_out: int) -> list[str]:
    said = [
        "state counts by layer 0..n, the empty fold first; differences: the formula, exact from `enough` branches to "
        "come; wrong: pairs of states some folds end in one summary of, though a continuation parts them, of all pairs"
    ]
    if left_out:
        said.append(f"{left_out} spaces left out: more than {MOST_MOVES:,} transitions")
    return said


def _shown(rows: Iterable[Row], shown: Sequence[Column]) -> str:
    return tables.screen(list(rows), shown)


def _wrong(summary: str) -> Column:
    name = summary.lower()

    def cell(row: Row) -> str:
        return f"{row[f'{name}_wrong']} ({100 * row[f'{name}_wrong_share']:.2f} %)"

    return Column(f"{summary} wrong", cell)


_SETTINGS = (
    tables.named("form"), tables.number("values", "k"), tables.number("levels", "E"), tables.number("branches", "n"),
    tables.named("score"),
)  # fmt: skip


def _by_sources(name: str) -> Column:
    return Column(name, lambda row: " / ".join(str(row[kind][name]) for kind in _SOURCES))


def _by_level(name: str) -> Column:
    return Column(name, lambda row: " / ".join(str(row[name][level]) for level in ("state", "decision", "redelivered")))


_OVERLAP = (*_SETTINGS, *(_by_sources(name) for name in (*REPRESENTATIONS, "total")))
_IDEMPOTENCE = (
    *_SETTINGS, *(_by_level(name) for name in ("JOIN", "COUNT", "MAX")),
    Column("total", lambda row: str(row["JOIN"]["total"])),
)  # fmt: skip
_SMT = (
    tables.named("claim"), tables.named("representation"), tables.named("score"), tables.named("form"),
    tables.number("values", "k"), tables.number("levels", "E"),
    Column("n", lambda row: "any" if row["branches"] is None else str(row["branches"])),
    tables.named("weights"), tables.named("verdict"), tables.number("assertions"), tables.named("witness"),
)  # fmt: skip


def columns() -> list[Column]:
    """The table of state counts and wrongly identified pairs."""
    lists = [tables.named(name) for name in ("states", "differences", "minimal", "enough")]
    return [*_SETTINGS, *lists, tables.number("pairs"), *(_wrong(summary) for summary in SUMMARIES)]


EXPERIMENT = Experiment(
    name="confluence_boundary",
    schema=BoundaryConfig,
    run=run,
    columns=columns,
    packages=("beliefmerge", "confluence", "experiment"),
    groups={"space": SPACES.names, "tracking": lambda: TRACKING},
    label=lambda config: config.space.name.replace("_", "-"),
    summary="The boundary of confluence: how much must be kept, and what each summary confuses.",
    examples=("", "space=seed score=elitist", "smt.run=true smt.values=4 smt.branches=3"),
    module="confluence.boundary",
    title="Confluence boundary",
    headline=lambda config: {"space": "spaces"},
)

if __name__ == "__main__":
    sys.exit(main(EXPERIMENT))
