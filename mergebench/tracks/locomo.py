"""LoCoMo (Maharana et al., 2024): conversations of two people over many sessions; a session is a branch.

Asked are the questions whose evidence lies in two sessions or more. ``setting=pairs``: those with evidence in exactly
two, about these two sessions. ``setting=k``: those with evidence in two to `track.sessions`, among that many sessions
of the conversation, the others drawn from the seed. Recall is the share of a question's evidence turns that are shown
with at least half of their content words (`mergebench.passages`).

Both people are users. A turn is printed as ``Name: text (what its picture shows)``, without a role. The arm ``oracle``
is given the data set's own `observation` facts, each at the turn it was taken from.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from beliefmerge.session.model import Channel, Message, Session
from experiment.seeds import stream
from mergebench.passages import kept, passages, touched
from mergebench.reading import Reading
from mergebench.scenario import Kind, Question, Scenario, Telling
from mergebench.track import Choices, Loaded, Task, Track
from mergebench.tracks._turns import conversations, facts, line, repaired, sessions
from mergebench.transcript import Named

TUNING = 3
"""How many conversations, the first ones, were looked at to choose the shares of the arm ``retrieve``."""
PANEL = ("none", "single", "concat", "roundrobin", "bm25", "retrieve", "turns", "heuristic", "oracle")
_PARTS = {"all": slice(None), "tuning": slice(TUNING), "rest": slice(TUNING, None)}


def load(choices: Choices) -> Loaded:
    """The questions of the setting. Raises UsageError when the file is not LoCoMo's."""
    tasks: list[Task] = []
    counted: Counter[str] = Counter()
    for found in conversations(choices.data)[_PARTS[choices.part]]:
        tasks += _Conversation(found, choices, counted).tasks()
    notes = [f"{counted['mended']} questions with malformed evidence ids mended"] if counted["mended"] else []
    notes += [f"{counted['nothing']} questions without evidence left out"] if counted["nothing"] else []
    return Loaded(tuple(tasks), "conversations", tuple(notes))


class _Conversation:
    """One conversation's sessions, facts and questions."""

    def __init__(self, found: Mapping[str, Any], choices: Choices, counted: Counter[str]) -> None:
        self._name, self._asked, self._choices, self._counted = found["sample_id"], found["qa"], choices, counted
        self._sessions = {
            number: _session(self._name, number, date, turns) for number, date, turns in sessions(found["conversation"])
        }
        self._known = {(n, i) for n, each in self._sessions.items() for i in range(1, len(each.messages) + 1)}
        self._tellings = self._told(found)

    def _told(self, found: Mapping[str, Any]) -> list[Telling]:
        tellings: list[Telling] = []
        told: Counter[str] = Counter()
        for who, fact, source in facts(dict(found)):
            for number, place in repaired(source, self._known)[0]:
                session = self._sessions[number]
                name = f"{who} {number}:{place}"
                told[name] += 1
                key = name if told[name] == 1 else f"{name}/{told[name]}"
                text = session.messages[place - 1].text
                tellings.append(Telling(key, fact, session.id, place - 1, Channel.USER, 0, len(text), text))
        return tellings

    def tasks(self) -> list[Task]:
        """The questions of the setting, with their branches."""
        found: list[tuple[tuple[int, ...], Question, list[tuple[int, int]]]] = []
        for number, asked in enumerate(self._asked):
            evidence, mended = repaired(asked.get("evidence"), self._known)
            self._counted["nothing"] += not evidence
            branches = self._branches(sorted({n for n, _ in evidence}), number)
            if branches:
                self._counted["mended"] += mended
                expects = (str(asked.get("answer", "")),)
                question = Question(f"{self._name}/{number}", Kind.BRIDGE, asked["question"], (), expects)
                found.append((branches, question, evidence))
        scenarios = {branches: self._scenario(branches, found) for branches, *_ in found}
        return [
            Task(scenarios[branches], question, self._name, tuple((f"D{n}", i - 1) for n, i in evidence))
            for branches, question, evidence in found
        ]

    def _branches(self, holding: Sequence[int], number: int) -> tuple[int, ...]:
        """The sessions a question is asked about, given those that hold evidence; none when it is not asked."""
        if len(holding) < 2:
            return ()
        if self._choices.setting == "pairs":
            return tuple(holding) if len(holding) == 2 else ()
        if len(holding) > self._choices.sessions:
            return ()
        others = [n for n in self._sessions if n not in holding]
        rng = stream("locomo", self._choices.seed, self._name, number)
        drawn = rng.sample(others, min(len(others), self._choices.sessions - len(holding)))
        return tuple(sorted([*holding, *drawn]))

    def _scenario(
        self, branches: tuple[int, ...], found: Sequence[tuple[tuple[int, ...], Question, object]]
    ) -> Scenario:
        chosen = tuple(self._sessions[n] for n in branches)
        ids = {session.id for session in chosen}
        return Scenario(
            family="locomo",
            seed=0,
            sessions=chosen,
            topics=(),
            tellings=tuple(telling for telling in self._tellings if telling.session in ids),
            questions=tuple(question for of, question, _ in found if of == branches),
        )


def _session(conversation: str, number: int, date: str, turns: Sequence[Mapping[str, Any]]) -> Session:
    name = f"D{number}"
    messages = tuple(
        Message(
            (Named(Channel.USER, line(dict(turn)), speaker=turn["speaker"]),),
            seq,
            name,
            id=f"{conversation}/{name}:{seq + 1}",
        )
        for seq, turn in enumerate(turns)
    )
    return Session(name, "locomo", messages, title=date or None)


def judge(task: Task, reading: Reading) -> dict[str, float]:
    """Recall of the evidence turns, whether all are kept, and the share from which anything comes that is shown."""
    shown = passages(task.scenario, reading)
    found, sources = kept(task.scenario, task.evidence, shown), touched(task.evidence, shown)
    return {
        "recall": sum(found) / len(found),
        "all_kept": float(all(found)),
        "touched": sum(sources) / len(sources),
    }


TRACK = Track(
    tests="recall of the turns that a question across sessions needs",
    data="<locomo10.json of github.com/snap-research/locomo>",
    settings=("pairs", "k"),
    load=load,
    judge=judge,
    panel=lambda setting: (
        "none",
        "single",
        "concat",
        "roundrobin",
        "bm25",
        "retrieve",
        "turns",
        "heuristic",
        "oracle",
    ),
    against="bm25",
    parts=True,
)
