"""Branches share a trunk: what they copied counts once, what was said after the fork replaces what the trunk said."""

from __future__ import annotations

from beliefmerge.session.model import Channel
from mergebench.scenario import Family, Role, Topic
from mergebench.scenarios._draft import Draft, Subject, ask, draw_subjects, generate, need, state
from mergebench.scenarios._wording import draw
from mergebench.scenarios.bridge import deal
from mergebench.scenarios.supersede import change_across, wordings

TRUNK_TOPICS = 2
"""Topics told once, before the fork: every branch holds a copy."""


def outweigh(draft: Draft, subject: Subject) -> None:
    """The trunk holds a value, one branch says another on the next stronger channel.

    Counted once, the branch is right; counted once a copy, the trunk ties with it or beats it.
    """
    rng = draft.stream("outweigh", subject.key)
    weak, strong = rng.choice(((Channel.MODEL, Channel.TOOL), (Channel.TOOL, Channel.USER)))
    first, later = wordings(draft, subject, rng, weak)
    right, wrong = subject.values[:2]
    branch = rng.choice(draft.branches)
    draft.trunk.append([draft.line(weak, state(subject, wrong, first), "trunk")])
    draft.say(branch, draft.line(strong, state(subject, right, later), branch))
    draft.topics.append(Topic(subject.key, Role.CONFLICT, (right,), (wrong,), subject.decoys))


def tell_in_trunk(draft: Draft, subject: Subject) -> None:
    """Have the trunk tell `subject` once."""
    rng = draft.stream("trunk", subject.key)
    channel = rng.choice((Channel.USER, Channel.TOOL, Channel.MODEL))
    wording = draw(rng, subject.attribute, subject.name, channel)
    draft.trunk.append([draft.line(channel, state(subject, subject.values[0], wording), "trunk")])
    draft.topics.append(Topic(subject.key, Role.SINGLE, subject.values[:1], (), subject.decoys))


def fill(draft: Draft) -> None:
    """Conflicts, in turn decided by evidence and by a change after the fork; singles before and after the fork."""
    size = draft.size
    need(
        draft,
        size.conflicts + TRUNK_TOPICS + size.branches,
        f"conflicts={size.conflicts} with branches={size.branches} and a trunk",
    )
    draft.trunk_chatter = size.chatter // 3
    subjects = draw_subjects(draft, size.topics, asserted=3)
    contested, rest = subjects[: size.conflicts], subjects[size.conflicts :]
    for subject in rest[:TRUNK_TOPICS]:
        tell_in_trunk(draft, subject)
    told = deal(draft, rest[TRUNK_TOPICS:])
    for number, subject in enumerate(contested):
        (change_across if number % 2 else outweigh)(draft, subject)
    ask(draft, told, subjects, bridges=size.topics, shared=[subject.key for subject in rest[:TRUNK_TOPICS]])


FAMILY = Family("branches share a trunk: copies count once, a change after the fork wins", generate("fork", fill))
