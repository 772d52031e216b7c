"""The base family: topics dealt out over branches, some asserted twice at different evidence, among chatter."""

from __future__ import annotations

import random

from beliefmerge.session.model import Channel
from mergebench.scenario import Family, Role, Topic
from mergebench.scenarios._draft import Draft, Subject, ask, draw_subjects, generate, need, state
from mergebench.scenarios._wording import draw, shared

LADDER = (Channel.REASONING, Channel.MODEL, Channel.TOOL, Channel.USER)
"""Channels by evidence, weakest first."""


def deal(draft: Draft, subjects: list[Subject]) -> dict[str, str]:
    """Have each of `subjects` told once, dealt out over the branches in turn; returns key to branch."""
    told = {}
    for number, subject in enumerate(subjects):
        branch = draft.branches[number % len(draft.branches)]
        rng = draft.stream("single", subject.key)
        (channel,) = rng.choices((Channel.USER, Channel.TOOL, Channel.MODEL), (5, 3, 3))
        statement = state(subject, subject.values[0], draw(rng, subject.attribute, subject.name, channel))
        draft.say(branch, draft.line(channel, statement, branch))
        draft.topics.append(Topic(subject.key, Role.SINGLE, subject.values[:1], (), subject.decoys))
        told[subject.key] = branch
    return told


def oppose(draft: Draft, subject: Subject) -> None:
    """Have `subject` asserted with two values in two branches at different evidence; the stronger one holds."""
    rng = draft.stream("conflict", subject.key)
    weak, strong = sorted(rng.sample(range(len(LADDER)), 2))
    tell_twice(draft, subject, rng, (LADDER[strong], LADDER[weak]))
    draft.topics.append(Topic(subject.key, Role.CONFLICT, subject.values[:1], subject.values[1:2], subject.decoys))


def tell_twice(draft: Draft, subject: Subject, rng: random.Random, channels: tuple[Channel, Channel]) -> None:
    """Have two branches tell one value each, in one wording or, as often as `paraphrase` says, in two."""
    branches = rng.sample(draft.branches, 2)
    first = shared(rng, subject.attribute, subject.name)
    second = first
    if rng.random() < draft.size.paraphrase:
        first = draw(rng, subject.attribute, subject.name, channels[0])
        second = draw(rng, subject.attribute, subject.name, channels[1], unlike=first)
    for branch, channel, value, wording in zip(branches, channels, subject.values, (first, second), strict=False):
        draft.say(branch, draft.line(channel, state(subject, value, wording), branch))


def fill(draft: Draft) -> None:
    """Singles, then conflicts, then questions."""
    size = draft.size
    need(draft, size.conflicts + size.branches, f"conflicts={size.conflicts} with branches={size.branches}")
    subjects = draw_subjects(draft, size.topics)
    told = deal(draft, subjects[size.conflicts :])
    for subject in subjects[: size.conflicts]:
        oppose(draft, subject)
    ask(draft, told, subjects, bridges=size.topics)


FAMILY = Family(
    "topics dealt out over branches, some asserted twice at different evidence, among chatter", generate("bridge", fill)
)
