"""Replies that a joint extraction can be given."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

_LINE = re.compile(r"^\[(b\d+):(\d+) (\w+)\] (.*)$", re.MULTILINE)


def opinion(branch: str, value: str, quote: str, line: int = 1, **more: Any) -> dict[str, Any]:
    return {"branch": branch, "line": line, "value": value, "quote": quote, "denied": False, "derived_from": []} | more


def slot(key: str, *opinions: dict[str, Any], kind: str = "Fact") -> dict[str, Any]:
    return {"key": key, "type": kind, "opinions": list(opinions)}


def reply(*slots: dict[str, Any]) -> dict[str, Any]:
    return {"slots": list(slots)}


def lines_of(prompt: str) -> list[tuple[str, int, str, str]]:
    """The labelled lines of a prompt: branch, number, channel, text."""
    return [(branch, int(number), channel, text) for branch, number, channel, text in _LINE.findall(prompt)]


def answers(*given: tuple[str, str, Sequence[str]], **more: Any) -> dict[str, Any]:
    """Answers of an adjudicator: (tie, outcome, options)."""
    empty: dict[str, Any] = {"guards": [], "premises": [], "reason": ""}
    return {"answers": [{"tie": t, "outcome": o, "options": list(c)} | empty | more for t, o, c in given]}
