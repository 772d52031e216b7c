"""What a deployment allows a fusion to do, and how large its result may be."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from beliefmerge.errors import UsageError, nearest

FEWEST_SOURCES, MOST_SOURCES = 2, 32
_RANGES = {
    "max_sources": (FEWEST_SOURCES, MOST_SOURCES),
    "max_messages": (1, 100_000),
    "max_fused_bytes": (256, 64 << 20),
    "max_message_bytes": (64, 64 << 20),
    "max_title_bytes": (8, 4096),
    "planner_max_tokens": (256, 8192),
}


@dataclass(frozen=True, slots=True)
class FusionConfig:
    """Limits and permissions; bytes are UTF-8. Raises UsageError for a value out of range."""

    max_sources: int = 8
    """Most distinct sources of one fusion; never over 32."""
    max_messages: int = 500
    """Most messages that are kept."""
    max_fused_bytes: int = 131_072
    """Largest snapshot: the JSON of the sources and messages as the planner sees it."""
    max_message_bytes: int = 16_384
    """Largest text of one message; a longer one is cut."""
    max_title_bytes: int = 160
    allow_cross_workspace: bool = False
    """Whether sources may have another working directory than the caller."""
    enable_agent_planning: bool = True
    """Whether a caller may ask for a plan by a model."""
    planner_max_tokens: int = 8192
    """Most tokens of a plan."""

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if field.name in _RANGES:
                low, high = _RANGES[field.name]
                if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
                    raise UsageError(f"{_outside(field.name)} is {value!r}: a whole number from {low} to {high}")
            elif not isinstance(value, bool):
                raise UsageError(f"{_outside(field.name)} is {value!r}: true or false")
        if self.max_message_bytes > self.max_fused_bytes:
            raise UsageError(
                f"maxMessageBytes {self.max_message_bytes} is greater than maxFusedBytes {self.max_fused_bytes}"
            )

    def check_planning(self) -> None:
        """Raises UsageError where the deployment forbids plans by a model."""
        if not self.enable_agent_planning:
            raise UsageError("planning is turned off for this deployment (enableAgentPlanning is false)")

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> FusionConfig:
        """The configuration that a deployment writes: `maxSources`, `maxMessages` and so on; what is left out is usual.

        Raises UsageError for an unknown name or a value out of range.
        """
        known = {_outside(field.name): field.name for field in fields(cls)}
        for name in values:
            if name not in known:
                match = nearest(name, known)
                hint = f"; did you mean {match!r}?" if match else ""
                raise UsageError(f"unknown fusion setting {name!r}{hint} (known: {', '.join(known)})")
        return cls(**{known[name]: value for name, value in values.items()})

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> FusionConfig:
        """The configuration in a JSON file. Raises UsageError naming the file."""
        try:
            values = json.loads(Path(path).read_bytes())
        except OSError as error:
            raise UsageError(f"{Path(path)}: {error.strerror or 'cannot be read'}") from None
        except (ValueError, RecursionError):
            raise UsageError(f"{Path(path)}: not JSON") from None
        if not isinstance(values, dict):
            raise UsageError(f"{Path(path)}: not a JSON object")
        try:
            return cls.from_json(values)
        except UsageError as error:
            raise UsageError(f"{Path(path)}: {error}") from None


def _outside(name: str) -> str:
    """A field's name as a deployment writes it."""
    first, *rest = name.split("_")
    return first + "".join(map(str.capitalize, rest))
