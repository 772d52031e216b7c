"""Every other branch is in Chinese. Topics are dealt out over both; a conflict has one side in each language.

Questions are in English, and values are written alike in both.
"""

from __future__ import annotations

from beliefmerge.session.model import Channel
from mergebench.scenario import Family, Role, Topic
from mergebench.scenarios import _chinese
from mergebench.scenarios._draft import Draft, Line, Statement, Subject, ask, draw_subjects, generate, need, state
from mergebench.scenarios._things import ATTRIBUTES
from mergebench.scenarios._wording import draw
from mergebench.scenarios.bridge import LADDER

SPOKEN = tuple(attribute for attribute in ATTRIBUTES if attribute.label in _chinese.WORDINGS)
"""Attributes that both languages have wordings for."""


def tell(draft: Draft, branch: str, subject: Subject, value: str, channel: Channel) -> None:
    """Have `branch` say a value in its language."""
    rng = draft.stream("tell", subject.key, branch)
    if branch in draft.talks:
        text = _chinese.say(rng, subject.attribute.label, subject.name, value, channel)
        draft.say(branch, Line(channel, Statement(subject.key, value, text), text))
    else:
        statement = state(subject, value, draw(rng, subject.attribute, subject.name, channel))
        draft.say(branch, draft.line(channel, statement, branch))


def deal(draft: Draft, subjects: list[Subject]) -> dict[str, str]:
    """Have each of `subjects` told once, dealt out over the branches in turn; returns key to branch."""
    told = {}
    for number, subject in enumerate(subjects):
        branch = draft.branches[number % len(draft.branches)]
        (channel,) = draft.stream("single", subject.key).choices((Channel.USER, Channel.TOOL, Channel.MODEL), (5, 3, 3))
        tell(draft, branch, subject, subject.values[0], channel)
        draft.topics.append(Topic(subject.key, Role.SINGLE, subject.values[:1], (), subject.decoys))
        told[subject.key] = branch
    return told


def oppose(draft: Draft, subject: Subject) -> None:
    """Have an English and a Chinese branch assert one value each at different evidence; the stronger one holds."""
    rng = draft.stream("conflict", subject.key)
    weak, strong = sorted(rng.sample(range(len(LADDER)), 2))
    branches = [rng.choice(draft.branches[::2]), rng.choice(draft.branches[1::2])]
    rng.shuffle(branches)
    for branch, channel, value in zip(branches, (LADDER[strong], LADDER[weak]), subject.values, strict=False):
        tell(draft, branch, subject, value, channel)
    draft.topics.append(Topic(subject.key, Role.CONFLICT, subject.values[:1], subject.values[1:2], subject.decoys))


def fill(draft: Draft) -> None:
    """Singles, conflicts across languages, questions."""
    size = draft.size
    need(draft, size.conflicts + size.branches, f"conflicts={size.conflicts} with branches={size.branches}")
    draft.talks = dict.fromkeys(draft.branches[1::2], _chinese.sentence)
    subjects = draw_subjects(draft, size.topics, attributes=SPOKEN)
    told = deal(draft, subjects[size.conflicts :])
    for subject in subjects[: size.conflicts]:
        oppose(draft, subject)
    ask(draft, told, subjects, bridges=size.topics)


FAMILY = Family("English and Chinese branches about the same topics", generate("languages", fill))
