"""Size: up to 64 branches and 10,000 topics. What an arm costs is measured beside what it keeps.

Names and values are composed. Every topic has a question of its own; a bridge question pairs each with the next one.
"""

from __future__ import annotations

import itertools
import random

from beliefmerge.errors import UsageError
from beliefmerge.session.model import Channel
from mergebench.scenario import Family, Kind, Question, Role, Topic
from mergebench.scenarios._draft import DECOYS, Draft, Line, Statement, generate, need
from mergebench.scenarios._names import TRAITS, Trait, subjects
from mergebench.scenarios.bridge import LADDER


class Values:
    """Draws values no two of which are alike."""

    def __init__(self, rng: random.Random) -> None:
        self._rng, self._taken = rng, set[str]()

    def draw(self, trait: Trait, count: int) -> tuple[str, ...]:
        """`count` values of `trait` that nothing else has."""
        found: list[str] = []
        while len(found) < count:
            value = trait.draw(self._rng)
            if value not in self._taken:
                self._taken.add(value)
                found.append(value)
        return tuple(found)


def _state(draft: Draft, branch: str, channel: Channel, topic: tuple[str, str, Trait], value: str) -> None:
    key, name, trait = topic
    rng = draft.stream("wording", key, value)
    text = rng.choice(trait.wordings).format(s=name, v=value)
    sentence = f"{text[0].upper()}{text[1:]}."
    draft.say(branch, Line(channel, Statement(key, value, sentence), sentence))


def fill(draft: Draft) -> None:
    """Conflicts, then singles dealt out over the branches in turn."""
    size = draft.size
    need(draft, size.conflicts + size.branches, f"conflicts={size.conflicts} with branches={size.branches}")
    every = [(name, trait) for name in subjects() for trait in TRAITS]
    if size.topics > len(every):
        raise UsageError(f"scenario.topics={size.topics} is more than the {len(every)} topics there are words for")
    rng = draft.stream("subjects")
    values = Values(draft.stream("values"))
    told: list[tuple[Topic, Trait]] = []
    for number, (name, trait) in enumerate(rng.sample(every, size.topics)):
        key = f"{name.removeprefix('the ')}.{trait.label}".replace(" ", "_").replace("-", "_")
        draft.names[key] = name
        topic = _told(draft, number, (key, name, trait), values.draw(trait, 2 + DECOYS))
        draft.topics.append(topic)
        told.append((topic, trait))
    _ask(draft, told)


def _told(draft: Draft, number: int, topic: tuple[str, str, Trait], values: tuple[str, ...]) -> Topic:
    """The first topics are conflicts, which evidence decides; the others are told once."""
    key, size = topic[0], draft.size
    rng = draft.stream("topic", key)
    if number >= size.conflicts:
        branch = draft.branches[(number - size.conflicts) % size.branches]
        _state(draft, branch, rng.choice((Channel.USER, Channel.TOOL, Channel.MODEL)), topic, values[0])
        return Topic(key, Role.SINGLE, values[:1], (), values[2:])
    weak, strong = sorted(rng.sample(range(len(LADDER)), 2))
    for branch, channel, value in zip(
        rng.sample(draft.branches, 2), (LADDER[strong], LADDER[weak]), values, strict=False
    ):
        _state(draft, branch, channel, topic, value)
    return Topic(key, Role.CONFLICT, values[:1], values[1:2], values[2:])


def _ask(draft: Draft, told: list[tuple[Topic, Trait]]) -> None:
    def put(kind: Kind, *asked: tuple[Topic, Trait]) -> None:
        text = ", and ".join(trait.asks.format(s=draft.names[topic.key]) for topic, trait in asked) + "?"
        keys = tuple(topic.key for topic, _ in asked)
        expects = tuple(value for topic, _ in asked for value in topic.holds)
        draft.questions.append(Question(f"{kind}:{'+'.join(keys)}", kind, text[0].upper() + text[1:], keys, expects))

    contested, singles = told[: draft.size.conflicts], told[draft.size.conflicts :]
    for each in singles:
        put(Kind.LOCAL, each)
    for one, other in itertools.pairwise(singles):
        put(Kind.BRIDGE, one, other)
    for each in contested:
        put(Kind.PROBE, each)


FAMILY = Family("2 to 64 branches, 10 to 10,000 topics", generate("scale", fill), costly=True)
