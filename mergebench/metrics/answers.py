"""What a model answers from the printed context, where an answerer was asked: exact match and token F1."""

from __future__ import annotations

from collections.abc import Mapping
from statistics import fmean

from mergebench.answerer import exact, overlap
from mergebench.metric import Case, Column, Metric


def measure(case: Case) -> Mapping[str, float | None]:
    """Means over the questions that were answered."""
    pairs = [(case.answers[q.id], q.expects) for q in case.scenario.questions if q.id in case.answers]
    return {
        "answer_exact": fmean(exact(said, wanted) for said, wanted in pairs) if pairs else None,
        "answer_f1": fmean(overlap(said, wanted) for said, wanted in pairs) if pairs else None,
    }


METRIC = Metric((Column("answer_exact", "exact match"), Column("answer_f1", "token F1")), measure)
