"""A folder of one's own: session files of any format that can be read, and a questions file.

The questions stand in ``questions.jsonl``, one object a line, or in ``questions.json``, a list of them::

    {"question": "Which port, and on which host?", "expects": ["8443", "stage-3"], "sessions": ["ops", "plan"]}

`expects` are the values that a context must show for the question to be answered from it; numbers are read as text.
`sessions` are ids of sessions or names of files; left out, all of the folder are merged. `id` names a question, `unit`
what it was drawn with: questions of one unit count as dependent. Recall is the share of the values that are shown,
`all_kept` that all are.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from beliefmerge.errors import UsageError, nearest
from beliefmerge.session.model import Session
from beliefmerge.session.readers import read_sessions
from mergebench.match import shown
from mergebench.reading import Reading
from mergebench.scenario import Kind, Question, Scenario
from mergebench.track import Choices, Loaded, Task, Track

FILES = ("questions.jsonl", "questions.json")
_KEYS = ("id", "question", "expects", "sessions", "unit")


def load(choices: Choices) -> Loaded:
    """The folder's questions. Raises UsageError, with file and line, for the first that cannot be asked."""
    folder = choices.data
    if not folder.is_dir():
        raise UsageError(f"{folder}: not a folder")
    questions = _questions_file(folder)
    sessions = _sessions(folder, questions)
    tasks: list[Task] = []
    scenarios: dict[tuple[str, ...], Scenario] = {}
    names: dict[str, str] = {}
    for place, found in _objects(questions):
        question, unit, about = _checked(place, found, f"{len(names) + 1}")
        if question.id in names:
            raise UsageError(f"{place}: a second question {question.id!r} (the first: {names[question.id]})")
        names[question.id] = place
        chosen = _chosen(place, about, sessions)
        ids = tuple(session.id for session in chosen)
        scenario = scenarios.setdefault(ids, Scenario("dir", 0, chosen, (), (), (question,)))
        tasks.append(Task(scenario, question, unit or question.id))
    if not tasks:
        raise UsageError(f"{questions}: no questions")
    return Loaded(tuple(tasks), "questions" if len({task.unit for task in tasks}) == len(tasks) else "units")


def _questions_file(folder: Path) -> Path:
    found = [folder / name for name in FILES if (folder / name).is_file()]
    if len(found) != 1:
        cause = "there are both, of which one is too many" if found else "there is neither"
        raise UsageError(f"{folder}: the questions go into {' or '.join(FILES)}: {cause}")
    return found[0]


def _sessions(folder: Path, questions: Path) -> dict[str, Session]:
    """The sessions of a folder by file name and branch, in the order of names; hidden files are left alone."""
    found: dict[str, Session] = {}
    for path in sorted(folder.iterdir()):
        if path == questions or path.name.startswith("."):
            continue
        for session in read_sessions(path):
            found[f"{path.name}#{session.id}#{session.branch or ''}"] = session
    if not found:
        raise UsageError(f"{folder}: no sessions beside {questions.name}")
    return found


def _objects(path: Path) -> Iterator[tuple[str, Any]]:
    """Where each question stands, and what stands there."""
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror or 'cannot be read'}") from None
    except UnicodeDecodeError:
        raise UsageError(f"{path}: not UTF-8 text") from None
    if path.suffix == ".json":
        found = _parsed(text, path, 1)
        if not isinstance(found, list):
            raise UsageError(f"{path}: a list of questions is expected")
        yield from ((f"{path}: question {number}", each) for number, each in enumerate(found, 1))
        return
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            yield f"{path}:{number}", _parsed(line, path, number)


def _parsed(text: str, path: Path, first: int) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise UsageError(f"{path}:{first + error.lineno - 1}: not JSON: {error.msg}") from None
    except RecursionError:
        raise UsageError(f"{path}:{first}: nested too deeply") from None


def _checked(place: str, found: Any, number: str) -> tuple[Question, str, tuple[str, ...] | None]:
    """A question, its unit, and the sessions it names."""
    if not isinstance(found, Mapping):
        raise UsageError(f"{place}: an object is expected")
    for key in found:
        if key not in _KEYS:
            match = nearest(str(key), _KEYS)
            raise UsageError(
                f"{place}: unknown key {key!r}" + (f"; did you mean {match!r}?" if match else f" (known: {_KEYS})")
            )
    text = found.get("question")
    if not isinstance(text, str) or not text.strip():
        raise UsageError(f"{place}: `question` is missing, or no text")
    expects = _texts(place, "expects", found.get("expects"))
    if not expects:
        raise UsageError(f"{place}: `expects` must list at least one value")
    name, unit = (str(found.get(key, "")) for key in ("id", "unit"))
    about = _texts(place, "sessions", found["sessions"]) if "sessions" in found else None
    return Question(name or number, Kind.BRIDGE, text, (), expects), unit, about


def _texts(place: str, key: str, found: Any) -> tuple[str, ...]:
    """The texts and numbers of a list, as text."""
    if not isinstance(found, list):
        raise UsageError(f"{place}: `{key}` must be a list")
    for each in found:
        if isinstance(each, bool) or not isinstance(each, str | int | float) or not str(each).strip():
            raise UsageError(f"{place}: `{key}` holds {json.dumps(each)}, which is neither text nor a number")
    return tuple(str(each) for each in found)


def _chosen(place: str, about: Sequence[str] | None, sessions: Mapping[str, Session]) -> tuple[Session, ...]:
    if about is None:
        return tuple(sessions.values())
    chosen: dict[str, Session] = {}
    for name in about:
        meant = {key: each for key, each in sessions.items() if name in (each.id, key.split("#")[0])}
        if not meant:
            known = sorted({part for key, each in sessions.items() for part in (each.id, key.split("#")[0])})
            match = nearest(name, known)
            raise UsageError(f"{place}: no session {name!r}" + (f"; did you mean {match!r}?" if match else ""))
        chosen |= meant
    return tuple(chosen.values())


def judge(task: Task, reading: Reading) -> dict[str, float]:
    """Recall of the expected values, and whether all are shown."""
    found = len(shown(reading.text, task.question.expects))
    return {
        "recall": found / len(task.question.expects),
        "all_kept": float(found == len(task.question.expects)),
    }


def panel(setting: str) -> tuple[str, ...]:
    """The arms that apply."""
    return ("none", "single", "concat", "roundrobin", "snapshot", "bm25", "retrieve", "turns", "heuristic")


TRACK = Track(
    tests="whether the values that a question of your own needs are shown",
    data="<a folder of sessions and a questions.jsonl>",
    settings=("folder",),
    load=load,
    judge=judge,
    panel=panel,
    against="concat",
)
