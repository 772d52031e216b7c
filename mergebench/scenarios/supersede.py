"""The same person changes a value over time: within a branch, and in one that carries on from a shared beginning."""

from __future__ import annotations

import itertools
import random

from beliefmerge.session.model import Channel
from mergebench.scenario import Family, Role, Topic
from mergebench.scenarios._draft import Draft, Line, Statement, Subject, ask, draw_subjects, generate, need, state
from mergebench.scenarios._wording import Wording, draw, shared
from mergebench.scenarios.bridge import deal

_CHANGES = (
    "{clause}, not {old} any more",
    "change of plan, {clause} instead of {old}",
    "scrap {old}, {clause}",
    "{clause} from today, {old} is history",
)
"""Ways to give a new value that name the old one."""


def change_line(
    draft: Draft, subject: Subject, wording: Wording, channel: Channel, old: str, new: str, where: str
) -> Line:
    """A message that replaces `old` by `new`; half of them name `old`."""
    rng = draft.stream("change", subject.key, new)
    if rng.random() < 0.5:
        return draft.line(channel, state(subject, new, wording), where)
    text = rng.choice(_CHANGES).format(clause=wording.clause.format(v=new), old=old)
    return draft.line(channel, Statement(subject.key, new, f"{text[0].upper()}{text[1:]}.", mentions=(old,)), where)


def wordings(draft: Draft, subject: Subject, rng: random.Random, channel: Channel) -> tuple[Wording, Wording]:
    """Wordings for the earlier and the later telling: one, or as often as `paraphrase` says two."""
    first = shared(rng, subject.attribute, subject.name)
    if rng.random() >= draft.size.paraphrase:
        return first, first
    first = draw(rng, subject.attribute, subject.name, channel)
    return first, draw(rng, subject.attribute, subject.name, channel, unlike=first)


def change_within(draft: Draft, subject: Subject) -> None:
    """One branch says a first value, later a second, and in half the cases a third."""
    rng = draft.stream("within", subject.key)
    branch, channel = rng.choice(draft.branches), rng.choice((Channel.USER, Channel.USER, Channel.MODEL))
    first, later = wordings(draft, subject, rng, channel)
    values = subject.values[: rng.choice((2, 3))]
    lines = [draft.line(channel, state(subject, values[0], first), branch)]
    for old, new in itertools.pairwise(values):
        lines.append(change_line(draft, subject, later, channel, old, new, branch))
    draft.say(branch, *lines)
    draft.topics.append(Topic(subject.key, Role.CHANGE, values[-1:], values[:-1], subject.decoys))


def change_across(draft: Draft, subject: Subject) -> None:
    """The shared beginning says a first value; one of the branches that carry on says a second."""
    rng = draft.stream("across", subject.key)
    branch, channel = rng.choice(draft.branches), rng.choice((Channel.USER, Channel.USER, Channel.MODEL))
    first, later = wordings(draft, subject, rng, channel)
    old, new = subject.values[:2]
    draft.trunk.append([draft.line(channel, state(subject, old, first), "trunk")])
    draft.say(branch, change_line(draft, subject, later, channel, old, new, branch))
    draft.topics.append(Topic(subject.key, Role.CHANGE, (new,), (old,), subject.decoys))


def fill(draft: Draft) -> None:
    """Changes, in turn within a branch and across the fork, among singles told once."""
    size = draft.size
    need(draft, size.conflicts + size.branches, f"conflicts={size.conflicts} with branches={size.branches}")
    draft.trunk_chatter = size.chatter // 3
    subjects = draw_subjects(draft, size.topics, asserted=3)
    told = deal(draft, subjects[size.conflicts :])
    for number, subject in enumerate(subjects[: size.conflicts]):
        (change_across if number % 2 else change_within)(draft, subject)
    ask(draft, told, subjects, bridges=size.topics)


FAMILY = Family("the same person changes a value over time, within and across branches", generate("supersede", fill))
