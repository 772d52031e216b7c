"""Kill criteria: what must be seen for a hypothesis to live, fixed in the configuration before the run.

A criterion is about a rate of one or several arms and holds when it holds for each of them. It is decided by the end of
the exact 95 % interval that is nearer to the threshold, so that too few trajectories fail it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from beliefmerge.errors import UsageError, unknown
from experiment import tables
from experiment.tables import Column, Row, named, percent
from mergebench.config import CriterionConfig
from mergebench.trajectory.columns import RATES
from mergebench.trajectory.registry import TRAJECTORY_ARMS

DIRECTIONS = ("at_most", "at_least")
FAILED, PASSED, NOT_RUN = "failed", "passed", "not run"


@dataclass(frozen=True)
class Verdict:
    """A criterion, one of its arms, that arm's figure, and what follows."""

    criterion: CriterionConfig
    arm: str
    row: Row | None

    @property
    def word(self) -> str:
        """``passed``, ``failed``, or ``not run`` where the arm has no figure."""
        if self.row is None or self.row.get(self.criterion.metric) is None:
            return NOT_RUN
        low, high = (self.row[f"{self.criterion.metric}_{end}"] for end in ("low", "high"))
        at_most = self.criterion.direction == "at_most"
        return PASSED if (high <= self.criterion.threshold if at_most else low >= self.criterion.threshold) else FAILED

    def to_row(self) -> dict[str, Any]:
        """One row of ``criteria.parquet``."""
        metric, row = self.criterion.metric, self.row or {}
        return {
            "hypothesis": self.criterion.hypothesis,
            "arm": self.arm,
            "metric": metric,
            "direction": self.criterion.direction,
            "threshold": float(self.criterion.threshold),
            "n": row.get("n"),
            "figure": row.get(metric),
            "figure_low": row.get(f"{metric}_low"),
            "figure_high": row.get(f"{metric}_high"),
            "verdict": self.word,
        }


def check(criteria: Iterable[CriterionConfig]) -> None:
    """Raise UsageError for the first criterion that names an unknown arm, rate or direction, or no arm at all."""
    for place, criterion in enumerate(criteria):
        where = f"scenario.criteria[{place}]"
        if not criterion.hypothesis or not criterion.arms:
            raise UsageError(f"{where}: a criterion needs a hypothesis and arms")
        for kind, name, known in (
            ("direction", criterion.direction, DIRECTIONS),
            ("metric", criterion.metric, RATES),
            *(("arm", arm, TRAJECTORY_ARMS.names()) for arm in criterion.arms),
        ):
            if name not in known:
                raise UsageError(f"{where}: {unknown(kind, name, known)}")
        if not 0 <= criterion.threshold <= 1:
            raise UsageError(f"{where}: threshold={criterion.threshold:g} is out of range: it must be 0 to 1")


def judged(criteria: Iterable[CriterionConfig], rows: Sequence[Row]) -> list[Verdict]:
    """A verdict for each criterion and each of its arms."""
    by_arm: Mapping[str, Row] = {row["arm"]: row for row in rows}
    return [Verdict(criterion, arm, by_arm.get(arm)) for criterion in criteria for arm in criterion.arms]


def report(verdicts: Sequence[Verdict]) -> list[str]:
    """The lines that follow the table."""
    if not verdicts:
        return []
    rows = [verdict.to_row() for verdict in verdicts]
    failed = sum(row["verdict"] == FAILED for row in rows)
    said = f"{failed} of {sum(row['verdict'] != NOT_RUN for row in rows)} failed"
    return ["", "Kill criteria", tables.screen(rows, _COLUMNS), said]


def _threshold(row: Row) -> str:
    return f"{'≤' if row['direction'] == 'at_most' else '≥'} {100 * row['threshold']:.0f}"


_COLUMNS = (
    named("verdict"),
    named("arm"),
    named("metric"),
    Column("threshold %", _threshold),
    percent("figure", "figure %"),
    named("hypothesis"),
)
