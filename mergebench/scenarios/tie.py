"""Genuine ties: two branches, one kind of speaker, two values. The right answer is a dispute that shows both sides.

As many topics are decided by evidence, so that calling everything disputed is no answer either.
"""

from __future__ import annotations

from beliefmerge.session.model import Channel
from mergebench.scenario import Family, Role, Topic
from mergebench.scenarios._draft import Draft, Subject, ask, draw_subjects, generate, need
from mergebench.scenarios.bridge import deal, oppose, tell_twice


def tie(draft: Draft, subject: Subject) -> None:
    """Have `subject` asserted with two values in two branches at equal evidence."""
    rng = draft.stream("tie", subject.key)
    channel = rng.choice((Channel.USER, Channel.TOOL, Channel.MODEL))
    tell_twice(draft, subject, rng, (channel, channel))
    draft.topics.append(Topic(subject.key, Role.TIE, subject.values[:2], (), subject.decoys))


def fill(draft: Draft) -> None:
    """As many ties as conflicts that evidence decides, among singles."""
    size = draft.size
    need(
        draft,
        2 * size.conflicts + size.branches,
        f"conflicts={size.conflicts} ties, as many decided, with branches={size.branches}",
    )
    subjects = draw_subjects(draft, size.topics)
    told = deal(draft, subjects[2 * size.conflicts :])
    for subject in subjects[: size.conflicts]:
        tie(draft, subject)
    for subject in subjects[size.conflicts : 2 * size.conflicts]:
        oppose(draft, subject)
    ask(draft, told, subjects, bridges=size.topics)


FAMILY = Family("genuine ties: the right answer is disputed, with both sides", generate("tie", fill))
