"""``python -m confluence.cascade``: what a wrong slot does to the claims derived from it. ``--help`` explains."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Any

from beliefmerge.algebra.score import Score
from beliefmerge.scores import SCORES
from confluence.cascade_counts import SORTS, cascade
from confluence.cascade_reference import ASSERT, CascadeProfile, Outcome, outcome
from confluence.derivations import DERIVATIONS, Derivation
from confluence.representation import REPRESENTATIONS
from experiment import tables
from experiment.entry import main
from experiment.groups import TRACKING, TrackingConfig
from experiment.progress import Bar
from experiment.run import Experiment, Result
from experiment.schema import option
from experiment.tables import Column, Row

ALL, BOTH = "all", "both"


@dataclass
class CascadeConfig:
    """One run of the cascade."""

    graph: str = option(ALL, "derivation graph", names=lambda: [ALL, *(_plain(name) for name in DERIVATIONS)])
    branches: int = option(3, "branches of a profile", least=2, most=4)
    score: str = option(BOTH, "score, or egalitarian and elitist", names=lambda: [BOTH, *SCORES])
    results_dir: str = option("", "where runs are recorded")
    tracking: TrackingConfig = field(
        default_factory=lambda: TrackingConfig("mlflow"), metadata={"help": "index of runs, written after the table"}
    )
    resume: bool = option(True, "in a sweep, use the stored rows of jobs that are on record")


def _plain(name: str) -> str:
    return name.replace(" ", "").replace("-", "_")


def run(config: CascadeConfig) -> Result:
    """Exact counts for every graph, score and representation, with minimal profiles replayed one order at a time."""
    graphs = {name: graph for name, graph in DERIVATIONS.items() if config.graph in (ALL, _plain(name))}
    names = ("egalitarian", "elitist") if config.score == BOTH else (config.score,)
    rows: list[Row] = []
    witnesses: list[Row] = []
    work = list(product(graphs, names, REPRESENTATIONS))
    with Bar(len(work), "row") as bar:
        for name, score, representation in work:
            about = {"graph": name, "score": score, "representation": representation, "branches": config.branches}
            row, found = _counted(graphs[name], config.branches, SCORES[score], representation)
            rows.append({**about, **row})
            witnesses += [{**about, **one} for one in found]
            bar.step()
    notes = [
        "deleted: some order loses a claim that the n-ary merge has IN; resurrected: some order gains one; mixed: both",
        "",
        "Smallest profiles (c0+1: c0 asserted with evidence 1, c0-1: refuted)",
        tables.screen(witnesses, _WITNESSES),
    ]
    return Result(rows, columns(), notes, {"witnesses": witnesses} if witnesses else {})


def _counted(
    derivation: Derivation, branches: int, score: Score, representation: str
) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    begun = time.perf_counter()
    found = cascade(derivation, branches, score, representation)
    row: dict[str, Any] = {sort: getattr(found, sort) for sort in SORTS}
    row |= {"failing": found.failing, "total": found.total, "rate": found.failing / found.total}
    row["seconds"] = time.perf_counter() - begun
    replayed = [
        {"sort": sort, **_replayed(derivation, profile, score, representation, sort)}
        for sort, profile in found.witnesses.items()
    ]
    return row, replayed


def _replayed(
    derivation: Derivation, profile: CascadeProfile, score: Score, representation: str, sort: str
) -> dict[str, Any]:
    """The profile and what came of it, by the slow way. Raises RuntimeError where that does not confirm the count."""
    seen = outcome(derivation, profile, score, representation)
    if not {"deleted": seen.deleted, "resurrected": seen.resurrected, "mixed": seen.deleted and seen.resurrected}[sort]:
        raise RuntimeError(f"the replay of {told(profile)} is not {sort}")
    size = sum(len(said) for claim in profile for said in claim)
    return {"assertions": size, "profile": told(profile), "nary": _set(seen.nary), "folds": _folds(seen, sort)}


def told(profile: CascadeProfile) -> str:
    """A profile as text, by branch."""
    parts = []
    for branch in range(len(profile[0])):
        said = [
            f"c{claim}{'+' if side == ASSERT else '-'}{level}"
            for claim, branches in enumerate(profile)
            for side, level in branches[branch]
        ]
        parts.append(f"b{branch}: {' '.join(said) or 'nothing'}")
    return ", ".join(parts)


def _set(claims: Iterable[int]) -> str:
    return "{" + ", ".join(f"c{claim}" for claim in sorted(claims)) + "}"


def _folds(seen: Outcome, sort: str) -> str:
    """The first order that loses a claim, gains one, or either, with what is IN then."""
    lost = [order for order, fold in seen.folds.items() if seen.nary - fold]
    gained = [order for order, fold in seen.folds.items() if fold - seen.nary]
    orders = {"deleted": lost[:1], "resurrected": gained[:1], "mixed": [*lost[:1], *gained[:1]]}[sort]
    shown = {" ".join(f"b{branch}" for branch in order): _set(seen.folds[order]) for order in orders}
    return "; ".join(f"{order}: {claims}" for order, claims in shown.items())


_SETTINGS = (
    tables.named("graph"), tables.number("branches", "n"), tables.named("score"), tables.named("representation"),
)  # fmt: skip
_WITNESSES: Sequence[Column] = (
    *_SETTINGS, tables.named("sort"), tables.number("assertions"), tables.named("profile"), tables.named("nary"),
    tables.named("folds"),
)  # fmt: skip


def columns() -> list[Column]:
    """The table of counts."""
    rate = Column("rate", lambda row: f"{100 * row['rate']:.2f} %")
    return [*_SETTINGS, *(tables.number(name) for name in (*SORTS, "failing", "total")), rate]


EXPERIMENT = Experiment(
    name="confluence_cascade",
    schema=CascadeConfig,
    run=run,
    columns=columns,
    packages=("beliefmerge", "confluence", "experiment"),
    groups={"tracking": lambda: TRACKING},
    label=lambda config: f"{config.graph.replace('_', '-')}-{config.branches}",
    summary="The cascade: claims that are lost, or come back, when slots are merged incrementally from summaries.",
    examples=("", "graph=chain3 score=egalitarian", "-m graph=chain2,chain3 branches=2,3,4"),
    module="confluence.cascade",
    title="Confluence cascade",
    headline=lambda config: {"branches": "branches"},
)

if __name__ == "__main__":
    sys.exit(main(EXPERIMENT))
