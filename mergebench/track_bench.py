"""Running a track: every arm on every task, judged from what it printed."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from statistics import fmean
from typing import Any

from beliefmerge.errors import UsageError, unknown
from beliefmerge.llm.protocol import LanguageModel
from beliefmerge.tokens import counter
from experiment import intervals
from experiment.progress import SLOW, Bar
from experiment.run import Result
from experiment.tables import Row
from mergebench.arm import Arm, Request
from mergebench.config import PANEL, MergeBenchConfig
from mergebench.merging import packs_for_question
from mergebench.model import opened
from mergebench.options import options_of
from mergebench.reading import Reading, read
from mergebench.registries import ARMS
from mergebench.track import TRACK_ARMS, TRACKS, Choices, Loaded, Task, Track, digest, located
from mergebench.track_report import columns, notes


@dataclass
class Found:
    """One arm so far, a value a task."""

    seen: bool
    """Whether it was told the question."""
    scores: list[Mapping[str, float]] = field(default_factory=list)
    tokens: list[int] = field(default_factory=list)
    seconds: float = 0.0
    degraded: int = 0


def run(config: MergeBenchConfig) -> Result:
    """Measure the arm, or the panel, on every task of the track. Raises UsageError for what cannot be asked."""
    track, name = TRACKS[config.track.name], config.track.name
    choices = _choices(track, config)
    arms = _arms(track, choices.setting, config)
    loaded = track.load(choices)
    if not loaded.tasks:
        raise UsageError(f"{choices.data}: no questions for track={name} track.setting={choices.setting}")
    needed = any(arm.asks_model for arm in arms.values())
    with opened(config.llm, needed=needed) as model:
        steps = len(loaded.tasks) * len(arms)
        with Bar(steps, "question", delay=0 if model else SLOW) as bar:
            found = {each: _measured(each, arm, track, loaded, config, model, bar) for each, arm in arms.items()}
        facts: dict[str, Any] = {"model": model.facts} if model else {}
        said = [model.note] if model else []
    against = found.get(track.against) if len(found) > 1 else None
    return Result(
        rows=[_row(config, choices, each, loaded, one, track.against, against) for each, one in found.items()],
        columns=columns(),
        notes=[*notes(config, track, loaded, arms), *said],
        facts=facts | {"data_sha256": digest(choices.data)},
        tables={"cases": [row for each, one in found.items() for row in _cases(config, choices, each, loaded, one)]},
    )


def _choices(track: Track, config: MergeBenchConfig) -> Choices:
    given = config.track
    setting = given.setting or track.settings[0]
    if setting not in track.settings:
        raise unknown("track.setting", setting, track.settings)
    if given.part != "all" and not track.parts:
        raise UsageError(f"track={given.name} has no parts: leave out track.part")
    data = located(config.data, given.name, track.data)
    return Choices(data, setting, given.sessions, given.part, config.seed)


def _arms(track: Track, setting: str, config: MergeBenchConfig) -> dict[str, Arm]:
    """The arm asked for, or those that apply; those that ask a model only where there is one."""
    panel = track.panel(setting)
    if config.arm.name == PANEL:
        asking = [name for name in ARMS if ARMS[name].asks_model] if config.llm.name != "none" else []
        return {name: _arm(name) for name in [*panel, *asking]}
    if config.arm.name not in panel and config.arm.name not in ARMS:
        raise unknown(f"arm of track={config.track.name} track.setting={setting}", config.arm.name, panel)
    return {config.arm.name: _arm(config.arm.name)}


def _arm(name: str) -> Arm:
    return TRACK_ARMS[name] if name in TRACK_ARMS else ARMS[name]


def _measured(
    name: str,
    arm: Arm,
    track: Track,
    loaded: Loaded,
    config: MergeBenchConfig,
    model: LanguageModel | None,
    bar: Bar,
) -> Found:
    found = Found(arm.sees_question or (config.track.question == "seen" and packs_for_question(arm)))
    request = Request(
        budget=config.budget,
        count=counter(config.tokens),
        tokens=config.tokens,
        score=config.score,
        options=options_of(name, arm.options, config),
        model=model if arm.asks_model else None,
    )
    for task, reading, seconds in _readings(arm, loaded, request, told=found.seen):
        found.scores.append(track.judge(task, reading))
        found.tokens.append(request.count(reading.text))
        found.seconds += seconds
        found.degraded += reading.output.degraded
        bar.step()
    return found


def _readings(arm: Arm, loaded: Loaded, request: Request, *, told: bool) -> Iterator[tuple[Task, Reading, float]]:
    """What is printed for each task; where the question is not told, once for all tasks about the same branches."""
    printed: dict[int, Reading] = {}
    for task in loaded.tasks:
        begun = time.perf_counter()
        if told:
            reading = read(arm.work(task.scenario, replace(request, question=task.question)))
        elif (same := printed.get(id(task.scenario))) is not None:
            reading = same
        else:
            reading = printed[id(task.scenario)] = read(arm.work(task.scenario, request))
        yield task, reading, time.perf_counter() - begun


def _row(
    config: MergeBenchConfig,
    choices: Choices,
    arm: str,
    loaded: Loaded,
    found: Found,
    against: str,
    baseline: Found | None,
) -> Row:
    units = [task.unit for task in loaded.tasks]
    row: dict[str, Any] = {
        **_about(config, choices, arm, found),
        "part": choices.part,
        "budget": config.budget,
        "score": config.score,
        "tokens_counter": config.tokens,
        "seed": config.seed,
        "n": len(loaded.tasks),
        "units": len(set(units)),
        "unit": loaded.unit,
    }
    for name in found.scores[0]:
        row |= _limits(name, [scores[name] for scores in found.scores], units, 0.0)
        if baseline is not None and baseline is not found:
            pairs = zip(found.scores, baseline.scores, strict=True)
            row |= _limits(f"{name}_gain", [mine[name] - theirs[name] for mine, theirs in pairs], units, -1.0)
    return row | {
        "against": against if baseline is not None else None,
        "tokens": fmean(found.tokens),
        "over_budget": sum(tokens > config.budget for tokens in found.tokens),
        "degraded": found.degraded,
        "seconds": found.seconds / len(found.tokens),
    }


def _about(config: MergeBenchConfig, choices: Choices, arm: str, found: Found) -> dict[str, Any]:
    return {"arm": arm, "track": config.track.name, "setting": choices.setting, "question_seen": found.seen}


def _limits(name: str, values: list[float], units: list[str], least: float) -> dict[str, float | None]:
    interval = intervals.clustered(values, units).clipped(least, 1.0)
    return {name: interval.mean, f"{name}_low": interval.low, f"{name}_high": interval.high}


def _cases(config: MergeBenchConfig, choices: Choices, arm: str, loaded: Loaded, found: Found) -> list[Row]:
    """One row a task."""
    return [
        {
            **_about(config, choices, arm, found),
            "budget": config.budget,
            "question": task.question.id,
            "unit": task.unit,
            "text": task.question.text,
            "expects": list(task.question.expects),
            "branches": [session.id for session in task.scenario.sessions],
            "evidence": [f"{session}:{seq + 1}" for session, seq in task.evidence],
            **scores,
            "tokens": tokens,
        }
        for task, scores, tokens in zip(loaded.tasks, found.scores, found.tokens, strict=True)
    ]
