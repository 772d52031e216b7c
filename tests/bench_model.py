"""A model for the benchmark's arms that needs no server: what it says is taken from the prompt."""

from __future__ import annotations

import re
from typing import Any

from tests.doubles.models import Scripted, echo

_LABEL = re.compile(r"^\[b1:1 \w+\] ", re.MULTILINE)
_SPOKEN = ("user: ", "assistant: ", "tool: ", "thinking: ", "system: ")


def answer(prompt: str) -> Any:
    """Slots for the question that joint extraction asks, for any other the lines of its transcripts."""
    if _LABEL.search(prompt):
        return echo(prompt)
    return "\n".join(line for line in prompt.split("\n") if line.startswith(_SPOKEN))


def double() -> Scripted:
    return Scripted(answer)
