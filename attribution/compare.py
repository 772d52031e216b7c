"""``python -m attribution.compare``: estimators on planted problems, at the same number of ablations.

The fold-over's contrasts beside ContextCite's estimator (Bernoulli masks, the Lasso over them; Cohen-Wang et al.,
2024), on problems whose answer is known. The unit of every interval is the problem.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from attribution.arrays import Floats
from attribution.attribute import Attribution, Settings, attribute
from attribution.config import kind_names
from attribution.planted import KINDS, Truth, planted_step
from attribution.scorers.planted import Planted
from attribution.stability import mean_pairwise, spearman
from attribution.values import banzhaf, every_mask, shapley
from beliefmerge.errors import UsageError
from experiment.entry import main
from experiment.groups import TRACKING, TrackingConfig
from experiment.intervals import t
from experiment.progress import Bar
from experiment.run import Experiment, Result
from experiment.schema import option
from experiment.seeds import seed_of
from experiment.tables import Column, Row, named, number

ENUMERATED = 12
"""Exact values are computed up to this many entries."""
ESTIMATORS = {"fold-over": "foldover", "ContextCite": "bernoulli"}


@dataclass
class CompareConfig:
    """One comparison."""

    kind: str = option("all", "structure of the problems", names=kind_names, kind="planted problem")
    entries: int = option(32, "entries of a problem", least=4, most=512)
    ablations: int = option(64, "contexts an estimator may score, in each repeat", least=4)
    count: int = option(20, "problems of each kind", least=2, most=10_000)
    repeats: int = option(3, "repeats, for agreement across seeds", least=2, most=100)
    noise: float = option(0.1, "standard deviation of the noise, log-odds per token", least=0)
    seed: int = option(0, "shifts every random stream", least=0)
    results_dir: str = option("", "where runs are recorded")
    tracking: TrackingConfig = field(
        default_factory=lambda: TrackingConfig("mlflow"), metadata={"help": "index of runs, written after the table"}
    )
    resume: bool = option(True, "in a sweep, use the stored rows of jobs that are on record")


def _lds(found: Attribution, repeat: Floats, truth: Truth) -> float:
    """Of one repeat, on masks of its own: what a user with this budget gets."""
    rng = np.random.default_rng(seed_of("attribution", "compare", found.step.step_id))
    masks = rng.random((128, len(repeat))) < 0.5
    return spearman(np.round(masks @ repeat, 10), truth.log_odds(masks))


def _recall(found: Attribution, repeat: Floats, truth: Truth) -> float:
    """The share of the sources among as many strongest entries."""
    strongest = np.argsort(-repeat, kind="stable")[: len(truth.sources)]
    return len(truth.sources & {int(i) for i in strongest}) / len(truth.sources)


def _loo(found: Attribution, repeat: Floats, truth: Truth) -> float:
    """Rank agreement with leave-one-out drops."""
    return spearman(np.round(repeat, 10), found.loo)


def _exact(value: Callable[[Floats], Floats]) -> Callable[[Attribution, Floats, Truth], float | None]:
    def agreement(found: Attribution, repeat: Floats, truth: Truth) -> float | None:
        if len(repeat) > ENUMERATED:
            return None
        return spearman(np.round(repeat, 10), np.round(value(truth.clean(every_mask(len(repeat)))), 10))

    return agreement


METRICS: dict[str, Callable[[Attribution, Floats, Truth], float | None]] = {
    "lds": _lds,
    "recall": _recall,
    "loo": _loo,
    "banzhaf": _exact(banzhaf),
    "shapley": _exact(shapley),
}


def measured(found: Attribution) -> dict[str, float | None]:
    """One problem's figures under one estimator: means over repeats, agreement across them, coverage."""
    truth = found.step.truth
    assert isinstance(truth, Truth)
    row: dict[str, float | None] = {}
    for name, metric in METRICS.items():
        values = [metric(found, repeat, truth) for repeat in found.repeats]
        row[name] = None if None in values else float(np.mean([v for v in values if v is not None]))
    row["seeds"] = mean_pairwise(np.round(found.repeats, 10), spearman)
    row["concordance"] = found.stability.concordance
    row["even_share"] = found.stability.even_share
    row["coverage"] = None
    if found.half_width is not None and found.degrees:
        truth_ = truth.banzhaf(len(found.effects))
        row["coverage"] = float(np.mean(np.abs(found.effects - truth_) <= found.half_width))
    return row


def run(config: CompareConfig) -> Result:
    """Every problem under every estimator."""
    if config.ablations < 2 * config.entries or config.ablations & (config.ablations - 1):
        raise UsageError(f"ablations={config.ablations} must be a power of two, at least {2 * config.entries}")
    kinds = KINDS if config.kind == "all" else (config.kind,)
    problems: list[Row] = []
    with Bar(len(kinds) * config.count * len(ESTIMATORS), "problem") as bar:
        for kind, number_ in ((kind, i) for kind in kinds for i in range(config.count)):
            for row in _of_problem(config, kind, number_):
                problems.append(row)
                bar.step()
    rows = list(_summed(config, kinds, problems))
    return Result(rows, columns(), notes=_notes(), tables={"problems": problems})


def _of_problem(config: CompareConfig, kind: str, number: int) -> Iterator[dict[str, Any]]:
    seed = seed_of("attribution", "compare", kind, config.entries, config.seed, number)
    step = planted_step(kind, config.entries, np.random.default_rng(seed), name=f"{kind}-{number}", noise=config.noise)
    for estimator, design in ESTIMATORS.items():
        settings = Settings(design=design, ablations=config.ablations, repeats=config.repeats, seed=config.seed)
        yield {
            "kind": kind,
            "problem": number,
            "estimator": estimator,
            **measured(attribute(step, Planted(), settings)),
        }


_FIGURES = (*METRICS, "seeds", "concordance", "even_share", "coverage")


def _summed(config: CompareConfig, kinds: Sequence[str], problems: Sequence[Row]) -> Iterator[dict[str, Any]]:
    for kind in kinds:
        for estimator in ESTIMATORS:
            own = [row for row in problems if (row["kind"], row["estimator"]) == (kind, estimator)]
            about = {"kind": kind, "estimator": estimator, "entries": config.entries, "ablations": config.ablations}
            row: dict[str, Any] = {**about, "noise": config.noise, "n": len(own)}
            for name in _FIGURES:
                values = [one[name] for one in own if one[name] is not None]
                row |= {name: None, f"{name}_low": None, f"{name}_high": None}
                if values:
                    found = t(values)
                    row |= {name: found.mean, f"{name}_low": found.low, f"{name}_high": found.high}
            yield row


def columns() -> list[Column]:
    """Of the table: means with 95 % intervals over problems."""
    return [
        named("kind"),
        named("estimator"),
        number("entries", "D"),
        number("ablations", "N"),
        number("n"),
        number("lds", "LDS", digits=3, limits=True),
        number("recall", "top-k recall", digits=2, limits=True),
        number("seeds", "across seeds ρ", digits=2, limits=True),
        number("concordance", "across seeds Lin", digits=2, limits=True),
        number("loo", "LOO ρ", digits=2, limits=True),
        number("banzhaf", "Banzhaf ρ", digits=2, limits=True),
        number("shapley", "Shapley ρ", digits=2, limits=True),
        number("even_share", "even share", digits=2, limits=True),
        number("coverage", digits=2, limits=True),
    ]


def _notes() -> list[str]:
    return [
        "LDS: Spearman with 128 held-out contexts; top-k recall: k the number of sources; coverage: of 95 % intervals, "
        "shown from N = 4 D, "
        "unless every context was tried",
        "intervals in brackets: 95 %, Student, over problems",
    ]


EXPERIMENT = Experiment(
    name="attribution_compare",
    module="attribution.compare",
    title="Attribution compared",
    headline=lambda config: {"entries": "entries", "ablations": "contexts", "count": "problems of each kind"},
    schema=CompareConfig,
    run=run,
    columns=columns,
    packages=("beliefmerge", "experiment", "attribution"),
    groups={"tracking": lambda: TRACKING},
    label=lambda config: f"{config.kind}-{config.entries}x{config.ablations}",
    summary="Attribution on planted problems: the fold-over beside ContextCite's estimator, at the same ablations.",
    examples=("", "entries=12 ablations=64", "-m entries=32 ablations=64,128,256 kind=mixed tracking=none"),
)

if __name__ == "__main__":
    # The module run as a script is not the one that a launcher's workers import.
    from attribution import compare as command

    sys.exit(main(command.EXPERIMENT))
