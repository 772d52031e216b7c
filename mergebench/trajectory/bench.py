"""The experiment itself: trajectories are lived, arms say what is left of them, a reader answers."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import msgspec

from beliefmerge.errors import UsageError, unknown
from beliefmerge.ledger.transcript import Step, twin
from beliefmerge.llm.protocol import Cause, LanguageModel, ModelError
from beliefmerge.tokens import counter
from experiment.progress import Bar
from experiment.results import recordings
from experiment.run import Result
from experiment.tables import Row
from mergebench.config import PANEL, LlmConfig, MergeBenchConfig
from mergebench.model import opened
from mergebench.options import options_of
from mergebench.trajectory import criteria, figures
from mergebench.trajectory.arm import Arm, Request, WorkingSet
from mergebench.trajectory.columns import columns
from mergebench.trajectory.measure import Case, asked, carriers
from mergebench.trajectory.reader import MAX_TOKENS, UNKNOWN, Forgiving, Strict
from mergebench.trajectory.registry import TRAJECTORY, TRAJECTORY_ARMS
from mergebench.trajectory.report import case_row, notes, summary_row
from mergebench.trajectory.trajectory import Trajectory, generate
from mergebench.trajectory.world import Ledgers, ledgers

FAILED_CRITERION = 4
"""What ``strict=true`` ends with when a kill criterion has failed."""
_ORDER = ("flat", "flat_scripted", "flat_measured", "flat_retention", "ledger_v1", "ledger_v2")


@dataclass
class Found:
    """One arm so far: its cases, the steps of its answers and of their twins, and how many are not on record."""

    cases: list[Case] = field(default_factory=list)
    steps: list[Step] = field(default_factory=list)
    twins: list[Step] = field(default_factory=list)
    missing: int = 0


def run(config: MergeBenchConfig) -> Result:
    """Measure the arm, or the panel, on every trajectory. Raises UsageError and ModelError."""
    criteria.check(config.scenario.criteria)
    arms = _arms(config)
    found = {name: Found() for name in arms}
    given = config.scenario
    trajectories = [
        generate(config.seed + number, fillers=given.chatter, paraphrase=given.paraphrase)
        for number in range(given.seeds)
    ]
    with contextlib.ExitStack() as stack:
        model = stack.enter_context(opened(_llm(config), needed=_asks(config, arms)))
        ledger = stack.enter_context(ledgers())
        bar = stack.enter_context(Bar(len(trajectories) * len(arms), "case"))
        requests = _requests(config, arms, ledger, model)
        claims: list[Step] = []
        for trajectory in trajectories:
            for name in arms:
                _measure(config, name, requests[name], trajectory, model, found[name])
                bar.step()
            claims += ledger.claims(trajectory)
        said = [model.note] if model and model.facts["calls"] else []
        facts: dict[str, Any] = {"model": model.facts} if model else {}
    return _result(config, found, claims, said, facts)


def _result(
    config: MergeBenchConfig, found: Mapping[str, Found], claims: list[Step], said: list[str], facts: dict[str, Any]
) -> Result:
    for name, one in found.items():
        if one.missing and not one.cases and config.arm.name == name:
            raise UsageError(f"arm {name!r}: no summary of these trajectories is on record: add llm=local")
        if one.missing:
            said.append(
                f"{name}: {one.missing} of {one.missing + len(one.cases)} summaries are not on record, left out"
            )
    rows = [summary_row(config, name, one.cases) for name, one in found.items() if one.cases]
    verdicts = criteria.judged(config.scenario.criteria, rows)
    failed = any(verdict.word == criteria.FAILED for verdict in verdicts)
    files = {f"steps-{name}.jsonl": one.steps for name, one in found.items() if one.steps}
    files |= {f"twins-{name}.jsonl": one.twins for name, one in found.items() if one.twins}
    files |= {"claims.jsonl": claims} if claims else {}
    tables: dict[str, list[Row]] = {
        "cases": [case_row(config, name, case) for name, one in found.items() for case in one.cases]
    }
    if verdicts:
        tables["criteria"] = [verdict.to_row() for verdict in verdicts]
    return Result(
        rows=rows,
        columns=columns(),
        notes=[*notes(config), *said, *criteria.report(verdicts)],
        tables=tables,
        facts=facts,
        files={**{name: _lines(steps) for name, steps in files.items()}, **figures.by_arm(rows)},
        exit_code=FAILED_CRITERION if config.strict and failed else 0,
    )


def _measure(
    config: MergeBenchConfig,
    name: str,
    request: Request,
    trajectory: Trajectory,
    model: LanguageModel | None,
    found: Found,
) -> None:
    """Have one arm print for one trajectory, and the reader answer, with the premise and without."""
    try:
        shown = TRAJECTORY_ARMS[name].work(trajectory, request)
    except ModelError as error:
        if error.cause is not Cause.REPLAY_MISS or config.llm.name != "none":
            raise
        found.missing += 1
        return
    reader = Forgiving(model) if config.reader == "model" and model else Strict(trajectory.values)
    step = asked(trajectory, shown, reader, name)
    twins, answer = _without_premise(trajectory, shown, step, reader)
    passed = request.ledgers.passed(trajectory) if name.startswith("ledger") else None
    found.steps += [step] if step.entries else []
    found.twins += twins
    found.cases.append(Case(trajectory, shown, step.response, request.count(shown.text), passed, answer))


def _without_premise(
    trajectory: Trajectory, shown: WorkingSet, step: Step, reader: LanguageModel
) -> tuple[list[Step], str]:
    """The twin of `step`, and what is answered then. One that shows nothing is asked and not stored: of a step without
    entries attribution has nothing to ask.
    """
    gone = carriers(trajectory, shown)
    if len(gone) == len(shown.entries):
        bare = replace(shown, entries=())
        return [], asked(trajectory, bare, reader, step.step_id).response if gone else step.response
    other = step
    for carrier in gone:
        (other,) = twin([other], reader, without=carrier, max_tokens=MAX_TOKENS)
    answer = other.response.strip() or UNKNOWN
    return [msgspec.structs.replace(other, response=answer)], answer


def _requests(
    config: MergeBenchConfig, arms: Mapping[str, Arm], ledger: Ledgers, model: LanguageModel | None
) -> dict[str, Request]:
    return {
        name: Request(
            ledgers=ledger,
            budget=config.budget,
            count=counter(config.tokens),
            tokens=config.tokens,
            retention=config.scenario.retention,
            options=options_of(name, arm.options, config),
            model=Forgiving(model) if model and arm.asks_model else None,
        )
        for name, arm in arms.items()
    }


def _arms(config: MergeBenchConfig) -> dict[str, Arm]:
    """The arm asked for, or all of them. Raises UsageError."""
    names = sorted(TRAJECTORY_ARMS.names(), key=_order)
    if config.arm.name == PANEL:
        return {name: TRAJECTORY_ARMS[name] for name in names}
    if config.arm.name not in names:
        raise unknown(f"arm of scenario={TRAJECTORY}", config.arm.name, names)
    return {config.arm.name: TRAJECTORY_ARMS[config.arm.name]}


def _order(name: str) -> tuple[int, str]:
    return (_ORDER.index(name) if name in _ORDER else len(_ORDER), name)


def _asks(config: MergeBenchConfig, arms: Mapping[str, Arm]) -> bool:
    return config.reader == "model" or any(arm.asks_model for arm in arms.values())


def _llm(config: MergeBenchConfig) -> LlmConfig:
    """The model configured; for summaries alone, where none is, the published record of the local one."""
    if config.llm.name == "none" and config.reader == "strict":
        return LlmConfig("local", cache="replay", cache_dir=config.llm.cache_dir or recordings(TRAJECTORY))
    if config.llm.cache == "replay" and not config.llm.cache_dir:
        return replace(config.llm, cache_dir=recordings(TRAJECTORY))
    return config.llm


def _lines(steps: Sequence[Step]) -> Callable[[], bytes]:
    return lambda: b"".join(msgspec.json.encode(step) + b"\n" for step in steps)
