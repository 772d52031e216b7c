"""What one OpenAI-compatible server takes of the optional parameters: the best first, less where it refuses.

A refusal is a 400 or 422 that names the parameter. What was found out holds for the client's life.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Mapping
from typing import Any

_LADDERS: Mapping[str, tuple[str, ...]] = {
    "response_format": ("json_schema", "json_object", ""),
    # Reasoning that is not asked for can take the whole reply. Servers name its lowest level differently.
    "reasoning_effort": ("none", "minimal", "low", ""),
    "seed": ("seed", ""),
    "temperature": ("temperature", ""),
    "max_tokens": ("max_tokens", "max_completion_tokens"),
}
"""From best to least; an empty rung leaves the parameter out."""
_NAMES = {
    "response_format": re.compile(r"response_?format|json_?schema|json_?object|structured.output|grammar", re.I),
    "reasoning_effort": re.compile(r"reasoning", re.I),
    "seed": re.compile(r"\bseed\b", re.I),
    "temperature": re.compile(r"temperature", re.I),
    "max_tokens": re.compile(r"max_(?:completion_)?tokens", re.I),
}


class Dialect:
    """The rung of every parameter that a server takes, as far as it is known. Safe for several threads."""

    def __init__(self) -> None:
        self._rungs = dict.fromkeys(_LADDERS, 0)
        self._lock = threading.Lock()

    def rungs(self) -> dict[str, int]:
        """The rung that each parameter stands on now."""
        with self._lock:
            return dict(self._rungs)

    def step_down(self, used: Mapping[str, int], parameter: str, complaint: str) -> bool:
        """Take one step where a request with the rungs `used` was refused; whether there is something new to try.

        `parameter` is the name that the server gives, perhaps empty, `complaint` what it says.
        """
        for said in (parameter, complaint):
            for name, pattern in _NAMES.items():
                if pattern.search(said) and used[name] + 1 < len(_LADDERS[name]):
                    with self._lock:
                        self._rungs[name] = max(self._rungs[name], used[name] + 1)
                    return True
        return False


def arguments(
    rungs: Mapping[str, int],
    *,
    schema: Mapping[str, Any] | None,
    max_tokens: int,
    temperature: float,
    seed: int | None,
) -> dict[str, Any]:
    """The optional arguments of a chat completion as a server on these `rungs` takes them."""
    took = {name: ladder[rungs[name]] for name, ladder in _LADDERS.items()}
    out: dict[str, Any] = {took["max_tokens"]: max_tokens}
    if schema is not None and took["response_format"] == "json_schema":
        out["response_format"] = {"type": "json_schema", "json_schema": {"name": "reply", "schema": dict(schema)}}
    elif schema is not None and took["response_format"]:
        out["response_format"] = {"type": took["response_format"]}
    if took["reasoning_effort"]:
        out["reasoning_effort"] = took["reasoning_effort"]
    if took["seed"] and seed is not None:
        out["seed"] = seed
    if took["temperature"]:
        out["temperature"] = temperature
    return out
