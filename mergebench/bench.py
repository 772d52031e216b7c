"""The benchmark itself: scenarios are generated, arms print, metrics read what they printed."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from beliefmerge.errors import UsageError, nearest
from beliefmerge.llm.protocol import LanguageModel
from beliefmerge.tokens import counter
from experiment.progress import SLOW, Bar
from experiment.run import Result
from experiment.tables import markdown, screen
from mergebench.answerer import ANSWERED, answer
from mergebench.arm import Arm, Request
from mergebench.arms.single import work as single
from mergebench.config import PANEL, MergeBenchConfig
from mergebench.costs import peak
from mergebench.match import shown
from mergebench.metric import Case, Metric
from mergebench.model import opened
from mergebench.options import options_of
from mergebench.reading import read
from mergebench.registries import ARMS, METRICS, SCENARIOS
from mergebench.report import LAWS_TABLE, case_rows, columns, notes, ordered, summary_row
from mergebench.scenario import Kind, Scenario, Size
from mergebench.track import NO_TRACK, TRACK_ARMS, TRACKS
from mergebench.trajectory.registry import TRAJECTORY, TRAJECTORY_ARMS
from mergebench.unread import check_read


@dataclass
class Measured:
    """One arm so far: its cases, and each column's values, one a scenario."""

    cases: list[Case] = field(default_factory=list)
    values: dict[str, list[float | None]] = field(default_factory=dict)

    def add(self, case: Case, metrics: Iterable[Metric]) -> None:
        """Take in one more scenario."""
        self.cases.append(case)
        for metric in metrics:
            for column, value in metric.measure(case).items():
                self.values.setdefault(column, []).append(value)


def run(config: MergeBenchConfig) -> Result:
    """Measure the arm, or the panel, on every scenario of the family, or on the track where one is named."""
    check_read(config)
    if config.track.name != NO_TRACK:
        from mergebench.track_bench import run as run_track

        return run_track(config)
    if config.scenario.name == TRAJECTORY:
        from mergebench.trajectory.bench import run as run_trajectories

        return run_trajectories(config)
    arms = _arms(config)
    metrics = [METRICS[name] for name in METRICS]
    measured = {name: Measured() for name in arms}
    answering = config.answerer != "none"
    steps = config.scenario.seeds * len(arms)
    needed = answering or any(arm.asks_model for arm in arms.values())
    with opened(config.llm, needed=needed) as model, Bar(steps, "case", delay=0 if model else SLOW) as bar:
        for name, case in _cases(config, arms, model):
            answers = answered(case, model) if model and answering else {}
            measured[name].add(replace(case, answers=answers), metrics)
            if model:
                model.check()
            bar.step()
        facts = {"model": model.facts} if model else {}
        said = [model.note] if model else []
    rows = [summary_row(config, name, m.cases, m.values, ordered(metrics)) for name, m in measured.items()]
    return Result(
        rows=rows,
        columns=columns(config.scenario.name),
        notes=[*notes(config, arms), *said, *(["", screen(rows, LAWS_TABLE)] if config.reruns else [])],
        facts=facts,
        files={"laws.md": lambda: markdown(rows, LAWS_TABLE).encode()} if config.reruns else {},
        tables={"cases": [row for name, m in measured.items() for row in case_rows(name, m.cases)]},
    )


def _cases(
    config: MergeBenchConfig, arms: Mapping[str, Arm], model: LanguageModel | None
) -> Iterator[tuple[str, Case]]:
    """Every arm on every scenario of the family, scenario by scenario."""
    count = counter(config.tokens)
    requests = {
        name: Request(
            budget=config.budget,
            count=count,
            tokens=config.tokens,
            score=config.score,
            options=options_of(name, arm.options, config),
            model=model if arm.asks_model else None,
        )
        for name, arm in arms.items()
    }
    costly = SCENARIOS[config.scenario.name].costly
    for number in range(config.scenario.seeds):
        scenario = _scenario(config, number)
        best = best_single(scenario, Request(config.budget, count))
        for name, arm in arms.items():
            case = measure(arm, scenario, requests[name], best, reruns=config.reruns)
            yield name, replace(case, peak=memory(arm, case)) if costly else case


def answered(case: Case, model: LanguageModel) -> dict[str, str]:
    """What `model` answers to each question from what was printed for it, by question id."""
    asked = [question for question in case.scenario.questions if question.kind in ANSWERED]
    return {question.id: answer(model, case.reading(question).text, question) for question in asked}


def _arms(config: MergeBenchConfig) -> dict[str, Arm]:
    """The arm asked for, or all of them; those that ask a model only where there is one. Raises UsageError."""
    if config.arm.name in TRACK_ARMS:
        raise UsageError(f"arm {config.arm.name!r} is one of tracks: add track={'|'.join(TRACKS)} and data=…")
    if config.arm.name in TRAJECTORY_ARMS and config.arm.name not in ARMS:
        raise UsageError(f"arm {config.arm.name!r} is one of scenario={TRAJECTORY}: add that, or {_instead(config)}")
    if config.arm.name != PANEL:
        return {config.arm.name: ARMS[config.arm.name]}
    arms = {name: ARMS[name] for name in sorted(ARMS.names(), key=_order)}
    return {name: arm for name, arm in arms.items() if config.llm.name != "none" or not arm.asks_model}


def _instead(config: MergeBenchConfig) -> str:
    match = nearest(config.arm.name, ARMS.names())
    return f"did you mean {match!r}?" if match else f"one of {', '.join(ARMS.names())}"


def measure(arm: Arm, scenario: Scenario, request: Request, best: float | None, *, reruns: bool = False) -> Case:
    """Have `arm` print for `scenario`, once or once a question, and time it."""
    again = _about(request, scenario.questions[0]) if arm.sees_question else request
    rerun = (lambda other: read(arm.work(other, again))) if reruns else None
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


def memory(arm: Arm, case: Case) -> int:
    """Bytes that `arm` holds at once for one context of the case, by running it once more."""
    scenario, request = case.scenario, case.request
    one = _about(request, scenario.questions[0]) if arm.sees_question else request
    return peak(lambda: arm.work(scenario, one))


def _about(request: Request, question: Any) -> Request:
    return replace(request, question=question)


def best_single(scenario: Scenario, request: Request) -> float | None:
    """The share of bridge questions that the best single branch, cut to the budget, answers."""
    questions = scenario.asked(Kind.BRIDGE)
    if not questions:
        return None
    texts = [single(scenario, request, branch).text for branch in range(len(scenario.sessions))]
    return max(sum(len(shown(text, q.expects)) == len(q.expects) for q in questions) for text in texts) / len(questions)


def _scenario(config: MergeBenchConfig, number: int) -> Scenario:
    given = config.scenario
    size = Size(given.topics, given.conflicts, given.chatter, given.branches, given.paraphrase)
    return SCENARIOS[given.name].generate(size, config.seed + number)


_FIRST = (
    "none", "single", "best_single", "concat", "roundrobin", "snapshot", "fusion", "bm25", "retrieve", "lastwrite",
    "heuristic", "oracle",
)  # fmt: skip


def _order(name: str) -> tuple[int, str]:
    """The panel's order: the baselines by what they know, then the merge, then arms added by others, by name."""
    return (_FIRST.index(name) if name in _FIRST else len(_FIRST), name)
