"""Putting a scenario together: topics are drawn, statements are laid into branches among chatter, questions are asked.

Every family works on a `Draft`. Each part draws from a stream of its own, so that more chatter leaves the facts as they
are.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from beliefmerge.errors import UsageError
from beliefmerge.session.model import Block, Channel, Message, Session
from experiment.seeds import stream
from mergebench.match import SCRIPTS, UNSPACED, fold, shows
from mergebench.scenario import Kind, Plant, Question, Role, Scenario, Secret, Size, Telling, Topic
from mergebench.scenarios._chatter import Talk, chatter, sentence
from mergebench.scenarios._quantities import UNITS
from mergebench.scenarios._things import ATTRIBUTES, SUBJECTS, Attribute
from mergebench.scenarios._wording import Wording

EPOCH = 1_750_000_000.0
DECOYS = 2
ATTEMPTS = 50


@dataclass(frozen=True, slots=True)
class Subject:
    """What a topic is about, and the values set aside for it: asserted ones first, decoys last."""

    key: str
    name: str
    attribute: Attribute
    values: tuple[str, ...]
    decoys: tuple[str, ...]

    @property
    def asks(self) -> str:
        """A question's clause about it."""
        return self.attribute.asks.format(s=self.name)


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence that asserts a value; `mentions` are values it names without asserting them."""

    key: str
    value: str
    text: str
    mentions: tuple[str, ...] = ()
    premises: tuple[tuple[tuple[str, str], ...], ...] = ()
    denied: bool = False
    multi: bool = False
    qualifier: str = ""


@dataclass(frozen=True, slots=True)
class Line:
    """One message to be: who speaks, and a statement or other text."""

    channel: Channel
    statement: Statement | None
    text: str
    """The whole message."""


@dataclass
class Draft:
    """A scenario in the making."""

    family: str
    size: Size
    seed: int
    attempt: int = 0
    topics: list[Topic] = field(default_factory=list)
    questions: list[Question] = field(default_factory=list)
    plants: list[Plant] = field(default_factory=list)
    secrets: list[Secret] = field(default_factory=list)
    groups: dict[str, list[list[Line]]] = field(default_factory=dict)
    """By branch: lines that keep their order within a group."""
    titles: dict[str, str] = field(default_factory=dict)
    parts: dict[str, dict[str, Any]] = field(default_factory=dict)
    """By branch: what else its session holds, by field."""
    talks: dict[str, Talk] = field(default_factory=dict)
    """By branch: how it chats, where that is not in English."""
    trunk: list[list[Line]] = field(default_factory=list)
    """Groups of lines that every branch starts with."""
    trunk_chatter: int = 0
    current: str | None = None
    names: dict[str, str] = field(default_factory=dict)
    """By key: the topic's subject as sentences name it."""
    taken: list[str] = field(default_factory=list)
    """Values that are set aside."""

    def __post_init__(self) -> None:
        self.groups = {branch: [] for branch in branch_names(self.size.branches)}

    @property
    def branches(self) -> list[str]:
        """Branch ids."""
        return list(self.groups)

    def stream(self, *names: str | int) -> random.Random:
        """The random stream of one part of this scenario."""
        return stream("mergebench", self.family, self.seed, self.attempt, *names)

    def say(self, branch: str, *lines: Line) -> None:
        """Have `branch` say these lines, in this order, somewhere."""
        self.groups[branch].append(list(lines))

    def line(self, channel: Channel, statement: Statement, *names: str | int) -> Line:
        """A message that makes `statement`; one in four goes on with some chatter."""
        rng = self.stream("line", statement.key, statement.value, *names)
        text = statement.text
        if channel not in (Channel.TOOL, Channel.INJECTED) and rng.random() < 0.25:
            text = f"{text} {sentence(rng, channel, (self.names[statement.key],))}"
        return Line(channel, statement, text)


def branch_names(count: int) -> list[str]:
    """``branch-a``, ``branch-b``, …; after 26, ``branch-aa`` and so on."""
    letters = "abcdefghijklmnopqrstuvwxyz"
    return [f"branch-{letters[i] if i < 26 else letters[i // 26 - 1] + letters[i % 26]}" for i in range(count)]


def draw_subjects(
    draft: Draft, count: int, asserted: int = 2, attributes: Sequence[Attribute] = ATTRIBUTES, part: str = "subjects"
) -> list[Subject]:
    """`count` topics no two of whose values can be taken for each other, with `asserted` values each and decoys.

    Raises UsageError when the word lists hold no more.
    """
    rng = draft.stream(part)
    pairs = [(name, attribute) for attribute in attributes for group in attribute.subjects for name in SUBJECTS[group]]
    rng.shuffle(pairs)
    taken = draft.taken
    found: list[Subject] = []
    for name, attribute in pairs:
        if len(found) == count:
            return found
        values = _draw_values(rng, attribute, asserted + DECOYS, taken)
        if values is None:
            continue
        key = key_of(name, attribute)
        if key in draft.names:
            continue
        taken += values
        draft.names[key] = name
        found.append(Subject(key, name, attribute, tuple(values[:asserted]), tuple(values[asserted:])))
    if len(found) < count:
        raise UsageError(f"scenario.topics={count} is more than the {len(found)} topics there are words for")
    return found


def key_of(name: str, attribute: Attribute) -> str:
    """A topic's key."""
    return f"{name.removeprefix('the ')}.{attribute.label}".replace(" ", "_").replace("-", "_")


def _draw_values(rng: random.Random, attribute: Attribute, count: int, taken: Sequence[str]) -> list[str] | None:
    """Values that share no word with each other and are not shown by any taken one, or None."""
    values: list[str] = []
    words: set[str] = set()
    for _ in range(40 * count):
        value = attribute.draw(rng)
        parts = set(fold(value).replace("-", " ").replace(":", " ").split()) - UNITS
        if parts & words or any(shows(other, value) or shows(value, other) for other in taken):
            continue
        values.append(value)
        words |= parts
        if len(values) == count:
            return values
    return None


def state(subject: Subject, value: str, wording: Wording) -> Statement:
    """The statement that gives `subject` this value in this wording."""
    return Statement(subject.key, value, wording.say(value))


def ask(
    draft: Draft, told: dict[str, str], subjects: Sequence[Subject], bridges: int, shared: Sequence[str] = ()
) -> None:
    """Local questions on every topic of `told` (key to branch) and up to `bridges` bridge questions across branches.

    Topics are used evenly. Topics that `shared` names are told in several branches and get a local question only. Every
    other topic gets a probe, unless it has one.
    """
    by_key = {subject.key: subject for subject in subjects}
    # Of two spellings of one value either is an answer: no question can ask for it by what must be shown.
    value = {topic.key: () if topic.role is Role.SAME else topic.holds for topic in draft.topics}
    for key in [*told, *shared]:
        draft.questions.append(_question(Kind.LOCAL, [by_key[key]], value))
    pairs = [(x, y) for i, x in enumerate(told) for y in list(told)[i + 1 :] if told[x] != told[y]]
    draft.stream("bridges").shuffle(pairs)
    used = dict.fromkeys(told, 0)
    for _ in range(min(bridges, len(pairs))):
        pair = min(pairs, key=lambda p: (max(used[p[0]], used[p[1]]), used[p[0]] + used[p[1]]))
        pairs.remove(pair)
        for key in pair:
            used[key] += 1
        draft.questions.append(_question(Kind.BRIDGE, [by_key[key] for key in pair], value))
    probed = {question.keys for question in draft.questions if question.kind is Kind.PROBE}
    for topic in draft.topics:
        if topic.key not in told and topic.key not in shared and (topic.key,) not in probed:
            draft.questions.append(_question(Kind.PROBE, [by_key[topic.key]], value))


def _question(kind: Kind, subjects: Sequence[Subject], value: dict[str, tuple[str, ...]]) -> Question:
    text = ", and ".join(subject.asks for subject in subjects) + "?"
    keys = tuple(subject.key for subject in subjects)
    expects = tuple(v for key in keys for v in value[key])
    return Question(f"{kind}:{'+'.join(keys)}", kind, text[0].upper() + text[1:], keys, expects)


def question(kind: Kind, key: str, text: str, expects: tuple[str, ...]) -> Question:
    """A question about one topic, in words of its own."""
    return Question(f"{kind}:{key}", kind, f"{text[0].upper()}{text[1:]}?", (key,), expects)


Places = dict[str, set[tuple[str, int]]]
"""By value: the messages, as (session, seq), that may show it."""


def finish(draft: Draft) -> tuple[Scenario, Places]:
    """Lay out the messages; also say which of them may show which value."""
    names = tuple(draft.names[topic.key] for topic in draft.topics)
    seen: set[str] = set()
    trunk = _weave(draft.stream("order", "trunk"), draft.trunk, _chat(draft, "trunk", draft.trunk_chatter, names, seen))
    sessions, tellings = [], []
    places: Places = {}
    for number, (branch, groups) in enumerate(draft.groups.items()):
        own = _chat(draft, branch, max(0, draft.size.chatter - draft.trunk_chatter), names, seen)
        lines = _weave(draft.stream("order", branch), groups, own)
        messages = []
        for seq, line in enumerate([*trunk, *lines]):
            id = f"{'trunk' if seq < len(trunk) else branch}-{seq:04d}"
            time = EPOCH + 60.0 * seq + (17.0 * number if seq >= len(trunk) else 0.0)
            messages.append(Message((Block(line.channel, line.text),), seq, branch, id, time))
            if line.statement is not None:
                tellings.append(_telling(line, line.statement, branch, seq))
                for value in (line.statement.value, *line.statement.mentions):
                    places.setdefault(value, set()).add((branch, seq))
        parts = draft.parts.get(branch, {})
        sessions.append(Session(branch, "plain", tuple(messages), title=draft.titles.get(branch), **parts))
    scenario = Scenario(
        draft.family,
        draft.seed,
        tuple(sessions),
        tuple(draft.topics),
        tuple(tellings),
        tuple(draft.questions),
        tuple(draft.plants),
        draft.current,
        tuple(draft.secrets),
    )
    return scenario, places


def _chat(draft: Draft, branch: str, count: int, names: tuple[str, ...], seen: set[str]) -> list[list[Line]]:
    talk = draft.talks.get(branch, sentence)
    said = chatter(draft.stream("chatter", branch), count, names, seen, talk)
    return [[Line(channel, None, text)] for channel, text in said]


def _weave(rng: random.Random, groups: Sequence[Sequence[Line]], chat: Sequence[Sequence[Line]]) -> list[Line]:
    """All lines in a drawn order that keeps each group's own."""
    waiting = [iter(group) for group in [*groups, *chat]]
    turns = [i for i, group in enumerate([*groups, *chat]) for _ in group]
    rng.shuffle(turns)
    return [next(waiting[i]) for i in turns]


def _telling(line: Line, statement: Statement, branch: str, seq: int) -> Telling:
    start = line.text.index(statement.text)
    return Telling(
        statement.key, statement.value, branch, seq, line.channel, start, start + len(statement.text), statement.text,
        statement.premises, statement.denied, statement.multi, statement.qualifier,
    )  # fmt: skip


def faults(scenario: Scenario, places: Places) -> list[str]:
    """Values that stand where they should not: decoys anywhere, asserted ones in a message that does not name them."""
    candidates = Candidates(scenario.vocabulary)
    return [
        value
        for session in scenario.sessions
        for message in session.messages
        for value in candidates.of(message.text)
        if (session.id, message.seq) not in places.get(value, ()) and shows(message.text, value)
    ]


def confusable(values: Sequence[str]) -> bool:
    """Whether one of `values` can be taken for another."""
    candidates = Candidates(values)
    return len(set(values)) < len(values) or any(
        value != other and shows(value, other) for value in values for other in candidates.of(value)
    )


class Candidates:
    """Values a text may show: those whose longest word it has, so that only they are looked for."""

    def __init__(self, values: Iterable[str]) -> None:
        self._by_word: dict[str, list[tuple[int, str]]] = {}
        for number, value in enumerate(values):
            folded = fold(value)
            unspaced = UNSPACED.match(folded[:1]) or UNSPACED.match(folded[-1:])
            word = "" if unspaced else max(_words(folded), key=len, default="")
            self._by_word.setdefault(word, []).append((number, value))

    def of(self, text: str) -> Iterator[str]:
        """Values that `text` may show, in order; every value it does show is among them."""
        found = [each for word in {"", *_words(fold(text))} for each in self._by_word.get(word, ())]
        return (value for _, value in sorted(found))


def _words(folded: str) -> list[str]:
    return re.findall(rf"[^\W{SCRIPTS}]+", folded)


def generate(family: str, fill: Callable[[Draft], None]) -> Callable[[Size, int], Scenario]:
    """A family's generator: drafts are filled until one has no fault; which one is decided by the seed alone."""

    def make(size: Size, seed: int) -> Scenario:
        for attempt in range(ATTEMPTS):
            draft = Draft(family, size, seed, attempt)
            fill(draft)
            scenario, places = finish(draft)
            if not faults(scenario, places) and not confusable(scenario.vocabulary):
                return scenario
        raise UsageError(f"scenario {family!r}: no sound scenario for seed {seed} in {ATTEMPTS} drafts")

    return make


def need(draft: Draft, topics: int, why: str) -> None:
    """Raise UsageError when the size has fewer than `topics` topics."""
    if draft.size.topics < topics:
        raise UsageError(f"scenario.topics={draft.size.topics} is out of range: {why} needs at least {topics}")


__all__ = [
    "Draft",
    "Line",
    "Role",
    "Statement",
    "Subject",
    "ask",
    "draw_subjects",
    "generate",
    "key_of",
    "need",
    "question",
    "state",
]
