"""Sound answers: the share of questions all of whose values are shown while no wrong one is.

Wrong are values of the question's topics that no branch asserts, and those that some branch asserts and that are
presented as holding though they do not. To print every value there is answers every question and none soundly.
"""

from __future__ import annotations

from mergebench.match import shows
from mergebench.metric import Case, Column, Metric
from mergebench.metrics.local import answered
from mergebench.scenario import Question


def measure(case: Case) -> dict[str, float | None]:
    """The share of the questions that have an answer; None when there are none."""
    questions = [question for question in case.scenario.questions if question.expects]
    if not questions:
        return {"sound": None}
    return {"sound": sum(sound(case, question) for question in questions) / len(questions)}


def sound(case: Case, question: Question) -> bool:
    """Whether the context printed for `question` answers it and misleads about none of its topics."""
    if not answered(case, question):
        return False
    text = case.reading(question).text
    topics = [case.scenario.by_key[key] for key in question.keys]
    if any(shows(text, decoy) for topic in topics for decoy in topic.decoys):
        return False
    return not any(case.presents(topic.key, value) for topic in topics for value in topic.fails)


METRIC = Metric((Column("sound"),), measure)
