"""RAMDocs (Wang et al., 2025): passages about several things of one name, some of them wrong; a document is a branch.

An answer to a question is right when all right answers are presented and no wrong one is. ``setting=labels``: what each
passage answers is given with it, as a claim; asked is what becomes of the claims. ``setting=text``: the passages alone;
asked is what the context shows.

Several answers are right where a name has several bearers, so a vote over one slot loses them; see the arm
`mergebench.track_arms.entities`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from beliefmerge.algebra.evidence import Evidence
from beliefmerge.errors import UsageError
from beliefmerge.session.model import Block, Channel, DataClaim, Message, Session
from mergebench.match import fold, shows
from mergebench.reading import Reading
from mergebench.scenario import Kind, Question, Scenario
from mergebench.track import Choices, Loaded, Task, Track
from mergebench.track_arms.entities import PASSAGE

UNKNOWN = "unknown"
"""The answer of a passage that does not give any."""
_KEY = "answer"


def load(choices: Choices) -> Loaded:
    """One task a question. Raises UsageError, with file and line, when the file is not RAMDocs'."""
    tasks = [_task(number, found, choices.setting) for number, found in _questions(choices.data)]
    return Loaded(tuple(tasks), "questions")


def _questions(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    try:
        lines = path.read_text(encoding="utf-8").split("\n")
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror or 'cannot be read'}") from None
    except UnicodeDecodeError:
        raise UsageError(f"{path}: not UTF-8 text") from None
    empty = True
    for number, line in enumerate(lines, 1):
        if line.strip():
            empty = False
            yield number, _checked(path, number, line)
    if empty:
        raise UsageError(f"{path}: not RAMDocs: no questions")


def _checked(path: Path, number: int, line: str) -> dict[str, Any]:
    place = f"{path}:{number}"
    try:
        found = json.loads(line)
    except json.JSONDecodeError as error:
        raise UsageError(f"{place}: not JSON: {error.msg}") from None
    if not isinstance(found, dict) or not isinstance(found.get("question"), str):
        raise UsageError(f"{place}: not RAMDocs: no object with a `question`")
    for name in ("documents", "gold_answers", "wrong_answers"):
        if not isinstance(found.get(name), list):
            raise UsageError(f"{place}: not RAMDocs: no list `{name}`")
    for document in found["documents"]:
        if not isinstance(document, dict) or not all(isinstance(document.get(k), str) for k in ("text", "answer")):
            raise UsageError(f"{place}: a document without a `text` and an `answer`")
    return found


def _task(number: int, found: Mapping[str, Any], setting: str) -> Task:
    name = f"line {number}"
    right = tuple(str(answer) for answer in found["gold_answers"])
    question = Question(name, Kind.BRIDGE, found["question"], (_KEY,), right)
    make = _labelled if setting == "labels" else _told
    sessions = tuple(make(f"document {i}", document) for i, document in enumerate(found["documents"], 1))
    scenario = Scenario("ramdocs", 0, sessions, (), (), (question,))
    return Task(scenario, question, name, wrong=tuple(str(answer) for answer in found["wrong_answers"]))


def _told(name: str, document: Mapping[str, str]) -> Session:
    return Session(name, "ramdocs", (Message((Block(Channel.TOOL, document["text"]),), 0, name),))


def _labelled(name: str, document: Mapping[str, str]) -> Session:
    answer = document["answer"]
    claims = (DataClaim(_KEY, answer, Channel.TOOL, Evidence.TOOL_VERIFIED),) if answer != UNKNOWN else ()
    return Session(name, "ramdocs", claims=claims, meta={PASSAGE: document["text"]})


def judge(task: Task, reading: Reading) -> dict[str, float]:
    """Recall of the right answers, whether all are presented, and whether no wrong one is besides.

    Neither side of what is marked as disputed is presented.
    """
    claimed = any(session.claims for session in task.scenario.sessions)
    presents = _answers(reading) if claimed else reading.text
    right = [_given(presents, answer) for answer in task.question.expects]
    wrong = any(_given(presents, answer) for answer in task.wrong)
    return {
        "recall": sum(right) / len(right) if right else 0.0,
        "all_kept": float(bool(right) and all(right)),
        "exact": float(bool(right) and all(right) and not wrong),
    }


def _answers(reading: Reading) -> frozenset[str]:
    """What is presented as an answer, folded."""
    found: list[str] = []
    for item in reading.items:
        if not item.disputed:
            found += item.holds if reading.output.block else [item.words]
    return frozenset(map(fold, found))


def _given(presented: frozenset[str] | str, answer: str) -> bool:
    return shows(presented, answer) if isinstance(presented, str) else fold(answer) in presented


def panel(setting: str) -> tuple[str, ...]:
    """The arms that apply."""
    if setting == "labels":
        return ("keep_all", "heuristic", "entities")
    return ("none", "concat", "roundrobin", "bm25", "retrieve", "turns", "heuristic")


TRACK = Track(
    tests="all right answers of several bearers of a name, and none of the wrong ones",
    data="<RAMDocs_test.jsonl of github.com/HanNight/RAMDocs>",
    settings=("labels", "text"),
    load=load,
    judge=judge,
    panel=panel,
    against="keep_all",
)
