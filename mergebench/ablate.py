"""``python -m mergebench.ablate``: what each stage of the merge is worth, family by family. ``--help`` explains."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from beliefmerge.scores import SCORES
from beliefmerge.tokens import COUNTERS, counter
from experiment import intervals, tables
from experiment.entry import main
from experiment.groups import TRACKING, TrackingConfig
from experiment.progress import Bar
from experiment.run import Experiment, Result
from experiment.schema import option
from experiment.tables import Column, Row
from mergebench.arm import Request
from mergebench.bench import measure
from mergebench.registries import ARMS, METRICS, SCENARIOS
from mergebench.scenario import Scenario, Size

ALL = "all"
STAGES: Mapping[str, Mapping[str, Any]] = {
    "alignment": {"alignment": False},
    "derivation": {"derivation": False},
    "trust": {"trust": False},
    "packing": {"solver": "density"},
    "chatter_filter": {"chatter_filter": False},
}
"""By stage: the options of a merge arm that leave it out. For packing that is the greedy solver."""
ASKED: Mapping[str, Sequence[str]] = {
    "tie": ("ties_kept",),
    "derive": ("retraction_recall", "retraction_precision"),
    "inject": ("unambiguous", "laundering"),
    "compatible": ("coverage_compatible", "false_alarms"),
    "refuted": ("refuted_kept", "refuted_revived"),
    "secret": ("leaks",),
}
"""By family: what it is read by, beside `bridge`; of those not named, `unambiguous`."""
MERGES = ("heuristic", "oracle")


def family_names() -> list[str]:
    """Every family, and all of them."""
    return [ALL, *SCENARIOS.names()]


@dataclass
class AblateConfig:
    """One run of the ablations."""

    arm: str = option("heuristic", "the merge arm whose stages are left out", names=lambda: MERGES)
    family: str = option(ALL, "family of scenarios, or all", names=family_names)
    budget: int = option(400, "tokens an arm may print, overhead included", least=1, most=1e9)
    seeds: int = option(20, "scenarios of each family", least=2, most=10_000)
    seed: int = option(0, "the first scenario's seed", least=0, most=1e12)
    topics: int = option(12, "topics per scenario", least=2, most=10_000)
    conflicts: int = option(2, "of these, topics asserted with two values", least=0)
    chatter: int = option(18, "messages per branch that carry no fact", least=0, most=100_000)
    branches: int = option(2, "sessions to merge", least=2, most=64)
    paraphrase: float = option(0.0, "how often two branches word one fact differently", least=0, most=1)
    score: str = option("egalitarian", "how the merge weighs evidence", names=lambda: list(SCORES))
    tokens: str = option("chars4", "what counts tokens", names=lambda: list(COUNTERS), kind="token counter")
    results_dir: str = option("", "where runs are recorded")
    tracking: TrackingConfig = field(
        default_factory=lambda: TrackingConfig("mlflow"), metadata={"help": "index of runs, written after the table"}
    )
    resume: bool = option(True, "in a sweep, use the stored rows of jobs that are on record")


Values = dict[str, list[float | None]]
"""By measure: one value a scenario."""


def run(config: AblateConfig) -> Result:
    """Every family with the whole arm and without each stage it has."""
    families = SCENARIOS.names() if config.family == ALL else [config.family]
    known = ARMS[config.arm].options
    stages = {name: options for name, options in STAGES.items() if options.keys() <= known.keys()}
    rows: list[Row] = []
    with Bar(len(families) * config.seeds, "scenario") as bar:
        for family in families:
            measures = ("bridge", *ASKED.get(family, ("unambiguous",)))
            found: dict[str, Values] = {name: {each: [] for each in measures} for name in ("", *stages)}
            for number in range(config.seeds):
                scenario = SCENARIOS[family].generate(_size(config), config.seed + number)
                for name, values in found.items():
                    _measure(config, scenario, stages.get(name, {}), values)
                bar.step()
            rows += [_row(config, family, each, {name: found[name][each] for name in found}) for each in measures]
    return Result(rows, columns(), _notes(config))


def _size(config: AblateConfig) -> Size:
    return Size(config.topics, config.conflicts, config.chatter, config.branches, config.paraphrase)


def _measure(config: AblateConfig, scenario: Scenario, options: Mapping[str, Any], values: Values) -> None:
    arm = ARMS[config.arm]
    request = Request(
        config.budget, counter(config.tokens), config.tokens, config.score, options={**arm.options, **options}
    )
    case = measure(arm, scenario, request, None)
    for metric in (METRICS[name] for name in METRICS):
        if any(column.name in values for column in metric.columns):
            for name, value in metric.measure(case).items():
                if name in values:
                    values[name].append(value)


def _row(config: AblateConfig, family: str, measured: str, values: Mapping[str, Sequence[float | None]]) -> Row:
    """The whole arm's mean, and for each stage the mean of what it adds, paired over scenarios."""
    whole = [value for value in values[""] if value is not None]
    row: dict[str, Any] = {
        "arm": config.arm,
        "scenario": family,
        "measure": measured,
        "budget": config.budget,
        "score": config.score,
        "paraphrase": config.paraphrase,
        "branches": config.branches,
        "seed": config.seed,
        "n": len(whole),
    }
    if not whole:
        return row
    row |= _limits("whole", intervals.t(whole).clipped(0.0, 1.0))
    for name in values:
        pairs = [(x, y) for x, y in zip(values[""], values[name], strict=True) if x is not None and y is not None]
        if name and pairs:
            gain = intervals.paired([x for x, _ in pairs], [y for _, y in pairs])
            row |= _limits(name, gain.clipped(-1.0, 1.0))
    return row


def _limits(name: str, interval: intervals.Interval) -> dict[str, float | None]:
    return {name: interval.mean, f"{name}_low": interval.low, f"{name}_high": interval.high}


def columns() -> list[Column]:
    """The table: what is measured, the whole arm, what each stage adds."""
    return [
        *(tables.named(name) for name in ("arm", "scenario", "measure")),
        *(tables.number(name) for name in ("budget", "n")),
        tables.percent("whole"),
        *(tables.percent(name, name.replace("_", " "), signed=True) for name in STAGES),
    ]


def _notes(config: AblateConfig) -> list[str]:
    return [
        f"whole: the arm in %; then what it loses without each stage, in points [95 % interval, paired over "
        f"{config.seeds} scenarios]",
        "packing: the default solver minus the greedy one; more is better but for laundering, leaks, false_alarms and "
        "refuted_revived",
    ]


EXPERIMENT = Experiment(
    name="mergebench_ablate",
    schema=AblateConfig,
    run=run,
    columns=columns,
    packages=("beliefmerge", "experiment", "mergebench"),
    groups={"tracking": lambda: TRACKING},
    label=lambda config: f"{config.arm}-{config.family}-{config.budget}",
    summary="Ablations: what alignment, derivation, trust, packing and the chatter filter are worth, per family.",
    examples=("", "arm=oracle family=derive", "-m budget=200,400 paraphrase=0,1"),
    module="mergebench.ablate",
    title="MergeBench ablations",
    headline=lambda config: {"arm": "", "budget": "tokens", "seeds": "seeds"},
)

if __name__ == "__main__":
    sys.exit(main(EXPERIMENT))
