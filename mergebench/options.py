"""What the configuration sets of an arm's own options."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from beliefmerge.errors import UsageError, nearest
from mergebench.config import PANEL, MergeBenchConfig


def options_of(name: str, known: Mapping[str, Any], config: MergeBenchConfig) -> dict[str, Any]:
    """The options `known` to the arm `name`, with what the configuration sets; raises UsageError for one it lacks, or
    of another type.
    """
    if config.arm.name == PANEL and config.arm.options:
        raise UsageError("arm.options belong to one arm: name it instead of the panel")
    given = config.arm.options if config.arm.name == name else {}
    for key, value in given.items():
        if key not in known:
            match = nearest(key, known)
            hint = f"; did you mean {match!r}?" if match else ""
            raise UsageError(f"arm {name!r} has no option {key!r}{hint} (it has: {', '.join(known) or 'none'})")
        if type(value) is not type(known[key]):
            raise UsageError(f"arm.options.{key}={value} must be {type(known[key]).__name__}")
    return {**known, **given}
