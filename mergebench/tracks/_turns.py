"""Reading LoCoMo's own layout: turns, facts, and ids of turns that are not always well formed."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

from beliefmerge.errors import UsageError
from beliefmerge.session.text import as_dict, as_list

_SESSION = re.compile(r"session_([1-9][0-9]*)")
_TURN = re.compile(r"D:?0*([1-9][0-9]*):0*([1-9][0-9]*)")


def conversations(path: Path) -> list[dict[str, Any]]:
    """The conversations in ``locomo10.json``. Raises UsageError when it is something else."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror or 'cannot be read'}") from None
    except UnicodeDecodeError:
        raise UsageError(f"{path}: not UTF-8 text") from None
    except json.JSONDecodeError as error:
        raise UsageError(f"{path}:{error.lineno}: not JSON: {error.msg}") from None
    if not isinstance(found, list) or not found:
        raise UsageError(f"{path}: not LoCoMo: a list of conversations is expected")
    for number, each in enumerate(found, 1):
        _check(path, number, each)
    return found


def _check(path: Path, number: int, found: Any) -> None:
    place = f"{path}: conversation {number}"
    if not isinstance(found, dict) or not isinstance(found.get("conversation"), dict):
        raise UsageError(f"{place}: not LoCoMo: no object with a `conversation`")
    if not isinstance(found.get("sample_id"), str) or not isinstance(found.get("qa"), list):
        raise UsageError(f"{place}: not LoCoMo: no `sample_id`, or no list `qa`")
    for name, turns in found["conversation"].items():
        if _SESSION.fullmatch(name):
            for turn in turns if isinstance(turns, list) else [None]:
                if not isinstance(turn, dict) or not all(isinstance(turn.get(k), str) for k in ("speaker", "text")):
                    raise UsageError(f"{place}: {name} is no list of turns with a speaker and a text")
    for asked in found["qa"]:
        if not isinstance(asked, dict) or not isinstance(asked.get("question"), str):
            raise UsageError(f"{place}: a question without `question`")


def sessions(conversation: dict[str, Any]) -> Iterator[tuple[int, str, list[dict[str, Any]]]]:
    """Number, date and turns of each session, in order."""
    numbered = sorted((int(m[1]), name) for name in conversation if (m := _SESSION.fullmatch(name)))
    for number, name in numbered:
        yield number, str(conversation.get(f"{name}_date_time", "")), conversation[name]


def line(turn: dict[str, Any]) -> str:
    """A turn as it is read: who, what, and in brackets what a picture sent with it shows."""
    caption = turn.get("blip_caption")
    return f"{turn['speaker']}: {turn['text']}" + (f" ({caption})" if caption else "")


def repaired(evidence: Any, known: Collection[tuple[int, int]]) -> tuple[list[tuple[int, int]], bool]:
    """Turns (session, place in it, from 1) that `evidence` names, each once, and whether it had to be mended.

    Ids written into one string are parted, zeros before a number are dropped, ``D:11:26`` is read as ``D11:26``; what
    is then no turn of the conversation is left out.
    """
    named = [evidence] if isinstance(evidence, str) else [each for each in evidence or () if isinstance(each, str)]
    found: dict[tuple[int, int], None] = {}
    mended = False
    for text in named:
        turns = [(int(a), int(b)) for a, b in _TURN.findall(text)]
        good = [turn for turn in turns if turn in known]
        mended |= [f"D{a}:{b}" for a, b in good] != [text.strip()]
        found.update(dict.fromkeys(good))
    return list(found), mended


def facts(conversation: dict[str, Any]) -> Iterator[tuple[str, str, Any]]:
    """Who, a fact about them, and the id or ids of the turns it comes from, of every `observation`."""
    observed = as_dict(conversation.get("observation"))
    for name in sorted(observed, key=_number):
        for who, told in as_dict(observed[name]).items():
            for each in as_list(told):
                if isinstance(each, list) and len(each) == 2 and isinstance(each[0], str):
                    yield who, each[0], each[1]


def _number(name: str) -> tuple[int, str]:
    found = re.search(r"[0-9]+", name)
    return (int(found.group()) if found else 0, name)
