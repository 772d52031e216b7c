"""Several values that all hold, told in two branches: neither replaces the other, and nothing is in conflict.

In turn:

- *many*: a question that has several answers at once;
- *condition*: one value under one condition, another under another;
- *namesake*: two things of one name, told apart by where they are.

As many topics are decided by evidence, so that calling everything compatible is no answer either.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from beliefmerge.session.model import Channel
from mergebench.scenario import Family, Kind, Role, Topic
from mergebench.scenarios._draft import Draft, Subject, ask, draw_subjects, generate, need, question, state
from mergebench.scenarios._things import ATTRIBUTES, Attribute
from mergebench.scenarios._wording import Wording, clause_of, draw
from mergebench.scenarios.bridge import deal, oppose

_ALL = ("venue", "circle", "event", "device", "work")

MANY: tuple[Attribute, ...] = (
    Attribute("supplier", "firm", "which firms supply {s}", (
        "{v} is one of the firms that supply {s}",
        "{s} is among the customers of {v}",
        "part of what {s} needs comes from {v}",
        "we also order for {s} from {v}",
    ), _ALL),
    Attribute("helper", "person", "who lends a hand with {s}", (
        "{v} lends a hand with {s}",
        "{v} is one of those who look after {s}",
        "one of the helpers of {s} is {v}",
        "you will meet {v} among the volunteers of {s}",
    ), _ALL),
    Attribute("stop", "town", "which towns does {s} call at", (
        "{s} calls at {v}",
        "{v} is among the stops of {s}",
        "one leg of {s} leads through {v}",
    ), ("event",)),
    Attribute("copy", "house", "where are copies of {s}", (
        "a copy of {s} lies in the {v}",
        "the {v} has a copy of {s}",
        "one copy of {s} went to the {v}",
    ), ("work",)),
)  # fmt: skip
"""What can be said of a subject with several values at once."""
CONDITIONAL = tuple(a for a in ATTRIBUTES if a.label in ("opening time", "set point", "contact person", "key holder"))
_CONDITIONS = (
    ("in the dark months", "in the bright months"),
    ("on working days", "at weekends"),
    ("in wet weather", "in dry weather"),
    ("while school is on", "during the holidays"),
)
_PLACES = ("behind the school", "by the water", "next to the bakery", "up the hill", "across the bridge")


def _tell(draft: Draft, subject: Subject, wordings: tuple[Wording, Wording], *, multi: bool, names: list[str]) -> None:
    """Have two branches tell one of two values each, on channels of their own; `names` set the two apart."""
    rng = draft.stream("compatible", subject.key)
    branches = rng.sample(draft.branches, 2)
    for number, (branch, wording) in enumerate(zip(branches, wordings, strict=True)):
        statement = state(subject, subject.values[number], wording)
        statement = replace(statement, multi=multi, qualifier=names[number] if names else "")
        channel = rng.choice((Channel.USER, Channel.TOOL, Channel.MODEL))
        draft.say(branch, draft.line(channel, statement, branch))
    draft.topics.append(Topic(subject.key, Role.COMPATIBLE, subject.values[:2], (), subject.decoys))


def many(draft: Draft, subject: Subject) -> str:
    """A question with two answers; returns it."""
    rng = draft.stream("many", subject.key)
    first = draw(rng, subject.attribute, subject.name, Channel.INJECTED)
    second = first
    if rng.random() < draft.size.paraphrase:
        second = draw(rng, subject.attribute, subject.name, Channel.INJECTED, unlike=first)
    _tell(draft, subject, (first, second), multi=True, names=[])
    return subject.asks


def condition(draft: Draft, subject: Subject) -> str:
    """One value under each of two conditions; returns the question."""
    rng = draft.stream("condition", subject.key)
    names = list(rng.choice(_CONDITIONS))
    clause = clause_of(subject.attribute, rng.choice(subject.attribute.wordings), subject.name)
    first, second = (Wording("", f"{name}, {clause}") for name in names)
    _tell(draft, subject, (first, second), multi=False, names=names)
    return f"{subject.asks}, and when is that otherwise"


def namesake(draft: Draft, subject: Subject) -> str:
    """One value of each of two things of one name; returns the question."""
    rng = draft.stream("namesake", subject.key)
    names = rng.sample(_PLACES, 2)
    wording = rng.choice(subject.attribute.wordings)
    first, second = (Wording("", clause_of(subject.attribute, wording, f"{subject.name} {name}")) for name in names)
    _tell(draft, subject, (first, second), multi=False, names=names)
    one, other = (subject.attribute.asks.format(s=f"{subject.name} {name}") for name in names)
    return f"{one}, and {other}"


_TURNS: tuple[tuple[tuple[Attribute, ...], Callable[[Draft, Subject], str]], ...] = (
    (MANY, many),
    (CONDITIONAL, condition),
    (tuple(a for a in ATTRIBUTES if "venue" in a.subjects or "device" in a.subjects), namesake),
)


def fill(draft: Draft) -> None:
    """Compatible topics in turn, as many conflicts that evidence decides, singles."""
    size = draft.size
    need(
        draft,
        2 * size.conflicts + size.branches,
        f"conflicts={size.conflicts} compatible, as many decided, with branches={size.branches}",
    )
    agreeing = []
    for number in range(size.conflicts):
        attributes, tell = _TURNS[(draft.seed + number) % len(_TURNS)]
        (subject,) = draw_subjects(draft, 1, 2, attributes, f"compatible {number}")
        asked = tell(draft, subject)
        draft.questions.append(question(Kind.BRIDGE, subject.key, asked, subject.values[:2]))
        agreeing.append(subject)
    subjects = draw_subjects(draft, size.topics - size.conflicts)
    for subject in subjects[: size.conflicts]:
        oppose(draft, subject)
    told = deal(draft, subjects[size.conflicts :])
    ask(draft, told, [*agreeing, *subjects], bridges=size.topics)


FAMILY = Family("several values that all hold: at once, under conditions, of namesakes", generate("compatible", fill))
