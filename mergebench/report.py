"""Rows and tables of a run: one row an arm, one row a question and arm."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from experiment import intervals, tables
from experiment.tables import Column as Shown
from mergebench import track_report
from mergebench.answerer import exact, overlap
from mergebench.arm import Arm
from mergebench.config import MergeBenchConfig
from mergebench.match import shown
from mergebench.metric import Case, Column, Metric
from mergebench.registries import METRICS
from mergebench.scenario import Kind, Question
from mergebench.trajectory import columns as trajectory
from mergebench.trajectory.registry import TRAJECTORY

_FIRST = ("local", "bridge", "best_single", "gain", "unambiguous", "both", "invented", "traced", "tokens")


LAWS_TABLE = (
    tables.named("arm"),
    tables.number("n"),
    tables.percent("law_permutation", "any order"),
    tables.percent("law_repetition", "a branch twice"),
    tables.percent("law_regrouping", "cut and joined"),
    tables.percent("preserved", "prefix kept"),
)
"""What ``reruns=true`` adds: the share of scenarios on which an arm says the same of branches handed in otherwise."""


def ordered(metrics: Iterable[Metric]) -> list[Column]:
    """The columns of `metrics`, those of the main table first."""
    found = [column for metric in metrics for column in metric.columns]
    return sorted(found, key=lambda c: (_FIRST.index(c.name) if c.name in _FIRST else len(_FIRST), c.name))


def summary_row(
    config: MergeBenchConfig,
    arm: str,
    cases: Sequence[Case],
    values: Mapping[str, Sequence[float | None]],
    metrics: Iterable[Column],
) -> dict[str, Any]:
    """An arm's row of `runs.parquet`: settings, sizes, each column's mean and limits over scenarios."""
    row: dict[str, Any] = {
        "arm": arm,
        "scenario": config.scenario.name,
        "budget": config.budget,
        "score": config.score,
        "tokens_counter": config.tokens,
        "paraphrase": float(config.scenario.paraphrase),
        "n": len(cases),
        "n_local": sum(len(case.asked(Kind.LOCAL)) for case in cases),
        "n_bridge": sum(len(case.asked(Kind.BRIDGE)) for case in cases),
        "topics": config.scenario.topics,
        "conflicts": config.scenario.conflicts,
        "chatter": config.scenario.chatter,
        "branches": config.scenario.branches,
        "seed": config.seed,
    }
    for column in metrics:
        row |= _summary(column, values[column.name])
    return row


def _summary(column: Column, values: Sequence[float | None]) -> dict[str, float | None]:
    """Mean (or total) of the scenarios that have a value, and Student's limits around the mean, within its range."""
    known = [value for value in values if value is not None]
    name = column.name
    if column.total:
        return {name: sum(known)}
    if not column.interval:
        return {name: sum(known) / len(known) if known else None}
    if not known:
        return {name: None, f"{name}_low": None, f"{name}_high": None}
    interval = intervals.t(known).clipped(-1.0 if column.signed else 0.0, 1.0 if column.rate else float("inf"))
    return {name: interval.mean, f"{name}_low": interval.low, f"{name}_high": interval.high}


def columns(family: str | None = None) -> list[Shown]:
    """The table on screen: settings, then metrics with a title; `unambiguous` always stands beside `bridge`.

    Without a family, of everything: of a table, the columns that nothing fills are left out.
    """
    chosen = [tables.named("arm"), tables.named("scenario"), tables.number("budget"), tables.named("score")]
    chosen += [] if family else [*track_report.settings(), *trajectory.settings()]
    chosen += [_few(), *([] if family else [*track_report.rates(), *trajectory.rates()])]
    for column in ordered(METRICS[name] for name in METRICS):
        if not column.title or (column.families and family is not None and family not in column.families):
            continue
        if column.rate:
            shown_as = tables.percent(column.name, column.title, signed=column.signed)
        else:
            whole = column.total or column.name == "tokens"
            shown_as = tables.number(column.name, column.title, digits=0 if whole else 1)
        chosen.append(_where(column, shown_as) if column.families else shown_as)
    return chosen


def _where(column: Column, shown_as: Shown) -> Shown:
    """`shown_as` in rows of the families that `column` is shown for, and nothing in others."""

    def cell(row: tables.Row) -> str:
        return shown_as.cell(row) if row.get("scenario") in column.families else tables.MISSING

    return Shown(shown_as.title, cell, shown_as.left)


def _few() -> Shown:
    """The number of scenarios, marked where it is few for an interval; intervals of trajectories are exact."""

    def cell(row: tables.Row) -> str:
        if row.get("n") is None:
            return tables.MISSING
        exact = row.get("scenario") == TRAJECTORY
        units = row.get("units") or row["n"]
        return f"{row['n']}{'†' if units < intervals.FEW and not exact else ''}"

    return Shown("n", cell)


def notes(config: MergeBenchConfig, arms: Mapping[str, Arm]) -> list[str]:
    """What must be read with the table."""
    said = [
        f"rates in % [95 % interval, Student's t over {config.scenario.seeds} scenarios]; counted by {config.tokens}"
    ]
    if config.scenario.seeds < intervals.FEW:
        said[0] += f"; † fewer than {intervals.FEW} scenarios"
    seeing = [name for name, arm in arms.items() if arm.sees_question]
    knowing = [name for name, arm in arms.items() if arm.sees_truth]
    if seeing:
        said.append(f"sees the question, and has the budget to itself for each: {', '.join(seeing)}")
    if knowing:
        said.append(f"uses the truth (a ceiling, not a system): {', '.join(knowing)}")
    return said


def case_rows(arm: str, cases: Sequence[Case]) -> list[dict[str, Any]]:
    """One row a question: what was expected, what was shown, and for contested topics what was presented."""
    return [_case_row(arm, case, question) for case in cases for question in case.scenario.questions]


def _case_row(arm: str, case: Case, question: Question) -> dict[str, Any]:
    reading, scenario = case.reading(question), case.scenario
    found = shown(reading.text, question.expects)
    row = {
        "arm": arm,
        "scenario": scenario.family,
        "seed": scenario.seed,
        "question": question.id,
        "kind": str(question.kind),
        "text": question.text,
        "expects": list(question.expects),
        "found": found,
        "answered": bool(question.expects) and len(found) == len(question.expects),
        "tokens": case.tokens(reading),
        "role": None,
        "right_presented": None,
        "wrong_presented": None,
    }
    if question.id in case.answers:
        said = case.answers[question.id]
        row |= {"answer": said, "exact": exact(said, question.expects), "f1": overlap(said, question.expects)}
    if question.kind is Kind.PROBE:
        topic = scenario.by_key[question.keys[0]]
        row["role"] = str(topic.role)
        row["right_presented"] = [value for value in topic.holds if case.presents(topic.key, value)]
        row["wrong_presented"] = [value for value in topic.fails if case.presents(topic.key, value)]
    return row
