"""Rows and tables of a run: one row an arm, one row a trajectory and arm."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from experiment import intervals
from mergebench.config import MergeBenchConfig
from mergebench.trajectory.columns import RATES
from mergebench.trajectory.measure import Case


def summary_row(config: MergeBenchConfig, arm: str, cases: Sequence[Case]) -> dict[str, Any]:
    """An arm's row of `runs.parquet`."""
    row: dict[str, Any] = {
        "arm": arm,
        "scenario": config.scenario.name,
        "budget": config.budget,
        "reader": config.reader,
        "retention": float(config.scenario.retention),
        "tokens_counter": config.tokens,
        "paraphrase": float(config.scenario.paraphrase),
        "n": len(cases),
        "chatter": config.scenario.chatter,
        "seed": config.seed,
    }
    for name in RATES:
        row |= _rate(name, [getattr(case, name) for case in cases])
    tokens = [case.tokens for case in cases]
    row["tokens"] = sum(tokens) / len(tokens) if tokens else None
    row["over_budget"] = sum(case.tokens > config.budget for case in cases)
    return row


def _rate(name: str, values: Sequence[bool | None]) -> dict[str, float | None]:
    """Share and Clopper–Pearson limits of the trajectories that have a value."""
    known = [value for value in values if value is not None]
    if not known:
        return {name: None, f"{name}_low": None, f"{name}_high": None}
    interval = intervals.clopper_pearson(sum(known), len(known))
    return {name: interval.mean, f"{name}_low": interval.low, f"{name}_high": interval.high}


def case_row(config: MergeBenchConfig, arm: str, case: Case) -> dict[str, Any]:
    """A row of `cases.parquet`."""
    return {
        "arm": arm,
        "scenario": config.scenario.name,
        "reader": config.reader,
        "retention": float(config.scenario.retention),
        "seed": case.trajectory.number,
        "question": case.trajectory.question,
        "planted": case.trajectory.planted,
        "expects": case.trajectory.right,
        "answer": case.answer,
        "twin_answer": case.twin_answer,
        **{name: getattr(case, name) for name in RATES},
        "tokens": case.tokens,
    }


def notes(config: MergeBenchConfig) -> list[str]:
    """What must be read with the table."""
    reader = (
        "strict, which believes what is presented as holding and abstains where nothing is"
        if config.reader == "strict"
        else "the model"
    )
    return [
        f"rates in % [exact 95 % interval] of independent trajectories; reader: {reader}; counted by {config.tokens}",
        "persistence: the planted value is answered; survival: the correction is in the working set; exposure: the "
        "planted value is; carried: a conclusion from the premise is presented as holding; kept: a claim that declared "
        "the premise and did not rest on it still is",
    ]
