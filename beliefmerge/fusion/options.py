"""Who asks for a fusion, and how it is to be done."""

from __future__ import annotations

import os
import time
import uuid
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from beliefmerge.errors import UsageError, unknown
from beliefmerge.fusion.config import FusionConfig
from beliefmerge.fusion.order import STRATEGIES
from beliefmerge.llm.protocol import LanguageModel
from beliefmerge.session.model import Session

FORMATS = ("dsh", "openai", "markdown")
CONTENTS = ("messages", "merged")


@dataclass(frozen=True, slots=True)
class Caller:
    """Who asks: whose workspace counts, and whose settings the new session inherits. It is not a source itself."""

    cwd: str = field(default_factory=os.getcwd)
    session: Session | None = None


@dataclass(frozen=True, slots=True)
class FusionOptions:
    """How sessions are fused. Raises UsageError for an unknown name or options that exclude one another."""

    strategy: str = STRATEGIES[0]
    """`chronological`, or `by-source`: in the order in which the sources are given."""
    deduplicate: bool = True
    """Whether messages that forks share, by their ids, are kept once."""
    title: str | None = None
    target: str | None = None
    """Id of the new session; ``fusion-<uuid>`` by default."""
    planner: LanguageModel | None = None
    """Asked whether and how to fuse; none by default."""
    allow_cross_workspace: bool = False
    content: str = CONTENTS[0]
    """`messages`, or `merged`: the block that ``beliefmerge.merge`` makes of the sources in place of their messages."""
    budget: int = 1200
    """Tokens of the merged block."""
    out: Path | None = None
    """The file to create; by default, a DSH session under `root` and any other format as text only."""
    out_format: str = FORMATS[0]
    root: Path | None = None
    """Where ids are looked up and DSH sessions are created; by default the tools' usual places and DSH's."""
    config: FusionConfig = field(default_factory=FusionConfig)
    clock: Callable[[], float] = time.time
    new_id: Callable[[], str] = lambda: f"fusion-{uuid.uuid4()}"

    def __post_init__(self) -> None:
        for what, value, known in (
            ("strategy", self.strategy, STRATEGIES),
            ("output format", self.out_format, FORMATS),
            ("content", self.content, CONTENTS),
        ):
            if value not in known:
                raise unknown(what, value, known)
        if self.planner is not None:
            self.config.check_planning()
        if self.planner is not None and self.content == "merged":
            raise UsageError("a plan chooses messages: it cannot be had with merged content")
