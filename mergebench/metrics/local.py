"""Local questions: the share all of whose expected values are shown. They keep a single branch from being zero."""

from __future__ import annotations

from mergebench.match import shows
from mergebench.metric import Case, Column, Metric
from mergebench.scenario import Kind, Question


def answered(case: Case, question: Question) -> bool:
    """Whether the context printed for `question` shows every value its answer needs."""
    text = case.reading(question).text
    return all(shows(text, value) for value in question.expects)


def share(case: Case, kind: Kind) -> float | None:
    """The share of questions of one kind that are answered; None when there are none."""
    questions = case.asked(kind)
    return sum(answered(case, question) for question in questions) / len(questions) if questions else None


METRIC = Metric((Column("local", "local"),), lambda case: {"local": share(case, Kind.LOCAL)})
