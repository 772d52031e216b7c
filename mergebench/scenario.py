"""Scenarios: generated branches whose ground truth is known.

A scenario is a function of its family, its settings and its seed; two runs give the same bytes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

from beliefmerge.session.model import Channel, Session


class Role(StrEnum):
    """What a topic tests."""

    SINGLE = "single"
    """Asserted with one value, which holds."""
    CONFLICT = "conflict"
    """Asserted with two values at different evidence; the stronger one holds."""
    CHANGE = "change"
    """The same speaker changes the value; the later one holds."""
    TIE = "tie"
    """Asserted with two values at equal evidence; neither may be guessed."""
    FALLEN = "fallen"
    """Concluded from a premise that does not hold, and from nothing else."""
    KEPT = "kept"
    """Concluded from a premise that does not hold and, by another route, from premises that do."""
    COMPATIBLE = "compatible"
    """Asserted with several values, all of which hold: of several things, under several conditions, or at once."""
    SAME = "same"
    """Asserted twice with one value in two spellings; either will do, and nothing is in conflict."""
    REFUTED = "refuted"
    """Ruled out, with a reason where `Topic.reason` gives one: what is right is that the value does not hold."""


class Kind(StrEnum):
    """What a question needs."""

    LOCAL = "local"
    """One branch."""
    BRIDGE = "bridge"
    """Two branches, neither of which is enough."""
    PROBE = "probe"
    """A topic that is asserted with several values, or that is a conclusion: for arms that see the question."""


@dataclass(frozen=True, slots=True)
class Topic:
    """One thing there is a truth about, and what the branches say of it."""

    key: str
    role: Role
    holds: tuple[str, ...]
    """Values that are right: one; both sides of a tie; none for a conclusion that has fallen."""
    fails: tuple[str, ...] = ()
    """Values that some branch asserts and that do not hold."""
    decoys: tuple[str, ...] = ()
    """Values of this topic's kind that no branch asserts."""
    reason: str = ""
    """Of what was ruled out: the words that say why."""

    @property
    def asserted(self) -> tuple[str, ...]:
        """Every value some branch asserts, or rules out."""
        return self.holds + self.fails


@dataclass(frozen=True, slots=True)
class Telling:
    """One value of one topic, told in one message of one session: `sentence` is ``text[start:end]`` of its block."""

    key: str
    value: str
    session: str
    seq: int
    channel: Channel
    start: int
    end: int
    sentence: str
    premises: tuple[tuple[tuple[str, str], ...], ...] = ()
    """Alternatives of conjunctions of (key, value)."""
    denied: bool = False
    """Whether it says that the value does not hold."""
    multi: bool = False
    """Whether other values of the topic may hold beside it."""
    qualifier: str = ""
    """Which of several things, or which condition, it is about."""


@dataclass(frozen=True, slots=True)
class Question:
    """A question and every value its answer needs."""

    id: str
    kind: Kind
    text: str
    keys: tuple[str, ...]
    expects: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Plant:
    """An instruction planted where a session can hold text. `payload` is the phrase that shows it was let through."""

    payload: str
    place: str
    """`tool`, `user`, `quote`, `title` or `injected`."""
    trust: int
    """What it may be labelled at most: 0 untrusted, 1 external."""


@dataclass(frozen=True, slots=True)
class Secret:
    """A credential planted where a session can hold text."""

    value: str
    kind: str
    place: str
    """A channel, or the part of a session that holds it: `title`, `cwd`, `path`, `meta`, `flags` or `claims`."""


@dataclass(frozen=True)
class Scenario:
    """Branches, the truth about them, and questions."""

    family: str
    seed: int
    sessions: tuple[Session, ...]
    topics: tuple[Topic, ...]
    tellings: tuple[Telling, ...]
    questions: tuple[Question, ...]
    plants: tuple[Plant, ...] = ()
    current: str | None = None
    """Id of the session whose user is trusted, where there is one."""
    secrets: tuple[Secret, ...] = ()

    @cached_property
    def told(self) -> dict[str, tuple[Telling, ...]]:
        """Tellings by key."""
        found: dict[str, list[Telling]] = {}
        for telling in self.tellings:
            found.setdefault(telling.key, []).append(telling)
        return {key: tuple(tellings) for key, tellings in found.items()}

    @cached_property
    def alone(self) -> dict[str, Question]:
        """By key: the first question that asks about it and about nothing else."""
        found: dict[str, Question] = {}
        for question in self.questions:
            if len(question.keys) == 1:
                found.setdefault(question.keys[0], question)
        return found

    @cached_property
    def by_key(self) -> dict[str, Topic]:
        """Topics by key."""
        return {topic.key: topic for topic in self.topics}

    def with_roles(self, *roles: Role) -> list[Topic]:
        """Topics that play one of these roles."""
        return [topic for topic in self.topics if topic.role in roles]

    def asked(self, kind: Kind) -> list[Question]:
        """Questions of one kind."""
        return [question for question in self.questions if question.kind is kind]

    @cached_property
    def decoys(self) -> tuple[str, ...]:
        """Vocabulary values that no branch asserts."""
        return tuple(value for topic in self.topics for value in topic.decoys)

    @cached_property
    def vocabulary(self) -> tuple[str, ...]:
        """Every value of every topic, asserted or not."""
        return tuple(value for topic in self.topics for value in topic.asserted + topic.decoys)

    @cached_property
    def texts(self) -> tuple[str, ...]:
        """The text of every message."""
        return tuple(message.text for session in self.sessions for message in session.messages)


@dataclass(frozen=True, slots=True)
class Size:
    """How large a scenario is; see the configuration for ranges."""

    topics: int = 10
    conflicts: int = 2
    chatter: int = 18
    branches: int = 2
    paraphrase: float = 0.0


@dataclass(frozen=True, slots=True)
class Family:
    """A kind of scenario: what it tests, and how one is made from a size and a seed.

    `generate` raises UsageError when the size leaves no room for what the family needs.
    """

    tests: str
    generate: Callable[[Size, int], Scenario]
    costly: bool = False
    """Whether the memory an arm takes is measured too, by running it once more."""


def distinct(values: Iterable[str]) -> tuple[str, ...]:
    """`values` without repetition, first appearance first."""
    return tuple(dict.fromkeys(values))
