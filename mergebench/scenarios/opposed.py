"""What contradicts in other ways than by two plain values, and what only looks as if it did.

In turn:

- *digit*: two values that differ in one digit;
- *denial*: one branch says a value, another on a stronger channel that it does not hold, and nothing in its place;
- *unit*: two quantities, one in a larger and one in a smaller unit;
- *same*: one quantity in two units: no conflict, either spelling will do;
- *word*: two numbers, one in words and one in figures.
"""

from __future__ import annotations

import random
from collections.abc import Callable

from beliefmerge.session.model import Channel
from mergebench.scenario import Family, Role, Topic
from mergebench.scenarios._draft import Draft, Statement, Subject, ask, draw_subjects, generate, need, state
from mergebench.scenarios._quantities import respelled
from mergebench.scenarios._things import ATTRIBUTES, Attribute
from mergebench.scenarios._wording import Wording, draw, shared
from mergebench.scenarios.bridge import LADDER, deal

_ALL = ("venue", "circle", "event", "device", "work")

MEASURES: tuple[Attribute, ...] = (
    Attribute("way", "km", "how far is it to {s}", (
        "it is {v} from here to {s}",
        "{s} lies {v} away",
        "you walk {v} to reach {s}",
        "the path to {s} measures {v}",
    ), ("venue", "event")),
    Attribute("weight", "kg", "how heavy is {s}", (
        "{s} weighs {v}",
        "the scales show {v} for {s}",
        "{v} is what {s} brings to the scales",
        "whoever lifts {s} lifts {v}",
    ), ("device", "work")),
    Attribute("preparation", "hours", "how long does it take to prepare {s}", (
        "it takes {v} to get {s} ready",
        "preparing {s} eats up {v}",
        "{v} go by before {s} is ready",
        "plan {v} for setting up {s}",
    ), ("venue", "device")),
    Attribute("waiting time", "weeks", "how long is the wait for {s}", (
        "the wait for {s} is {v}",
        "{v} pass between asking for {s} and getting it",
        "whoever wants {s} waits {v}",
        "we reckon with {v} of waiting for {s}",
    ), ("circle", "work")),
)  # fmt: skip
COUNTS: tuple[Attribute, ...] = (
    Attribute("number of chairs", "word", "how many chairs belong to {s}", (
        "{v} chairs belong to {s}",
        "{s} owns {v} chairs",
        "we counted {v} chairs for {s}",
        "the stock of {s} comes to {v} chairs",
    ), _ALL),
)  # fmt: skip
CLOSE = tuple(attribute for attribute in ATTRIBUTES if attribute.value in ("amount", "part", "clock"))
"""Attributes whose values end in a digit."""
DENIED = tuple(attribute for attribute in ATTRIBUTES if attribute.value in ("firm", "town", "typesetter", "house"))
_DENIALS = (
    "it is not true that {clause}",
    "nobody should believe that {clause}",
    "whoever wrote that {clause} was mistaken",
    "contrary to the rumour that {clause}, it is otherwise",
)


def _channels(rng: random.Random) -> tuple[Channel, Channel]:
    weak, strong = sorted(rng.sample(range(len(LADDER)), 2))
    return LADDER[strong], LADDER[weak]


def _tell(draft: Draft, subject: Subject, values: tuple[str, str], channels: tuple[Channel, Channel]) -> None:
    """Have two branches say one value each, in one wording or, as often as `paraphrase` says, in two."""
    rng = draft.stream("tell", subject.key)
    branches = rng.sample(draft.branches, 2)
    wordings = _wordings(draft, subject, rng, channels)
    for branch, channel, value, wording in zip(branches, channels, values, wordings, strict=True):
        draft.say(branch, draft.line(channel, state(subject, value, wording), branch))


def _wordings(
    draft: Draft, subject: Subject, rng: random.Random, channels: tuple[Channel, Channel]
) -> tuple[Wording, Wording]:
    first = shared(rng, subject.attribute, subject.name)
    if rng.random() >= draft.size.paraphrase:
        return first, first
    first = draw(rng, subject.attribute, subject.name, channels[0])
    return first, draw(rng, subject.attribute, subject.name, channels[1], unlike=first)


def _conflict(draft: Draft, subject: Subject, right: str, wrong: str) -> None:
    channels = _channels(draft.stream("channels", subject.key))
    _tell(draft, subject, (right, wrong), channels)
    draft.topics.append(Topic(subject.key, Role.CONFLICT, (right,), (wrong,), subject.decoys))


def digit(draft: Draft, subject: Subject) -> None:
    """Two values that differ in their last digit."""
    rng = draft.stream("digit", subject.key)
    right = subject.values[0]
    other = rng.choice([d for d in "123456789" if d != right[-1]])
    _conflict(draft, subject, right, right[:-1] + other)


def unit(draft: Draft, subject: Subject) -> None:
    """Two quantities in two units, or in words and in figures."""
    right, wrong = subject.values[:2]
    if draft.stream("unit", subject.key).random() < 0.5:
        _conflict(draft, subject, respelled(right), wrong)
    else:
        _conflict(draft, subject, right, respelled(wrong))


def same(draft: Draft, subject: Subject) -> None:
    """One quantity in two units."""
    spellings = (subject.values[0], respelled(subject.values[0]))
    channels = draft.stream("channels", subject.key).choice(
        ((Channel.USER, Channel.TOOL), (Channel.TOOL, Channel.USER))
    )
    _tell(draft, subject, spellings, channels)
    draft.topics.append(Topic(subject.key, Role.SAME, spellings, (), subject.decoys))


def denial(draft: Draft, subject: Subject) -> None:
    """One branch says a value, another on a stronger channel that it does not hold."""
    rng = draft.stream("denial", subject.key)
    strong, weak = _channels(rng)
    here, there = rng.sample(draft.branches, 2)
    wording = shared(rng, subject.attribute, subject.name)
    value = subject.values[0]
    draft.say(here, draft.line(weak, state(subject, value, wording), here))
    text = rng.choice(_DENIALS).format(clause=wording.clause.format(v=value))
    statement = Statement(subject.key, value, f"{text[0].upper()}{text[1:]}.", denied=True)
    draft.say(there, draft.line(strong, statement, there, "denied"))
    draft.topics.append(Topic(subject.key, Role.REFUTED, (), (value,), subject.decoys))


_TURNS: tuple[tuple[tuple[Attribute, ...], Callable[[Draft, Subject], None]], ...] = (
    (CLOSE, digit),
    (DENIED, denial),
    (MEASURES, unit),
    (MEASURES, same),
    (COUNTS, unit),
)
"""Of any two that follow each other, one at least is a conflict."""


def fill(draft: Draft) -> None:
    """Oppositions in turn, one a conflict, among singles told once."""
    size = draft.size
    need(draft, size.conflicts + size.branches, f"conflicts={size.conflicts} with branches={size.branches}")
    subjects = []
    for number in range(size.conflicts):
        attributes, oppose = _TURNS[(draft.seed + number) % len(_TURNS)]
        (subject,) = draw_subjects(draft, 1, 2, attributes, f"opposed {number}")
        oppose(draft, subject)
        subjects.append(subject)
    singles = draw_subjects(draft, size.topics - size.conflicts)
    told = deal(draft, singles)
    ask(draft, told, [*subjects, *singles], bridges=size.topics)


FAMILY = Family("negation, units, number words, values that differ in one digit", generate("opposed", fill))
