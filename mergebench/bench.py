"""The benchmark itself: scenarios are generated, arms print, metrics read what they printed."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from beliefmerge.errors import UsageError, nearest
from beliefmerge.tokens import counter
from experiment.run import Result
from mergebench.arm import Arm, Request
from mergebench.arms.single import work as single
from mergebench.config import PANEL, MergeBenchConfig
from mergebench.match import shown
from mergebench.metric import Case, Metric
from mergebench.reading import read
from mergebench.registries import ARMS, METRICS, SCENARIOS
from mergebench.report import case_rows, columns, notes, ordered, summary_row
from mergebench.scenario import Kind, Scenario, Size

SLOW = 2.0
"""Seconds after which a progress bar appears."""


@dataclass(frozen=True)
class Measured:
    """One arm on every scenario: cases, and each metric's values, one a scenario."""

    arm: str
    cases: Sequence[Case]
    values: Mapping[str, Sequence[float | None]]


def run(config: MergeBenchConfig) -> Result:
    """Measure the arm, or the panel, on every scenario of the family."""
    count = counter(config.tokens)
    names = ARMS.names() if config.arm.name == PANEL else [config.arm.name]
    arms = {name: ARMS[name] for name in sorted(names, key=_order)}
    options = {name: options_of(name, arm, config) for name, arm in arms.items()}
    scenarios = _scenarios(config)
    blank = Request(config.budget, count, config.tokens, config.score)
    best = [best_single(scenario, blank) for scenario in scenarios]
    cases: dict[str, list[Case]] = {name: [] for name in arms}
    for name, number in _progress([(name, i) for name in arms for i in range(len(scenarios))]):
        request = Request(config.budget, count, config.tokens, config.score, options[name])
        cases[name].append(measure(arms[name], scenarios[number], request, best[number], reruns=config.reruns))
    metrics = [METRICS[name] for name in METRICS]
    measured = [Measured(name, found, _values(metrics, found)) for name, found in cases.items()]
    return Result(
        rows=[summary_row(config, one.arm, one.cases, one.values, ordered(metrics)) for one in measured],
        columns=columns(config.scenario.name),
        notes=notes(config, arms),
        tables={"cases": [row for one in measured for row in case_rows(one.arm, one.cases)]},
    )


def measure(arm: Arm, scenario: Scenario, request: Request, best: float | None, *, reruns: bool = False) -> Case:
    """Have `arm` print for `scenario`, once or once a question, and time it."""
    rerun = (lambda other: read(arm.work(other, request))) if reruns and not arm.sees_question else None
    begun = time.perf_counter()
    if arm.sees_question:
        asked = {q.id: arm.work(scenario, _about(request, q)) for q in scenario.questions}
        seconds = time.perf_counter() - begun
        readings = {id: read(output) for id, output in asked.items()}
    else:
        output = arm.work(scenario, request)
        seconds = time.perf_counter() - begun
        readings = dict.fromkeys((q.id for q in scenario.questions), read(output))
    return Case(scenario, request, readings, best, seconds, rerun)


def _about(request: Request, question: Any) -> Request:
    return Request(request.budget, request.count, request.tokens, request.score, request.options, question)


def best_single(scenario: Scenario, request: Request) -> float | None:
    """The share of bridge questions that the best single branch, cut to the budget, answers."""
    questions = scenario.asked(Kind.BRIDGE)
    if not questions:
        return None
    texts = [single(scenario, request, branch).text for branch in range(len(scenario.sessions))]
    return max(sum(len(shown(text, q.expects)) == len(q.expects) for q in questions) for text in texts) / len(questions)


def _values(metrics: Sequence[Metric], cases: Sequence[Case]) -> dict[str, list[float | None]]:
    values: dict[str, list[float | None]] = {}
    for metric in metrics:
        for case in cases:
            for column, value in metric.measure(case).items():
                values.setdefault(column, []).append(value)
    return values


def _scenarios(config: MergeBenchConfig) -> list[Scenario]:
    family, given = SCENARIOS[config.scenario.name], config.scenario
    size = Size(given.topics, given.conflicts, given.chatter, given.branches, given.paraphrase)
    return [family.generate(size, config.seed + number) for number in range(given.seeds)]


def options_of(name: str, arm: Arm, config: MergeBenchConfig) -> dict[str, Any]:
    """The arm's options with what the configuration sets; raises UsageError for one it lacks, or of another type."""
    given = config.arm.options if config.arm.name == name else {}
    for key, value in given.items():
        if key not in arm.options:
            match = nearest(key, arm.options)
            hint = f"; did you mean {match!r}?" if match else ""
            raise UsageError(f"arm {name!r} has no option {key!r}{hint} (it has: {', '.join(arm.options) or 'none'})")
        if type(value) is not type(arm.options[key]):
            raise UsageError(f"arm.options.{key}={value} must be {type(arm.options[key]).__name__}")
    return {**arm.options, **given}


_FIRST = ("none", "single", "best_single", "concat", "roundrobin", "snapshot", "bm25", "heuristic", "oracle")


def _order(name: str) -> tuple[int, str]:
    """The panel's order: the baselines by what they know, then the merge, then arms added by others, by name."""
    return (_FIRST.index(name) if name in _FIRST else len(_FIRST), name)


def _progress(items: Sequence[tuple[str, int]]) -> Iterator[tuple[str, int]]:
    """`items`, with a bar on a terminal once they have taken two seconds."""
    if not sys.stderr.isatty():
        yield from items
        return
    from tqdm import tqdm

    bar = tqdm(items, delay=SLOW, leave=False, unit="case", file=sys.stderr)
    for item in bar:
        bar.set_description(item[0], refresh=False)
        yield item
