"""Trajectories: what an agent was told and concluded, in order, up to a compaction and a question.

A trajectory is a function of its number and its settings; two runs give the same bytes.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from enum import StrEnum

from beliefmerge.session.model import Channel
from experiment.seeds import seed_of, stream
from mergebench.scenarios._chatter import chatter
from mergebench.trajectory import facts
from mergebench.trajectory.facts import Attribute, sentence

DECOYS = 4


class Part(StrEnum):
    """What an event is to the experiment."""

    PREMISE = "premise"
    """What a source says that is wrong."""
    DERIVED = "derived"
    """Concluded from the premise, or from such a conclusion; repeats its value."""
    SURPLUS = "surplus"
    """Declares the premise as a parent and does not rest on it."""
    FACT = "fact"
    """What a source says about something else."""
    CORRECTION = "correction"
    """What an independent source says in the premise's place."""
    CHATTER = "chatter"


SEALED = (Part.PREMISE, Part.FACT, Part.CORRECTION)
CONCLUDED = (Part.DERIVED, Part.SURPLUS)


@dataclass(frozen=True, slots=True)
class Event:
    """One message. `name` is ``<trajectory>:<hex>-<part>``, `origin` a sealed one's host; `parents` are declared."""

    name: str
    part: Part
    text: str
    speaker: str
    origin: str | None = None
    parents: tuple[str, ...] = ()

    @property
    def url(self) -> str:
        """Where a sealed event was found."""
        return f"https://{self.origin}/{self.name.replace(':', '/')}"

    @property
    def line(self) -> str:
        """The event as a transcript prints it."""
        return f"{self.speaker}: {self.text}"


@dataclass(frozen=True)
class Trajectory:
    """Everything up to the question, and the truth about it."""

    number: int
    question: str
    planted: str
    right: str
    decoys: tuple[str, ...]
    """Values of the same kind that nobody said."""
    events: tuple[Event, ...]

    @property
    def tenant(self) -> str:
        """The trajectory's own log."""
        return f"trajectory-{self.number:04d}"

    @property
    def values(self) -> tuple[str, ...]:
        """Every value that an answer could have, sorted: which of them is right is not told."""
        return tuple(sorted((self.planted, self.right, *self.decoys)))

    def of(self, *parts: Part) -> list[Event]:
        """The events of some parts, in order."""
        return [event for event in self.events if event.part in parts]


def generate(number: int, *, fillers: int = 10, paraphrase: float = 0.0) -> Trajectory:
    """Trajectory `number` with `fillers` messages that carry no fact.

    `paraphrase` is how often a correction uses another wording than the premise.
    """
    rng = stream("trajectory", number, fillers)
    about, *others = rng.sample(facts.ATTRIBUTES, 3)
    subject = rng.choice(about.subjects)
    planted, right, *decoys = _distinct(rng, about, 2 + DECOYS)
    key = f"{number:04d}"
    wording = rng.choice(about.wordings)
    core = _core(rng, key, about, subject, wording, planted, right, paraphrase)
    _with_facts(rng, key, core, others)
    events = _with_chatter(rng, key, core, fillers, subject)
    question = f"{about.asks.format(s=subject)} Reply with the value and nothing else."
    return Trajectory(number, question, planted, right, tuple(decoys), tuple(events))


def name_of(key: str, part: str) -> str:
    """An event's name. The hex digits order names as the ledger's hashes would: by chance, and not by what they are."""
    return f"{key}:{seed_of('trajectory name', key, part) % 0x10000:04x}-{part}"


def part_of(name: str) -> Part | None:
    """What the event called `name` is to the experiment; None for a name that is no event's."""
    part = name.partition(":")[2].partition("-")[2].rstrip("0123456789").rstrip("-")
    return Part(part) if part in list(Part) else None


def _distinct(rng: random.Random, about: Attribute, count: int) -> list[str]:
    values: list[str] = []
    while len(values) < count:
        if (value := about.draw(rng)) not in values:
            values.append(value)
    return values


def _core(
    rng: random.Random,
    key: str,
    about: Attribute,
    subject: str,
    wording: str,
    planted: str,
    right: str,
    paraphrase: float,
) -> list[Event]:
    """Premise, two conclusions in a chain, two corrections."""
    premise = wording.format(s=subject, v=planted)
    retold = rng.choice(about.wordings).format(s=subject, v=planted)
    doubtful = rng.choice(facts.DOUBTFUL)
    names = [name_of(key, part) for part in ("premise", "derived-1", "derived-2")]
    events = [
        _sealed(names[0], Part.PREMISE, sentence(rng.choice(facts.PREMISE_LEADS), premise), doubtful),
        _concluded(names[1], Part.DERIVED, sentence(rng.choice(facts.NOTES), premise), names[:1]),
        _concluded(names[2], Part.DERIVED, sentence(rng.choice(facts.CAPTIONS), retold), names[1:2]),
    ]
    leads, origins = rng.sample(facts.CORRECTION_LEADS, 2), rng.sample(facts.RELIABLE, 2)
    others = [other for other in about.wordings if other != wording]
    for place, (lead, origin) in enumerate(zip(leads, origins, strict=True), start=1):
        told = rng.choice(others) if rng.random() < paraphrase else wording
        said = sentence(lead, told.format(s=subject, v=right))
        events.append(_sealed(name_of(key, f"correction-{place}"), Part.CORRECTION, said, origin))
    return events


def _with_facts(rng: random.Random, key: str, core: list[Event], others: list[Attribute]) -> None:
    """Put in two facts about other things, and a conclusion from the first that declares the premise as well."""
    origins = rng.sample(facts.NEUTRAL, 2)
    clauses = []
    for attribute in others:
        clauses.append(rng.choice(attribute.wordings).format(s=rng.choice(attribute.subjects), v=attribute.draw(rng)))
    named = [
        _sealed(name_of(key, f"fact-{place}"), Part.FACT, sentence(rng.choice(facts.FACT_LEADS), clause), origin)
        for place, (clause, origin) in enumerate(zip(clauses, origins, strict=True), start=1)
    ]
    core.insert(rng.randrange(0, 4), named[0])
    said, declared = sentence(rng.choice(facts.PLANS), clauses[0]), [name_of(key, "premise"), named[0].name]
    surplus = _concluded(name_of(key, "surplus"), Part.SURPLUS, said, declared)
    places = {event.name: place for place, event in enumerate(core)}
    earliest = 1 + max(places[parent] for parent in surplus.parents)
    core.insert(rng.randint(earliest, places[name_of(key, "correction-1")]), surplus)
    core.insert(rng.randint(0, len(core)), named[1])


_SPEAKERS = {Channel.USER: "user", Channel.MODEL: "assistant", Channel.REASONING: "assistant", Channel.TOOL: "tool"}


def _with_chatter(rng: random.Random, key: str, core: list[Event], count: int, subject: str) -> list[Event]:
    events = list(core)
    for place, (channel, text) in enumerate(chatter(rng, count, (f"the {subject}",), set()), start=1):
        spoken = Event(name_of(key, f"chatter-{place:02d}"), Part.CHATTER, text, _SPEAKERS[channel])
        events.insert(rng.randint(0, len(events)), spoken)
    return events


def _sealed(name: str, part: Part, text: str, origin: str) -> Event:
    return Event(name, part, text, f"tool ({origin})", origin)


def _concluded(name: str, part: Part, text: str, parents: list[str]) -> Event:
    return Event(name, part, text, "assistant", parents=tuple(parents))
