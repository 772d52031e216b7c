"""Detection of conflicts: how many of the sets of values an arm marks are conflicts, and how many conflicts it marks.

An arm that marks nothing detects nothing: its recall is 0 and its precision is undefined.
"""

from __future__ import annotations

from mergebench.metric import Case, Column, Metric
from mergebench.metrics._marked import concerns, contested, marked


def measure(case: Case) -> dict[str, float | None]:
    """Precision, recall and their harmonic mean."""
    topics, marks = contested(case), marked(case)
    if not topics:
        return {"detection_precision": None, "detection_recall": None, "detection_f1": None}
    found = sum(any(concerns(values, topic) for values in marks) for topic in topics)
    true = sum(any(concerns(values, topic) for topic in topics) for values in marks)
    precision = true / len(marks) if marks else None
    recall = found / len(topics)
    f1 = 0.0 if not precision or not recall else 2 * precision * recall / (precision + recall)
    return {"detection_precision": precision, "detection_recall": recall, "detection_f1": f1}


METRIC = Metric(
    (Column("detection_precision"), Column("detection_recall"), Column("detection_f1", "conflict F1")), measure
)
